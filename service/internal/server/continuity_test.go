package server_test

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
	"khatm/witness"
)

// restorable is an installation that is stopped, copied, used and restored.
type restorable struct {
	t        *testing.T
	sim      *servicetest.Authority
	data     string // data folder
	marks    string // empty if disabled
	database string // URL of PostgreSQL, or empty
	archive  server.Archive
	trust    bool   // --trust-failover
	address  string // empty for the default
	key      string
	shop     *servicetest.Seller
	service  *servicetest.Sending
	now      func() time.Time // nil for the real clock
	issued   int              // number of documents, to make bodies unique
	copies   int

	watch time.Duration           // of the archive before a server takes over; 0 for the default
	point func(step string) error // see server.Point; nil for none
}

func newRestorable(t *testing.T, database string) *restorable {
	t.Helper()
	r := &restorable{t: t, sim: servicetest.OpenAuthority(t, simulator.Config{}), data: filepath.Join(t.TempDir(), "data"), marks: t.TempDir(), database: database}
	r.start()
	r.shop, r.key = r.service.OnboardedSeller(), r.service.Key
	return r
}

// start starts the server.
func (r *restorable) start() {
	r.t.Helper()
	r.service = r.sim.Open(r.t, func(c *server.Config) {
		c.Data, c.Database, c.Marks, c.Archive, c.TrustFailover = r.data, r.database, r.marks, r.archive, r.trust
		if r.address != "" {
			c.Address = r.address
		}
		if r.now != nil {
			c.Now = r.now
		}
		server.Watch(c, r.watch)
		if r.point != nil {
			server.Point(c, r.point)
		}
	})
	if r.shop != nil {
		shop := *r.shop
		shop.Instance = r.service.Instance
		shop.Instance.Key = r.key
		r.shop = &shop
	}
}

func (r *restorable) stop() {
	r.t.Helper()
	r.service.HTTP.Close()
	r.service.Service.Close()
}

// sell issues n documents and returns the XML of the last.
func (r *restorable) sell(n int) (last []byte) {
	r.t.Helper()
	var id uuid.UUID
	for range n {
		r.issued++
		id = r.shop.Created(r.body())
	}
	xml, err := r.service.Service.Store().SignedXML(context.Background(), org.TenantOf(r.shop.Org.ID), id)
	if err != nil {
		r.t.Fatal(err)
	}
	return xml
}

func (r *restorable) body() string {
	return r.shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("sale ", r.issued))})
}

// refusesToIssue checks that nothing is issued, and that the API, the
// readiness, the metrics, the log and khatm doctor report it.
func (r *restorable) refusesToIssue() {
	r.t.Helper()
	r.issued++
	a := r.shop.Create(r.body())
	if a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, "khatm recover") || a.Header.Get("Retry-After") == "" {
		r.t.Fatalf("create: got %d %s, want 503 with the recover command", a.Status, a.Body)
	}
	if p := r.shop.Preview(r.body()); p.Status != http.StatusCreated {
		r.t.Errorf("preview: got %d %s, want 201", p.Status, p.Body)
	}
	r.shop.Read(r.t, "/api/invoices/")
	if status, text := r.readiness("/readyz/issuing"); status != http.StatusServiceUnavailable || !strings.Contains(text, "khatm recover") {
		r.t.Errorf("/readyz/issuing: got %d %s, want 503 with the recover command", status, text)
	}
	if _, text := r.readiness("/metrics"); !strings.Contains(text, `khatm_issuing_stopped{cause="chain"} 1`) {
		r.t.Error("khatm_issuing_stopped is not 1 for cause chain")
	}
	if !strings.Contains(r.service.Log.String(), "issuing is stopped") {
		r.t.Error("the log does not contain \"issuing is stopped\"")
	}
	f := r.finding("chains")
	if f.Level != admin.Fail || f.Do != "run khatm recover" {
		r.t.Errorf("doctor reports %+v, want a failure with khatm recover", f)
	}
}

