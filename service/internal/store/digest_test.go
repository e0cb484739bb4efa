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

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// flips is how many bytes are flipped: a few, or 1,000 under KHATM_TORTURE=1.
func flips(few int) int {
	if os.Getenv("KHATM_TORTURE") == "1" {
		return 1000
	}
	return few
}

// everything is everything that is read of an invoice, as text. A read that is
// refused because of damage is "damaged".
func (s *shop) everything(t testing.TB, id uuid.UUID) map[string]string {
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
		default:
			got[what] = fmt.Sprintf("%+v", value)
		}
	}
	i, err := s.Invoice(s.ctx, of, id)
	// These change while an invoice lives, and have no digest.
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

// text is a value with what its pointers point to.
func text(value any) string {
	out, err := json.Marshal(value)
	return fmt.Sprint(string(out), err)
}

// answeredShop is a shop with invoices in every state.
func answeredShop(t testing.TB, s *shop, rounds int) (ids []uuid.UUID) {
	t.Helper()
	till := s.till(s.by)
	for range rounds {
		for _, status := range []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NoResponse} {
			ids = append(ids, till.answered(status).ID)
		}
		ids = append(ids, till.issue(func(e *issue.Entry) { e.XML = []byte(strings.Repeat("<Invoice>"+e.Invoice.Number, 700)) }).ID)
	}
	return ids
}

// A byte that is flipped anywhere in the pages of invoices, documents and
// verdicts is never read as if it were right: what is read is what was written,
// or refused.
func TestFlippedBytesInTheFileAreNotRead(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	s := open(t, c)
	ids := answeredShop(t, s, 2)
	want := map[uuid.UUID]map[string]string{}
	for _, id := range ids {
		want[id] = s.everything(t, id)
	}
	s.execute(`PRAGMA wal_checkpoint(TRUNCATE)`)
	pages := s.pagesOf(t, "invoice", "document", "verdict")
	s.Close()
	whole, err := os.ReadFile(filepath.Join(c.Dir, "khatm.db"))
	ok(t, err)
	random := rand.New(rand.NewPCG(16, 6))
	var all outcome
	for range flips(6) {
		at := (pages[random.IntN(len(pages))]-1)*4096 + random.IntN(4096)
		flipped := append([]byte(nil), whole...)
		flipped[at] ^= 1 << random.IntN(8)
		o := s.readFlipped(t, c, flipped, ids, want, fmt.Sprintf("byte %d", at))
		all = outcome{all.refused + o.refused, all.harmless + o.harmless, all.unopened + o.unopened, all.listless + o.listless, all.missing + o.missing}
	}
	t.Logf("scenario | a flipped bit in the pages of the SQLite file | %d flips | 16 | 0 read as something else; %d reads refused, %d flips in bytes that nothing reads, %d databases not opened, %d lists not answered, %d rows missing in lists",
		flips(6), all.refused, all.harmless, all.unopened, all.listless, all.missing)
	if all.refused == 0 {
		t.Error("no read was refused")
	}
}

// outcome counts what came of a flipped byte.
type outcome struct{ refused, harmless, unopened, listless, missing int }

// readFlipped reads everything of a copy of the database.
func (s *shop) readFlipped(t *testing.T, c store.Config, file []byte, ids []uuid.UUID, want map[uuid.UUID]map[string]string, what string) (o outcome) {
	t.Helper()
	c.Dir = t.TempDir()
	ok(t, os.WriteFile(filepath.Join(c.Dir, "khatm.db"), file, 0o600))
	opened, err := store.Command(s.ctx, c)
	if err != nil {
		return outcome{unopened: 1}
	}
	defer opened.Close()
	copied := &shop{Store: opened, t: t, ctx: s.ctx, config: c, by: s.by}
	for _, id := range ids {
		for part, got := range copied.everything(t, id) {
			switch {
			case got == want[id][part]:
			case got == "damaged" || strings.HasPrefix(got, "error"):
				o.refused++
			default:
				t.Errorf("%s: the %s of %s is read as something else (-want +got):\n%s", what, part, id, cmp.Diff(want[id][part], got))
			}
		}
	}
	list, err := copied.Invoices(s.ctx, s.by.Tenant, ledger.Filter{}, org.Page{Size: 100, Number: 1})
	if err != nil {
		o.listless++
	} else {
		o.missing += len(ids) - len(list.Rows)
	}
	for _, i := range list.Rows {
		i.Payment, i.Held = "", false
		if !i.Status.Final() {
			i.SubmittedAt = nil
		}
		if got := text(i); i.Damage == nil && got != want[i.ID]["invoice"] {
			t.Errorf("%s: the list shows something else of %s", what, i.ID)
		}
	}
	if o.refused == 0 {
		o.harmless++
	}
	return o
}

// pagesOf are the pages of tables, with those that a long row goes on in.
func (s *shop) pagesOf(t testing.TB, tables ...string) (pages []int) {
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
		t.Fatal("no pages were found")
	}
	return pages
}
