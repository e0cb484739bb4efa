package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
)

// lineArchive is an archive in memory.
type lineArchive struct {
	mu    sync.Mutex
	lines [][]byte
	err   error         // of every Append
	gate  chan struct{} // if it is set, each Append receives from it first
}

func (a *lineArchive) Append(ctx context.Context, lines [][]byte) error {
	a.mu.Lock()
	gate := a.gate
	a.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		for _, line := range lines {
			a.lines = append(a.lines, slices.Clone(line))
		}
	}
	return a.err
}

// set changes how the archive responds.
func (a *lineArchive) set(err error, gate chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err, a.gate = err, gate
}

// all returns the lines of the archive.
func (a *lineArchive) all() [][]byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.lines)
}

// document returns the last line of a document, or nil.
func (a *lineArchive) document(id uuid.UUID) (line []byte) {
	for _, l := range a.all() {
		var head struct {
			Kind string
			ID   uuid.UUID
		}
		if json.Unmarshal(l, &head) == nil && head.Kind == "document" && head.ID == id {
			line = l
		}
	}
	return line
}

// archived starts an archive and waits until it has caught up.
func (s *fixture) archived() *lineArchive {
	s.t.Helper()
	a := &lineArchive{}
	ok(s.t, s.StartArchive(s.ctx, store.Archiving{To: a, Location: "memory", Wait: true}))
	s.caughtUp()
	return a
}

// caughtUp waits until the outbox is empty.
func (s *fixture) caughtUp() {
	s.t.Helper()
	eventually(s.t, "the outbox is empty", func() bool { return s.count(`SELECT count(*) FROM unarchived`) == 0 })
	ok(s.t, s.Store.ArchiveBehind())
}

// eventually waits until a condition is true.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// Every table of the schema is listed once, and has triggers if and only if its
// rows are captured.
func TestEveryTableIsArchivedOrNot(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		listed := map[string]store.ArchivedTable{}
		for _, a := range store.ArchivedTables() {
			if listed[a.Name].Name != "" {
				t.Errorf("table %s is listed twice", a.Name)
			}
			listed[a.Name] = a
			if archived := a.Document || a.Captured; archived == (a.Why != "") || archived != (len(a.Key) > 0) {
				t.Errorf("table %s is archived: %t, with key %v and reason %q", a.Name, archived, a.Key, a.Why)
			}
		}
		triggers := `SELECT name FROM sqlite_master WHERE type = 'trigger'`
		if s.config.URL != "" {
			triggers = `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`
		}
		captured := s.texts(triggers)
		schema := tables(t, s)
		for _, name := range schema {
			if listed[name].Name == "" {
				t.Errorf("archivedTables does not list table %s", name)
			}
			has := slices.ContainsFunc(captured, func(trigger string) bool { return strings.HasPrefix(trigger, "archive_"+name+"_") })
			if listed[name].Captured != has {
				t.Errorf("table %s has triggers of the archive: %t, want %t", name, has, listed[name].Captured)
			}
		}
		for name := range listed {
			if !slices.Contains(schema, name) && !slices.Contains(onlyPostgres, name) {
				t.Errorf("archivedTables lists %s, which is no table", name)
			}
		}
	})
}

