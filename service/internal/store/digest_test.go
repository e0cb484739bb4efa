package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// flips returns how many bytes are flipped: few, or 1,000 with KHATM_TORTURE=1.
func flips(few int) int { return testtool.Count(few, 1000) }

// everything returns the results of all reads of an invoice as text. A read
// that is refused because of damage is "damaged".
func (s *fixture) everything(t testing.TB, id uuid.UUID) map[string]string {
	t.Helper()
	of := s.by.Tenant
	got := map[string]string{}
	see := func(what string, value any, err error) {
		var damage *ledger.Damage
		switch {
		case errors.As(err, &damage) && fault.KindOf(err) == fault.Unavailable:
			got[what] = "damaged"
		case err != nil:
			got[what] = "error: " + err.Error()
			if fault.KindOf(err) == fault.Unavailable {
				got[what] = "unavailable"
			}
		default:
			got[what] = fmt.Sprintf("%+v", value)
		}
	}
	i, err := s.Invoice(s.ctx, of, id)
	// These fields change during the life of an invoice and have no digest.
	i.Payment, i.Held = "", false
	if !i.Status.Final() {
		i.SubmittedAt = nil
	}
	see("invoice", text(i), err)
	xml, err := s.SignedXML(s.ctx, of, id)
	see("signed", string(xml), err)
	xml, err = s.ArchivedXML(s.ctx, of, id)
	see("archived", string(xml), err)
	if i.Status.Final() {
		v, err := s.Verdict(s.ctx, of, id)
		see("verdict", text(v), err)
	}
	earlier, err := s.Earlier(s.ctx, of, []uuid.UUID{id})
	if earlier[id].Damage != nil {
		err = earlier[id].Damage.Fault()
	}
	see("earlier", text(earlier[id]), err)
	return got
}

// text returns a value as JSON, which shows the targets of pointers.
func text(value any) string {
	out, err := json.Marshal(value)
	return fmt.Sprint(string(out), err)
}

// issueAllStates issues invoices in every state and returns their ids.
func issueAllStates(t testing.TB, s *fixture, rounds int) (ids []uuid.UUID) {
	t.Helper()
	seller := s.seller(s.by)
	for range rounds {
		for _, status := range []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NoResponse} {
			ids = append(ids, seller.answered(status).ID)
		}
		ids = append(ids, seller.issue(func(e *issue.Entry) { e.XML = []byte(strings.Repeat("<Invoice>"+e.Invoice.Number, 700)) }).ID)
	}
	return ids
}

// A flipped byte anywhere in the pages of invoices, documents, verdicts and
// submissions, or of their indexes, never leads to a wrong read or a wrong
// document being sent: each read returns the original data or an error. Lists
// still work, and all intact documents are sent.
func TestFlippedBytesInTheFileAreNotRead(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	s := open(t, c)
	ids := issueAllStates(t, s, 2)
	theirs := s.seller(s.other)
	for n := range 4 {
		ids = append(ids, s.seller(s.by).queued(n%2 == 0, 0).ID)
		theirs.queued(n%2 == 0, 0)
	}
	want := map[uuid.UUID]map[string]string{}
	for _, id := range ids {
		want[id] = s.everything(t, id)
	}
	s.execute(`PRAGMA wal_checkpoint(TRUNCATE)`)
	names := s.texts(`SELECT name FROM sqlite_master WHERE tbl_name IN ('invoice', 'document', 'verdict', 'submission') AND type IN ('table', 'index')`)
	s.Close()
	whole, err := os.ReadFile(filepath.Join(c.Dir, "khatm.db"))
	ok(t, err)
	random := rand.New(rand.NewPCG(16, 6))
	total := map[string]int{}
	for range flips(8) {
		name := names[random.IntN(len(names))]
		if random.IntN(3) > 0 { // most data is in the pages of the tables
			name = []string{"invoice", "document", "verdict", "submission"}[random.IntN(4)]
		}
		pages := s.pagesOf(t, name)
		at := (pages[random.IntN(len(pages))]-1)*4096 + random.IntN(4096)
		flipped := append([]byte(nil), whole...)
		flipped[at] ^= 1 << random.IntN(8)
		f := flippedFile{t: t, ids: ids, want: want, what: fmt.Sprintf("byte %d of %s", at, name), queue: strings.Contains(name, "submission"), total: total}
		f.look(s, c, flipped)
	}
	t.Logf("scenario | a flipped bit in the pages of the SQLite file | %d flips | 16 | 0 read or sent as something else; %v", flips(8), total)
	if total["reads refused"] == 0 {
		t.Error("no read was refused, want some")
	}
}