func (r *restorable) readiness(path string) (status int, text string) {
	w := httptest.NewRecorder()
	r.service.Service.Operations().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

func (r *restorable) config() admin.Config {
	return admin.Config{Data: r.data, Database: r.database, Operator: "test", Now: time.Now, NewID: uuid.New, Random: crand.Reader}
}

// finding returns a finding of khatm doctor.
func (r *restorable) finding(check string) (found admin.Finding) {
	admin.Examine(r.t.Context(), r.config(), admin.Outside{Authority: "simulator", Client: http.DefaultClient, Marks: r.marks}, func(f admin.Finding) {
		if f.Check == check {
			found = f
		}
	})
	return found
}

// recover runs a recovery while the server is running.
func (r *restorable) recover(change func(*admin.Recovery)) error {
	r.t.Helper()
	a, err := admin.Open(r.t.Context(), r.config())
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Close()
	recovery := admin.Recovery{}
	if r.marks != "" {
		recovery.Marks = []string{r.marks}
	}
	seen, err := a.ShowContinuity(r.t.Context(), recovery.Marks)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, d := range seen.Devices {
		if d.Device != r.shop.Device.ID {
			recovery.Unchanged = append(recovery.Unchanged, d.Device.String())
		}
	}
	change(&recovery)
	_, err = a.Recover(r.t.Context(), recovery)
	return err
}

// recoverAfter runs a recovery with the last document of the device.
func (r *restorable) recoverAfter(last []byte) {
	r.t.Helper()
	err := r.recover(func(a *admin.Recovery) { a.Last = []admin.LastDocument{{Name: "last.xml", Data: last}} })
	if err != nil {
		r.t.Fatal(err)
	}
}

// losesThree copies the data folder, issues three documents, restores the copy,
// and returns the last document that was lost.
func (r *restorable) losesThree() (last []byte) {
	r.t.Helper()
	r.sell(2)
	r.stop()
	copied := r.backup()
	r.start()
	last = r.sell(3)
	r.stop()
	r.restoreFolder(copied)
	r.start()
	return last
}

// goesOn checks that the next document continues the chain after the given one.
func (r *restorable) goesOn(after []byte) {
	r.t.Helper()
	servicetest.Eventually(r.t, "ready to issue", func() bool {
		status, _ := r.readiness("/readyz/issuing")
		return status == http.StatusOK
	})
	next := r.sell(1)
	before, now := witnessed(r.t, after), witnessed(r.t, next)
	if now.PreviousHash != before.Hash || now.Counter != fmt.Sprint(counterOf(r.t, before.Counter)+1) {
		r.t.Errorf("next document: counter %s with previous hash %s, want the one after %s with %s", now.Counter, now.PreviousHash, before.Counter, before.Hash)
	}
	r.sound()
}

func counterOf(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sound audits the store with the simulator's journal, in which no two
// documents of the device may have the same counter.
func (r *restorable) sound() {
	r.t.Helper()
	servicetest.Eventually(r.t, "everything is answered", func() bool {
		b, err := r.service.Service.Store().Backlog(r.t.Context(), time.Now())
		return err == nil && b.States["queued"]+b.States["sending"]+b.States["waiting"] == 0
	})
	if err := r.service.Service.SealTrail(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	a, err := admin.Open(r.t.Context(), r.config())
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Close()
	report, err := a.Audit(r.t.Context(), admin.Proof{Authority: bytes.NewReader(r.sim.Command(http.MethodGet, "/journal", ""))})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range report.Faults {
		r.t.Errorf("audit: %s", f)
	}
	places := map[string]string{}
	for _, e := range r.sim.Journal() {
		place := e.Device + " " + e.Counter
		if other, taken := places[place]; taken && other != e.UUID {
			r.t.Errorf("the authority received two documents with counter %s", e.Counter)
		}
		places[place] = e.UUID
	}
}

// backup copies the data folder or the PostgreSQL database while the server is
// stopped. It returns the path or the name of the copy.
func (r *restorable) backup() (path string) {
	r.t.Helper()
	r.copies++
	if r.database != "" {
		return r.cloneDatabase()
	}
	path = fmt.Sprintf("%s-copy-%d", r.data, r.copies)
	servicetest.CopyTree(r.t, r.data, path)
	return path
}

// backupThenSell sells, copies the data like backup, and sells more. It returns the copy
// and the last document. The server is stopped at the end.
func (r *restorable) backupThenSell(before, after int) (copied string, last []byte) {
	r.t.Helper()
	r.sell(before)
	r.stop()
	copied = r.backup()
	r.start()
	last = r.sell(after)
	r.stop()
	return copied, last
}

// cloneDatabase copies the database on the same server and returns the name of
// the copy.
func (r *restorable) cloneDatabase() string {
	r.t.Helper()
	name := fmt.Sprintf("%s_copy_%d", servicetest.DatabaseName(r.t, r.database), r.copies)
	servicetest.OnPostgres(r.t, r.database, fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s`, name, servicetest.DatabaseName(r.t, r.database)))
	r.t.Cleanup(func() { servicetest.OnPostgres(r.t, r.database, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`) })
	return name
}

// restoreKind is a way to restore an older copy.
type restoreKind struct {
	name      string
	marksLost bool
	restore   func(r *restorable, backup string) // called while the server is stopped
}

var restoreKinds = []restoreKind{
	{"the whole folder", false, (*restorable).restoreFolder},
	{"the database file, in place", false, func(r *restorable, backup string) {
		old, err := os.ReadFile(filepath.Join(backup, "khatm.db"))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.data, "khatm.db"), old, 0o600)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}},
	{"the database file alone", false, (*restorable).restoreFile},
	{"the database file alone, without marks", true, (*restorable).restoreFile},
	{"the whole folder, without marks", true, (*restorable).restoreFolder},
}

