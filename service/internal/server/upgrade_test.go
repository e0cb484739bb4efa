package server_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// TestUpgradeOfEveryReleasedVersion upgrades an installation of each released
// version: all documents are unchanged, the audit is clean, and issuing
// continues.
func TestUpgradeOfEveryReleasedVersion(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(upgradeFixtures, "*.tar.gz"))
	if err != nil || len(paths) < 2 {
		t.Fatalf("found %d fixtures, want at least 2: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			u := unpackFixture(t, path)
			done, err := admin.Migrate(t.Context(), u.admin(), admin.Precaution{})
			if err != nil {
				t.Fatal(err)
			}
			servicetest.Equal(t, "from", done.From, u.Schema)
			servicetest.Equal(t, "to", done.To, store.SchemaVersion())
			u.copied(t, done)
			u.digested(t)
			u.audited(t)
			h := u.serve(t)
			servicetest.Equal(t, "documents", digests(t, h.Service.Store()), u.Documents)
			for id, want := range u.Records {
				got := h.Read(t, "/api/invoices/"+id+"/")
				for name, value := range want {
					servicetest.Equal(t, "invoice "+id+": "+name, withoutWording(fieldsIn(got[name], value), false), withoutWording(value, false))
				}
			}
			u.issues(t, h)
			servicetest.Equal(t, "the picture", h.Call("GET", "/v1/api/items/"+u.Item+"/images/1/", "").Status, 200)
			h.Service.Close()
			u.audited(t)
		})
	}
}

// fieldsIn returns a value of a record without the fields that are not in want:
// versions may add fields.
func fieldsIn(value, want any) any {
	switch want := want.(type) {
	case map[string]any:
		all, _ := value.(map[string]any)
		out := map[string]any{}
		for name, inner := range want {
			if v, there := all[name]; there {
				out[name] = fieldsIn(v, inner)
			}
		}
		return out
	case []any:
		all, _ := value.([]any)
		if len(all) != len(want) {
			return value
		}
		out := make([]any, len(want))
		for i, inner := range want {
			out[i] = fieldsIn(all[i], inner)
		}
		return out
	}
	return value
}

// withoutWording replaces the texts of explanations in a value of a record by
// whether they are empty. Explanations are not stored: each version words its
// own.
func withoutWording(value any, inExplanation bool) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range value {
			out[name] = withoutWording(inner, name == "explanation" || inExplanation && name != "path")
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, inner := range value {
			out[i] = withoutWording(inner, inExplanation)
		}
		return out
	case string:
		if inExplanation {
			return value != ""
		}
	}
	return value
}

// upgraded is an installation of an older version.
type upgraded struct {
	fixture
	data, database string
}

func unpackFixture(t *testing.T, path string) upgraded {
	t.Helper()
	var u upgraded
	dir, err := storetest.Unpack(t, path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "fixture.json"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // as in servicetest
	if err := decoder.Decode(&u.fixture); err != nil {
		t.Fatal(err)
	}
	u.data = filepath.Join(dir, "data")
	if dump, err := os.ReadFile(filepath.Join(dir, "dump.sql")); err == nil {
		u.database = storetest.Loaded(t, string(dump))
	}
	return u
}

// now returns a time an hour after the installation was last used, so that no
// certificate expires.
func (u upgraded) now() time.Time { return u.MadeAt.Add(time.Hour) }

func (u upgraded) admin() admin.Config {
	c := adminOf(u.data, u.database)
	c.Now = u.now
	return c
}

// digested computes the digests of all documents, which must verify.
func (u upgraded) digested(t *testing.T) {
	t.Helper()
	if _, err := admin.Open(t.Context(), u.admin()); err == nil || !strings.Contains(err.Error(), "documents are not verified yet") {
		t.Errorf("Open before documents have digests = %v, want an error that they are not verified", err)
	}
	found, err := admin.DigestDocuments(t.Context(), u.admin(), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	servicetest.Equal(t, "verified", found, admin.Checked{Documents: len(u.Documents), Damaged: []admin.DamagedDocument{}})
}

func (u upgraded) audited(t *testing.T) {
	t.Helper()
	a, err := admin.Open(t.Context(), u.admin())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	report, err := a.Audit(t.Context(), admin.Proof{})
	if err != nil || !report.Sound() {
		t.Errorf("audit = %+v, %v; want no faults", report, err)
	}
}

// copied checks that an SQLite database was copied before the upgrade, readable
// only by its owner, and that no copy was made of a PostgreSQL database or
// without an upgrade.
func (u upgraded) copied(t *testing.T, done admin.Upgrade) {
	t.Helper()
	if u.database != "" || done.From == done.To {
		servicetest.Equal(t, "copy", done.Copy, "")
		return
	}
	info, err := os.Stat(done.Copy)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("copy %s of the database: %v, %v; want mode 0600", done.Copy, info, err)
	}
	// The copy is the old database, from which the same upgrade can start.
	again := upgraded{fixture: u.fixture, data: t.TempDir()}
	if err := os.Rename(done.Copy, filepath.Join(again.data, store.DatabaseFile)); err != nil {
		t.Fatal(err)
	}
	if second, err := admin.Migrate(t.Context(), again.admin(), admin.Precaution{}); err != nil || second.From != u.Schema {
		t.Errorf("upgrade of the copy = %+v, %v; want the same upgrade", second, err)
	}
}

func (u upgraded) serve(t *testing.T) *servicetest.Instance {
	t.Helper()
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Database, c.Now = u.data, u.database, u.now })
	h.Key = u.Key
	return h
}

