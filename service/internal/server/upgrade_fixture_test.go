package server_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// upgradeFixtures is the folder with an installation of each released version,
// named by schema version and engine: schema-9-sqlite.tar.gz and so on.
const upgradeFixtures = "../store/testdata/upgrade"

// fixture describes the contents of an installation.
type fixture struct {
	Schema    int64                         `json:"schema"`
	MadeAt    time.Time                     `json:"made_at"`
	Key       string                        `json:"key"` // an API key
	Seller    uuid.UUID                     `json:"seller"`
	Devices   []uuid.UUID                   `json:"devices"`
	Buyer     uuid.UUID                     `json:"buyer"`
	Reason    uuid.UUID                     `json:"reason"`
	Item      string                        `json:"item"`      // has a picture
	Documents map[string]string             `json:"documents"` // digest of everything that must not change, by id
	Records   map[string]servicetest.Record `json:"records"`   // answered invoices as returned by the API, by id
}

// TestMakeUpgradeFixture is not a test: with KHATM_MAKE_FIXTURE=1 it writes the
// fixtures of the current version. They are made once per released version and
// never changed.
func TestMakeUpgradeFixture(t *testing.T) {
	t.Parallel()
	if os.Getenv("KHATM_MAKE_FIXTURE") != "1" {
		t.Skip("writes a fixture with KHATM_MAKE_FIXTURE=1")
	}
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			data, url := t.TempDir(), database(t)
			f := makeInstallation(t, data, url)
			files := map[string][]byte{"fixture.json": asIndented(t, f)}
			if url != "" {
				files["dump.sql"] = dumped(t, url)
			}
			addTree(t, files, data)
			path := filepath.Join(upgradeFixtures, fmt.Sprintf("schema-%d-%s.tar.gz", f.Schema, strings.ToLower(name)))
			packed(t, path, files)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d bytes, %d documents", path, info.Size(), len(f.Documents))
		})
	}
}

// makeInstallation creates an installation with records of every kind.
func makeInstallation(t *testing.T, data, url string) fixture {
	t.Helper()
	o := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1})
	s := o.Open(t, func(c *server.Config) { c.Data, c.Database = data, url })
	shop := s.OnboardedSeller()
	second := s.Onboarded(s.Org)
	change := func(about string, more ...servicetest.Fields) []servicetest.Fields {
		return append([]servicetest.Fields{servicetest.SuppliedToday(), {"notes": servicetest.Note(about)}}, more...)
	}
	item := s.AddItem(t, servicetest.GoodItem(), servicetest.Part{Field: "image", Filename: "front.png", Content: servicetest.APNG(t)})
	var all []uuid.UUID
	for n := range 3 {
		all = append(all, shop.Created(shop.Standard(change(fmt.Sprint("standard ", n))...)),
			shop.Created(shop.Simplified(change(fmt.Sprint("simplified ", n), servicetest.Fields{"device": second.ID})...)))
	}
	for _, id := range all {
		shop.Final(id)
	}
	all = append(all, shop.Created(shop.Standard(change("credit note", servicetest.Fields{"type_code": 381, "original_invoice_reference": all[:1], "reason_id": shop.Reason.ID})...)))
	all = append(all, shop.Created(shop.Standard(change("refused", servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}})...)))
	for _, id := range all[6:] {
		shop.Final(id)
	}
	d := &servicetest.DraftSharing{Seller: shop, Ctx: context.Background(), By: s.Operator(shop.Org)}
	d.Draft()
	d.Shared()
	d.Approved()
	o.Mood(`{"name":"outage"}`)
	before := len(o.Journal())
	shop.Created(shop.Simplified(change("not answered")...))
	servicetest.Eventually(t, "an attempt", func() bool { return len(o.Journal()) > before })
	if err := s.Service.SealTrail(d.Ctx); err != nil {
		t.Fatal(err)
	}
	f := fixture{
		Schema: store.SchemaVersion(), MadeAt: time.Now().UTC().Truncate(time.Second), Key: s.Key, Seller: shop.Org.ID,
		Devices: []uuid.UUID{shop.Device.ID, second.ID}, Buyer: shop.Buyer.ID, Reason: shop.Reason.ID, Item: servicetest.IDOf(item), Records: map[string]servicetest.Record{},
	}
	s.Service.Close()
	s.HTTP.Close()
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Database, c.Now = data, url, func() time.Time { return f.MadeAt } })
	h.Key = f.Key
	for _, id := range all {
		f.Records[id.String()] = h.Read(t, "/api/invoices/"+id.String()+"/")
	}
	f.Documents = digests(t, h.Service.Store())
	h.Service.Close()
	return f
}

func asIndented(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// dumped returns a PostgreSQL database as SQL that any driver can run.
func dumped(t testing.TB, url string) []byte {
	t.Helper()
	programs, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
	if err != nil || len(programs) == 0 {
		t.Fatalf("pg_dump not found: %v", err)
	}
	run := exec.Command(programs[len(programs)-1], "--inserts", "--no-owner", "--no-privileges", "--dbname="+url)
	run.Stderr = os.Stderr
	text, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(line string) bool {
		return strings.HasPrefix(line, `\`) // psql commands
	})
	return []byte(strings.Join(lines, ""))
}

// addTree adds the files below a folder, except locks.
func addTree(t testing.TB, files map[string][]byte, dir string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "lock") {
			return err
		}
		files["data/"+path], err = os.ReadFile(filepath.Join(dir, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// packed writes files to a compressed archive.
func packed(t testing.TB, path string, files map[string][]byte) {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// digests returns a digest of every document of all devices, by id.
func digests(t testing.TB, s *store.Store) map[string]string {
	t.Helper()
	found, err := storetest.Digests(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