// flippedFile is a database with one flipped bit.
type flippedFile struct {
	t     *testing.T
	ids   []uuid.UUID
	want  map[uuid.UUID]map[string]string
	what  string
	queue bool // the bit is in the submissions
	total map[string]int
}

// look reads and sends everything in a copy of the database.
func (f *flippedFile) look(s *fixture, c store.Config, file []byte) {
	f.t.Helper()
	c.Dir = f.t.TempDir()
	ok(f.t, os.WriteFile(filepath.Join(c.Dir, "khatm.db"), file, 0o600))
	opened, err := store.Command(s.ctx, c)
	if err != nil {
		f.total["databases not opened"]++
		return
	}
	defer opened.Close()
	copied := &fixture{Store: opened, t: f.t, ctx: s.ctx, config: c, by: s.by}
	refused := f.total["reads refused"]
	for _, id := range f.ids {
		for part, got := range copied.everything(f.t, id) {
			switch got {
			case f.want[id][part]:
			case "damaged", "unavailable":
				f.total["reads refused"]++
			default:
				f.t.Errorf("%s: the %s of invoice %s was read with other contents (-want +got):\n%s", f.what, part, id, cmp.Diff(f.want[id][part], got))
			}
		}
	}
	if f.total["reads refused"] == refused {
		f.total["flips without a refused read"]++
	}
	f.lists(copied)
	f.sends(copied)
}

// lists checks that a list and a filtered list work.
func (f *flippedFile) lists(copied *fixture) {
	f.t.Helper()
	for _, filter := range []ledger.Filter{{}, {From: "2000-01-01", Statuses: []ledger.Status{ledger.Cleared, ledger.Unanswered}}} {
		list, err := copied.Invoices(copied.ctx, copied.by.Tenant, filter, org.Page{Size: 100, Number: 1})
		if err != nil {
			f.t.Errorf("%s: list: %v, want no error", f.what, err)
			continue
		}
		if filter.IsZero() {
			f.total["rows missing in lists"] += len(f.ids) - len(list.Rows)
		}
		for _, i := range list.Rows {
			i.Payment, i.Held = "", false
			if !i.Status.Final() {
				i.SubmittedAt = nil
			}
			if got := text(i); i.Damage == nil && got != f.want[i.ID]["invoice"] {
				f.t.Errorf("%s: the list shows invoice %s with other contents, want the original", f.what, i.ID)
			}
		}
	}
}

// sends checks that each document is sent as it was signed, and that Claim,
// Lapse and Promote fail only if a submission is damaged.
func (f *flippedFile) sends(copied *fixture) {
	f.t.Helper()
	failed := func(what string, err error) {
		switch {
		case err == nil:
		case f.queue:
			f.total[what+" failed with a damaged submission"]++
		default:
			f.t.Errorf("%s: %s: %v, want no error", f.what, what, err)
		}
	}
	sent := 0
	for range 2 { // documents that were set aside are not claimed again
		for _, route := range ledger.Routes() {
			claimed, err := copied.Claim(copied.ctx, copied.claiming(route, 9))
			failed("claim", err)
			for _, j := range claimed.Jobs {
				sent++
				if want, mine := f.want[j.Invoice]; mine && string(j.Document.XML) != want["signed"] {
					f.t.Errorf("%s: invoice %s was sent with other contents, want the original", f.what, j.Invoice)
				}
			}
		}
	}
	if !f.queue {
		f.total["documents not sent"] += 8 - sent
	}
	later := copied.config.Now().Add(time.Hour)
	_, err := copied.Lapse(copied.ctx, later, later.Add(time.Hour), 99, func(int) time.Duration { return 0 })
	failed("lapse", err)
	_, err = copied.Promote(copied.ctx, later, later.Add(time.Hour), 99)
	failed("promote", err)
}

// pagesOf returns the page numbers of tables, including overflow pages.
func (s *fixture) pagesOf(t testing.TB, tables ...string) (pages []int) {
	t.Helper()
	for _, table := range tables {
		rows, err := s.raw.Query(`SELECT pageno FROM dbstat WHERE name = $1`, table)
		ok(t, err)
		for rows.Next() {
			var page int
			ok(t, rows.Scan(&page))
			pages = append(pages, page)
		}
		ok(t, errors.Join(rows.Err(), rows.Close()))
	}
	if len(pages) == 0 {
		t.Fatalf("tables %v have no pages", tables)
	}
	return pages
}