// TestRestoreOfAnOlderBackup restores a backup with an older schema and
// documents without digests. It does not record which database it came from, so
// issuing stops until a recovery.
func TestRestoreOfAnOlderBackup(t *testing.T) {
	t.Parallel()
	old := unpackFixture(t, filepath.Join(upgradeFixtures, "schema-9-sqlite.tar.gz"))
	file := filepath.Join(t.TempDir(), "old.tar")
	if _, err := admin.Backup(t.Context(), old.admin(), file, "test", nil); err != nil {
		t.Fatal(err)
	}
	u := upgraded{fixture: old.fixture, data: filepath.Join(t.TempDir(), "restored")}
	c := u.admin()
	c.MasterKeyFile = filepath.Join(old.data, "master.key")
	r, err := admin.Restore(t.Context(), c, file, nil, admin.Proof{})
	if err != nil || !r.Report.Sound() || r.KeyError != nil {
		t.Fatalf("Restore = %+v, %v; want a clean audit and no key error", r, err)
	}
	servicetest.Equal(t, "from", r.Upgrade.From, u.Schema)
	servicetest.Equal(t, "verified", r.Checked, admin.Checked{Documents: len(u.Documents), Damaged: []admin.DamagedDocument{}})
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "before Khatm recorded which database") || !strings.Contains(r.Notes[0], "khatm recover") {
		t.Errorf("notes = %q, want one about khatm recover", r.Notes)
	}
	if inDoubt, all := u.unanswered(t); all == 0 || inDoubt != all {
		t.Errorf("%d of %d unanswered documents are in doubt, want all", inDoubt, all)
	}
	copyFile(t, c.MasterKeyFile, filepath.Join(u.data, "master.key"))
	h := u.serve(t)
	servicetest.Equal(t, "documents", digests(t, h.Service.Store()), u.Documents)
	shop := u.seller(h, 0)
	if a := shop.Create(shop.Simplified(u.today("after the restore"))); a.Status != 503 || !strings.Contains(a.Body, "khatm recover") {
		t.Fatalf("create: got %d %s, want 503 with the recover command", a.Status, a.Body)
	}
	a, err := admin.Open(t.Context(), u.admin())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Recover(t.Context(), admin.Recovery{Complete: true}); err != nil {
		t.Fatal(err)
	}
	servicetest.Eventually(t, "issuing continues", func() bool { return h.Ask("/readyz/issuing").Status == 200 })
	u.issues(t, h)
}