// Every insertion, change and deletion of a captured row is in the outbox.
// Without an archive nothing is.
func TestOutboxOfEveryTable(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		fillTables(t, s)
		s.seller(s.by).unstamped()
		if n := s.count(`SELECT count(*) FROM unarchived`); n != 0 {
			t.Fatalf("the outbox has %d entries without an archive, want none", n)
		}
		ok(t, s.Store.RecordArchive(s.ctx, "somewhere", 1))
		all := s.count(`SELECT count(*) FROM unarchived`)
		documents := s.count(`SELECT count(*) FROM invoice`)
		if n := s.count(`SELECT count(*) FROM unarchived WHERE invoice_id IS NOT NULL`); n != documents {
			t.Errorf("the outbox has %d documents, want %d", n, documents)
		}
		for _, a := range store.ArchivedTables() {
			n, want := s.count(`SELECT count(*) FROM unarchived WHERE name = $1`, a.Name), 0
			if a.Captured {
				want = s.count(`SELECT count(*) FROM ` + a.Name)
			}
			if a.Name == "event" {
				want = s.count(`SELECT count(*) FROM event WHERE action <> 'invoice.create' OR link IS NOT NULL`)
			}
			if n != want || a.Captured && n == 0 {
				t.Errorf("the outbox has %d rows of table %s, want %d and at least one", n, a.Name, want)
			}
		}
		ok(t, s.Store.RecordArchive(s.ctx, "somewhere", 1))
		if n := s.count(`SELECT count(*) FROM unarchived`); n != all {
			t.Errorf("the outbox has %d entries after the same location was recorded again, want %d", n, all)
		}
		keys := s.texts(`SELECT name || key FROM unarchived WHERE name IS NOT NULL`)
		s.execute(`DELETE FROM unarchived`)
		ok(t, s.AddReason(s.ctx, s.by, sampleReason(s.config.NewID())))
		if got := s.texts(`SELECT name FROM unarchived ORDER BY seq`); !slices.Equal(got, []string{"reason", "event"}) {
			t.Errorf("the outbox has %v after a new reason, want the reason and its event", got)
		}
		// A trigger writes the key as RecordArchive does.
		s.execute(`DELETE FROM unarchived`)
		s.execute(`UPDATE client SET name = name`)
		s.execute(`UPDATE draft_link SET revoked = revoked`)
		s.execute(`UPDATE secret SET sealed = sealed`)
		for _, key := range s.texts(`SELECT name || key FROM unarchived`) {
			if !slices.Contains(keys, key) {
				t.Errorf("a trigger wrote the key %s, RecordArchive wrote none such", key)
			}
		}
	})
}

// varied returns a change that makes one of several kinds of document.
func (t *till) varied(r *rand.Rand, item uuid.UUID, before []issue.Entry) func(*issue.Entry) {
	return func(e *issue.Entry) {
		e.Invoice.Kind = []invoice.Kind{invoice.TaxInvoice, invoice.TaxInvoice, invoice.CreditNote, invoice.DebitNote, invoice.AdvancePayment}[r.IntN(5)]
		e.Invoice.Transaction = []invoice.Transaction{{}, {Simplified: true}, {Export: true}}[r.IntN(3)]
		e.Invoice.Held, e.Invoice.Payment = r.IntN(3) == 0, ledger.Pending
		t.toClient(e)
		e.Words = wordsOf(e.Invoice)
		if r.IntN(3) == 0 {
			e.Invoice.Record.Buyer, e.Invoice.IdempotencyKey = nil, ""
			e.Words = wordsOf(e.Invoice)
		}
		e.Invoice.Record.Lines[0].Item = &item
		switch n := r.IntN(len(before) + 1); {
		case n == len(before):
		case e.Invoice.Kind == invoice.CreditNote:
			e.Credits = []issue.Credit{{Original: before[n].Invoice.ID, Amount: decimalOf("1.15"), Rows: sampleRows}}
		case e.Invoice.Kind == invoice.TaxInvoice:
			e.Deductions = []issue.Deduction{{Advance: before[n].Invoice.ID, Rows: sampleRows}}
			e.Draft, e.Paid = t.s.config.NewID(), r.IntN(2) == 0
		}
	}
}

// The line that an append hands over is the one that is read from the database.
func TestArchivedLines(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		r := rand.New(rand.NewPCG(1, 2))
		archive := s.archived()
		shop := s.till()
		var all []issue.Entry
		for range 12 {
			var changes []func(*issue.Entry)
			for range 1 + r.IntN(4) {
				changes = append(changes, shop.varied(r, uuid.Max, all))
			}
			written, err := shop.append(changes...)
			ok(t, err)
			for _, e := range written {
				id := e.Invoice.ID
				got := archive.document(id)
				var seq struct{ Seq int64 }
				ok(t, json.Unmarshal(got, &seq))
				read, err := store.DocumentLine(s.ctx, s.Store, s.by.Tenant, id, seq.Seq)
				ok(t, err)
				if e.Paid { // the receipt was written after the document, and perhaps before it was archived
					got = bytes.Replace(got, []byte(`"payment":"Paid"`), []byte(`"payment":"Pending"`), 1)
					read = bytes.Replace(read, []byte(`"payment":"Paid"`), []byte(`"payment":"Pending"`), 1)
				}
				if string(got) != string(read) {
					t.Fatalf("handed over:\n%s\nread:\n%s", got, read)
				}
				if !strings.Contains(string(got), `"xml":"<Invoice>\u0000`+e.Invoice.Number) {
					t.Errorf("the line does not contain the XML as text: %s", got)
				}
			}
			all = append(all, written...)
		}
		s.caughtUp()
	})
}