func (r *restorable) restoreFolder(backup string) {
	if err := os.RemoveAll(r.data); err != nil {
		r.t.Fatal(err)
	}
	servicetest.CopyTree(r.t, backup, r.data)
}

func (r *restorable) restoreFile(backup string) {
	if err := os.Remove(filepath.Join(r.data, "khatm.db")); err != nil {
		r.t.Fatal(err)
	}
	servicetest.CopyTree(r.t, filepath.Join(backup, "khatm.db"), filepath.Join(r.data, "khatm.db"))
}

// TestR13_RestoredFolder restores an older copy of an embedded database in
// every way: nothing is issued before the recovery, and the chain continues
// after it.
func TestR13_RestoredFolder(t *testing.T) {
	t.Parallel()
	rounds := 1
	if testtool.Torture() {
		rounds = 16
	}
	for _, kind := range restoreKinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			r := newRestorable(t, "")
			for range rounds {
				r.restoredOnce(kind)
			}
			servicetest.ReportScenario(t, "R-13 restore: "+kind.name, fmt.Sprint(rounds, " restores"), 1, "0 documents before the recovery, 0 forks")
		})
	}
}

func (r *restorable) restoredOnce(kind restoreKind) {
	r.t.Helper()
	copied, last := r.backupThenSell(2, 3)
	kind.restore(r, copied)
	if kind.marksLost {
		if err := os.RemoveAll(r.marks); err != nil {
			r.t.Fatal(err)
		}
	}
	r.start()
	r.refusesToIssue()
	if !kind.marksLost {
		if err := r.recover(func(a *admin.Recovery) { a.Complete, a.Unchanged = true, nil }); err == nil {
			r.t.Fatal("recover confirmed a database that lacks documents as complete")
		}
	}
	r.recoverAfter(last)
	r.goesOn(last)
	r.stop()
	r.start()
	r.goesOn(r.sell(1))
}

// A folder that is moved to another disk has another identity but lacks no
// documents, so issuing continues.
func TestMovedFolderGoesOn(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, "")
	last := r.sell(3)
	r.stop()
	moved := r.data + "-moved"
	servicetest.CopyTree(t, r.data, moved)
	if err := os.RemoveAll(r.data); err != nil {
		t.Fatal(err)
	}
	r.data = moved
	r.start()
	r.goesOn(last)
	if strings.Contains(r.service.Log.String(), "recover") {
		t.Errorf("the log mentions a recovery:\n%s", r.service.Log)
	}
}

// TestR13_RestoredDatabase replaces a PostgreSQL database with an older copy
// while two servers, of which one saw more documents, are stopped.
func TestR13_RestoredDatabase(t *testing.T) {
	t.Parallel()
	rounds := 1
	if testtool.Torture() {
		rounds = 10
	}
	r := newRestorable(t, storetest.NewPostgres(t).URL)
	other := t.TempDir() // marks of another server, which saw fewer documents
	for range rounds {
		r.marks, other = other, r.marks
		r.stop()
		r.start()
		r.sell(2)
		r.stop()
		copied := r.backup()
		r.marks, other = other, r.marks
		r.start()
		last := r.sell(3)
		r.stop()
		name := servicetest.DatabaseName(t, r.database)
		servicetest.OnPostgres(t, r.database, `DROP DATABASE `+name+` WITH (FORCE)`, `ALTER DATABASE `+copied+` RENAME TO `+name)
		for range 2 {
			r.marks, other = other, r.marks
			r.start()
			r.refusesToIssue()
			r.stop()
		}
		r.start()
		if err := r.recover(func(a *admin.Recovery) { a.Complete, a.Unchanged = true, nil }); err == nil {
			t.Fatal("recover confirmed a database that lacks documents as complete")
		}
		r.recoverAfter(last)
		r.goesOn(last)
		r.stop()
		r.marks, other = other, r.marks
		r.start()
		r.goesOn(r.sell(1))
	}
	servicetest.ReportScenario(t, "R-13 restore: a PostgreSQL database, two servers", fmt.Sprint(rounds, " restores"), 1, "0 documents before the recovery, 0 forks")
}