// TestRestoreThatFailsAfterwards checks the error of a restore that fails after
// the data is in place.
func TestRestoreThatFailsAfterwards(t *testing.T) {
	t.Parallel()
	old := unpackFixture(t, filepath.Join(upgradeFixtures, "schema-9-sqlite.tar.gz"))
	file := filepath.Join(t.TempDir(), "old.tar")
	m, err := admin.Backup(t.Context(), old.admin(), file, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	u := upgraded{fixture: old.fixture, data: filepath.Join(t.TempDir(), "restored")}
	c := u.admin()
	c.Marks = t.TempDir()
	if err := os.WriteFile(filepath.Join(c.Marks, m.Installation.String()), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = admin.Restore(t.Context(), c, file, nil, admin.Proof{})
	for _, words := range []string{"the backup was restored into " + u.data, "marks", "khatm recover"} {
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("error %v does not contain %q", err, words)
		}
	}
}

// TestCopyFromBeforeTheUpgrade restores the copy made by an upgrade: the marks
// agree, but unanswered documents may have been sent since.
func TestCopyFromBeforeTheUpgrade(t *testing.T) {
	t.Parallel()
	u := unpackFixture(t, filepath.Join(upgradeFixtures, "schema-9-sqlite.tar.gz"))
	done, err := admin.Migrate(t.Context(), u.admin(), admin.Precaution{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	u.digested(t)
	marks, files := t.TempDir(), filepath.Join(t.TempDir(), "files")
	servicetest.CopyTree(t, filepath.Join(u.data, "files"), files)
	serve := func() {
		t.Helper()
		h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Now, c.Marks = u.data, u.now, marks })
		servicetest.Equal(t, "readiness", h.Ask("/readyz/issuing").Body, "ok\n")
		h.Service.Close()
	}
	serve()
	if inDoubt, all := u.unanswered(t); all == 0 || inDoubt != 0 {
		t.Errorf("%d of %d unanswered documents are in doubt after an upgrade, want 0", inDoubt, all)
	}
	copyFile(t, done.Copy, filepath.Join(u.data, store.DatabaseFile))
	if err := os.RemoveAll(filepath.Join(u.data, "files")); err != nil {
		t.Fatal(err)
	}
	servicetest.CopyTree(t, files, u.data) // so that the head of the audit trail is not ahead
	if _, err := admin.Migrate(t.Context(), u.admin(), admin.Precaution{None: true}); err != nil {
		t.Fatal(err)
	}
	u.digested(t)
	serve()
	if inDoubt, all := u.unanswered(t); inDoubt != all {
		t.Errorf("%d of %d unanswered documents are in doubt after the copy was restored, want all", inDoubt, all)
	}
}

// unanswered returns the number of documents without an answer, and how many of
// them are treated as sent when they were created.
func (u upgraded) unanswered(t *testing.T) (inDoubt, all int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(u.data, store.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	const query = `
		SELECT count(*), coalesce(sum(s.doubt_at IS NOT NULL AND s.doubt_at = i.created_at - 1), 0)
		FROM submission s JOIN invoice i ON i.org_id = s.org_id AND i.id = s.invoice_id
		WHERE s.state <> 'done'`
	if err := db.QueryRowContext(t.Context(), query).Scan(&all, &inDoubt); err != nil {
		t.Fatal(err)
	}
	return inDoubt, all
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// seller returns a seller that uses the n-th device.
func (u upgraded) seller(h *servicetest.Instance, n int) *servicetest.Seller {
	shop := &servicetest.Seller{Instance: h, Org: org.Organisation{ID: u.Seller}, Buyer: trade.Client{ID: u.Buyer}, Address: "/v1/api/invoices/"}
	shop.Device.ID = u.Devices[n]
	return shop
}

// today returns fields with the current date and a note.
func (u upgraded) today(about string) servicetest.Fields {
	today := u.now().Format(time.DateOnly)
	return servicetest.Fields{"supply_date": today, "supply_end_date": today, "notes": servicetest.Note(about)}
}

// issues issues a standard and a simplified invoice on each device.
func (u upgraded) issues(t *testing.T, h *servicetest.Instance) {
	t.Helper()
	for n := range u.Devices {
		shop := u.seller(h, n)
		for kind, body := range map[string]func(...servicetest.Fields) string{"standard": shop.Standard, "simplified": shop.Simplified} {
			shop.Created(body(u.today(fmt.Sprint(kind, n, " after the upgrade"))))
		}
	}
}