// An append returns after its documents are archived. Until then they are not
// claimed, and a repeat waits.
func TestArchiveBeforeAcknowledging(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		archive := s.archived()
		shop := s.seller(s.by)
		gate := make(chan struct{})
		s.caughtUp()
		archive.set(nil, gate)
		var work sync.WaitGroup
		var done, repeated bool
		var written []issue.Entry
		var mu sync.Mutex
		flag := func(b *bool) { mu.Lock(); *b = true; mu.Unlock() }
		is := func(b *bool) bool { mu.Lock(); defer mu.Unlock(); return *b }
		work.Go(func() {
			var err error
			written, err = shop.append(func(e *issue.Entry) { e.Invoice.Held = false })
			ok(t, err)
			flag(&done)
		})
		eventually(t, "the document is committed", func() bool { return s.count(`SELECT count(*) FROM invoice`) == 1 })
		claiming := submit.Claiming{Route: ledger.ByClearance, Most: 9, Now: s.config.Now(), LeaseUntil: instantOf(50), Worker: "w"}
		claimed, err := s.Claim(s.ctx, claiming)
		ok(t, err)
		work.Go(func() {
			state, err := s.Look(s.ctx, s.by.Tenant, issue.Wants{At: s.config.Now(), Keys: []string{"key of INV-2026-000001"}})
			ok(t, err)
			if len(state.Keys) != 1 {
				t.Errorf("the repeat finds %d documents, want 1", len(state.Keys))
			}
			flag(&repeated)
		})
		time.Sleep(20 * time.Millisecond)
		if len(claimed.Jobs) != 0 || is(&done) || is(&repeated) {
			t.Errorf("before the archive has the document: %d jobs, acknowledged %t, repeat answered %t; want none", len(claimed.Jobs), is(&done), is(&repeated))
		}
		close(gate)
		work.Wait()
		if archive.document(written[0].Invoice.ID) == nil {
			t.Error("the archive does not contain the document")
		}
		s.caughtUp()
		claimed, err = s.Claim(s.ctx, claiming)
		ok(t, err)
		if len(claimed.Jobs) != 1 {
			t.Errorf("claimed %d jobs after the document was archived, want 1", len(claimed.Jobs))
		}
	})
}

// If the archive fails after a commit, the outcome is not known, and nothing more
// is written until the archive has caught up.
func TestArchiveFails(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		archive := s.archived()
		shop := s.seller(s.by)
		first := shop.issue(asIs)
		full := errors.New("the archive is full")
		archive.set(full, nil)
		_, err := shop.append(asIs)
		if !errors.Is(err, issue.ErrUnknown) || !errors.Is(err, full) {
			t.Fatalf("error = %v, want that the outcome is not known", err)
		}
		if n := s.count(`SELECT count(*) FROM invoice`); n != 2 {
			t.Fatalf("%d invoices, want 2", n)
		}
		_, err = shop.append(asIs)
		if fault.KindOf(err) != fault.Unavailable || !errors.Is(err, issue.ErrUnwritten) {
			t.Fatalf("error = %v, want that nothing was written", err)
		}
		if n := s.count(`SELECT count(*) FROM invoice`); n != 2 {
			t.Fatalf("%d invoices, want 2", n)
		}
		archive.set(nil, nil)
		s.caughtUp()
		third := shop.issue(asIs)
		for _, id := range append(s.idsOf("invoice"), first.ID, third.ID) {
			if archive.document(id) == nil {
				t.Errorf("the archive does not contain invoice %s", id)
			}
		}
	})
}