// Even a complete copy of the database must be confirmed by an operator:
// another server may have issued more documents.
func TestReplacedDatabaseIsConfirmed(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, storetest.NewPostgres(t).URL)
	last := r.sell(3)
	r.stop()
	copied := r.backup()
	name := servicetest.DatabaseName(t, r.database)
	servicetest.OnPostgres(t, r.database, `DROP DATABASE `+name+` WITH (FORCE)`, `ALTER DATABASE `+copied+` RENAME TO `+name)
	r.start()
	r.refusesToIssue()
	if err := r.recover(func(a *admin.Recovery) { a.Complete, a.Unchanged = true, nil }); err != nil {
		t.Fatal(err)
	}
	r.goesOn(last)
}

// A running server detects that its database was replaced when it connects
// again, before anything is issued.
func TestR13_DatabaseReplacedUnderARunningServer(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, storetest.NewPostgres(t).URL)
	r.sell(2)
	r.stop()
	copied := r.backup()
	r.start()
	last := r.sell(3)
	name := servicetest.DatabaseName(t, r.database)
	servicetest.OnPostgres(t, r.database, `DROP DATABASE `+name+` WITH (FORCE)`, `ALTER DATABASE `+copied+` RENAME TO `+name)
	r.refusesWhenBack()
	r.refusesToIssue()
	r.recoverAfter(last)
	r.goesOn(last)
}

// refusesWhenBack sends create requests until the database is connected again,
// and checks that none is accepted.
func (r *restorable) refusesWhenBack() {
	r.t.Helper()
	servicetest.Eventually(r.t, "a refusal that names the command", func() bool {
		a := r.shop.Create(r.body())
		if a.Status < http.StatusInternalServerError {
			r.t.Fatalf("create after the replacement: got %d %s, want 5xx", a.Status, a.Body)
		}
		return strings.Contains(a.Body, "khatm recover")
	})
}

// If an operator runs recover without the marks and declares too little, the
// server with the marks detects it.
func TestRecoveryThatMarksContradict(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, "")
	last := r.losesThree()
	r.refusesToIssue()
	if err := r.recover(func(a *admin.Recovery) { a.Marks, a.Complete, a.Unchanged = nil, true, nil }); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // time for the server to check
	r.refusesToIssue()
	r.recoverAfter(last)
	r.goesOn(last)
}

// Marks that lag behind do not stop issuing, even right after a recovery.
func TestLaggingMarks(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, "")
	last := r.losesThree()
	r.recoverAfter(last)
	servicetest.Eventually(t, "ready to issue", func() bool {
		status, _ := r.readiness("/readyz/issuing")
		return status == http.StatusOK
	})
	r.stop()
	old := r.marks + "-old"
	servicetest.CopyTree(t, r.marks, old)
	r.start()
	newest := r.sell(2)
	r.stop()
	r.marks = old
	r.start()
	r.goesOn(newest)
}

// An unreadable head of the audit trail stops issuing until a recovery replaces
// the head.
func TestUnreadableTrailHead(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, "")
	last := r.sell(2)
	if err := r.service.Service.SealTrail(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.stop()
	if err := os.WriteFile(filepath.Join(r.data, "files", filepath.FromSlash(org.TrailHeadFile)), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.start()
	r.refusesToIssue()
	if err := r.recover(func(a *admin.Recovery) { a.Unchanged = append(a.Unchanged, r.shop.Device.ID.String()) }); err != nil {
		t.Fatal(err)
	}
	r.goesOn(last)
}

// A rollback that includes the marks cannot be detected, but an operator who
// knows of it can recover before anything is issued.
func TestRollbackThatOnlyTheOperatorKnowsOf(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, "")
	r.sell(2)
	r.stop()
	copied, marks := r.backup(), r.marks+"-copy"
	servicetest.CopyTree(t, r.marks, marks)
	r.start()
	last := r.sell(3)
	r.stop()
	r.restoreFolder(copied)
	r.marks = marks
	r.start()
	if status, text := r.readiness("/readyz/issuing"); status != http.StatusOK {
		t.Fatalf("/readyz/issuing after an unnoticed rollback: got %d %s, want 200", status, text)
	}
	if err := r.recover(func(a *admin.Recovery) { a.Complete, a.Unchanged = true, nil }); !errors.Is(err, admin.ErrNothingToRecover) {
		t.Errorf("recover = %v, want ErrNothingToRecover", err)
	}
	r.recoverAfter(last)
	r.goesOn(last)
}

// A device whose last document is lost is retired: its organisation gets new
// prefixes, and another device issues.
func TestAbandonedDevice(t *testing.T) {
	t.Parallel()
	r := newRestorable(t, "")
	r.losesThree()
	r.refusesToIssue()
	if err := r.recover(func(a *admin.Recovery) { a.Retired = []string{r.shop.Device.ID.String()} }); err != nil {
		t.Fatal(err)
	}
	servicetest.Eventually(t, "ready to issue", func() bool {
		status, _ := r.readiness("/readyz/issuing")
		return status == http.StatusOK
	})
	if a := r.shop.Create(r.body()); a.Status != http.StatusBadRequest || !strings.Contains(a.Body, "retired") {
		t.Errorf("create on the retired device: got %d %s, want 400", a.Status, a.Body)
	}
	r.shop.Device = r.service.Onboarded(r.shop.Org)
	if got := witnessed(t, r.sell(1)); got.Counter != "1" || !strings.HasPrefix(got.Number, "INV2-") {
		t.Errorf("the new device starts with counter %s and number %s, want 1 and INV2-", got.Counter, got.Number)
	}
	r.sound()
}

// Unanswered documents of a restored database may have been sent since the copy
// was made. The authority detects a repetition for 24 hours, so older ones are
// not sent again automatically.
func TestRestoredDatabaseSendsNothingOld(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	r := &restorable{t: t, sim: servicetest.OpenAuthority(t, simulator.Config{Now: clock.Now}), data: filepath.Join(t.TempDir(), "data"), marks: t.TempDir(), now: clock.Now}
	r.start()
	r.shop, r.key = r.service.OnboardedSeller(), r.service.Key
	r.sim.Mood("outage")
	old := r.sell(1)
	clock.Advance(22 * time.Hour)
	young := r.sell(1)
	r.stop()
	copied := r.backup()
	r.sim.Mood("nod")
	clock.Advance(time.Minute) // waiting documents are due
	r.start()
	r.sell(1)
	r.sound() // both were sent and accepted
	r.stop()
	r.restoreFolder(copied)
	clock.Advance(2 * time.Hour)
	sent := func(xml []byte) (n int) {
		for _, e := range r.sim.Journal() {
			if e.UUID == witnessed(t, xml).UUID {
				n++
			}
		}
		return n
	}
	before := sent(old)
	r.start()
	r.refusesToIssue()
	servicetest.Eventually(t, "the young document is accepted", func() bool { return r.shop.Status(uuid.MustParse(witnessed(t, young).UUID)).Final() })
	servicetest.Eventually(t, "the old document is stopped", func() bool {
		b, err := r.service.Service.Store().Backlog(t.Context(), clock.Now())
		return err == nil && b.Stopped == 1
	})
	if after := sent(old); after != before {
		t.Errorf("the old document was sent %d more times, want 0", after-before)
	}
	id := uuid.MustParse(witnessed(t, old).UUID)
	a := r.shop.Call(http.MethodPatch, "/v1/api/invoices/"+id.String()+"/clearance-reporting/", "")
	if a.Status != http.StatusAccepted {
		t.Fatalf("resend: got %d %s, want 202", a.Status, a.Body)
	}
	servicetest.Eventually(t, "a caller can send it", func() bool { return sent(old) > before })
}

// witnessed returns the report of the independent verifier on a document.
func witnessed(t testing.TB, xml []byte) *witness.Report {
	t.Helper()
	report, err := witness.Verify(xml, witness.Expect{RequireStamp: true})
	if err != nil || len(report.Findings) > 0 {
		t.Fatalf("the document does not verify: %v %v", err, report)
	}
	return report
}