// What a server leaves behind is archived by the next one. A server without the
// archive of the installation writes no documents.
func TestArchiveOfAnotherServer(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		archive := s.archived()
		shop := s.seller(s.by)
		s.caughtUp()
		archive.set(errors.New("unplugged"), nil)
		_, err := shop.append(asIs, asIs)
		if !errors.Is(err, issue.ErrUnknown) {
			t.Fatal(err)
		}
		s.Close()
		ids := s.idsOf("invoice")
		next := *s
		next.Store = storetest.Open(t, s.config)
		shop.s = &next
		_, err = shop.append(asIs)
		if fault.KindOf(err) != fault.Unavailable || !strings.Contains(fmt.Sprint(err), "started without it") {
			t.Errorf("error = %v, want that the archive is missing", err)
		}
		use, err := next.ArchiveUse(s.ctx)
		ok(t, err)
		if use.Location != "memory" {
			t.Errorf("location = %q, want memory", use.Location)
		}
		archive.set(nil, nil)
		ok(t, next.StartArchive(s.ctx, store.Archiving{To: archive, Location: "memory", Wait: true}))
		next.caughtUp()
		for _, id := range ids {
			if archive.document(id) == nil {
				t.Errorf("the archive does not contain invoice %s", id)
			}
		}
		shop.issue(asIs)
	})
}

// A failure at any step of the write order leaves no acknowledged document that
// the archive lacks, and the archive catches up.
func TestArchiveFailsAtEveryStep(t *testing.T) {
	for _, step := range []string{"outbox written", "committed", "archive", "archived", "outbox deleted"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			engines := storetest.Mostly
			if step == "committed" { // with this failure the document exists
				engines = storetest.Each
			}
			engines(t, func(t *testing.T, c store.Config) {
				var fails, failed atomic.Bool
				c.Point = func(at string) error {
					if at == step && fails.CompareAndSwap(true, false) {
						failed.Store(true)
						return errors.New("failure at " + at)
					}
					return nil
				}
				s := open(t, c)
				archive := s.archived()
				shop := s.seller(s.by)
				s.caughtUp()
				fails.Store(true)
				written, err := shop.append(asIs, asIs)
				eventually(t, "the step fails", failed.Load)
				if err == nil {
					for _, e := range written {
						if archive.document(e.Invoice.ID) == nil {
							t.Errorf("invoice %s is acknowledged and not archived", e.Invoice.ID)
						}
					}
				}
				s.caughtUp()
				ids := s.idsOf("invoice")
				if (step == "outbox written") != (len(ids) == 0) {
					t.Errorf("%d invoices after a failure at %q", len(ids), step)
				}
				for _, id := range ids {
					if archive.document(id) == nil {
						t.Errorf("invoice %s is not archived", id)
					}
				}
				shop.issue(asIs)
			})
		})
	}
}

// One server at a time compacts the archive, each day once. A server that fails
// leaves it to the next one after its lease.
func TestTakeCompaction(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		lease := s.config.Now().Add(time.Hour)
		take := func(day string) string {
			t.Helper()
			after, due, err := s.TakeCompaction(s.ctx, day, lease)
			ok(t, err)
			return fmt.Sprint(due, " ", after)
		}
		same(t, "false ")(take("2026-11-17"), nil) // there is no archive
		ok(t, s.RecordArchive(s.ctx, "somewhere", 1))
		same(t, "true ")(take("2026-11-17"), nil)
		same(t, "false ")(take("2026-11-17"), nil)
		ok(t, s.LeaveCompaction(s.ctx, lease.Add(-time.Second), "2026-11-17")) // of a lease that has ended
		same(t, "false ")(take("2026-11-17"), nil)
		ok(t, s.LeaveCompaction(s.ctx, lease, "2026-11-17"))
		same(t, "false ")(take("2026-11-17"), nil)
		lease = s.config.Now().Add(-time.Second)
		same(t, "true 2026-11-17")(take("2026-11-18"), nil)
		same(t, "true 2026-11-17")(take("2026-11-18"), nil) // the lease has ended
		ok(t, s.RecordArchive(s.ctx, "elsewhere", 1))
		same(t, "true ")(take("2026-11-18"), nil)
	})
}
