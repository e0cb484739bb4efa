package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
)

// unchecked runs a statement without the foreign keys to invoices.
func (s *fixture) unchecked(statement string, args ...any) {
	s.t.Helper()
	if s.config.URL != "" { // only a superuser can disable them
		for _, drop := range s.texts(`SELECT 'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || conname FROM pg_constraint WHERE contype = 'f' AND confrelid = 'invoice'::regclass`) {
			s.execute(drop)
		}
		s.execute(statement, args...)
		return
	}
	conn, err := s.raw.Conn(s.ctx)
	ok(s.t, err)
	defer func() { _ = conn.Close() }()
	_, err = conn.ExecContext(s.ctx, `PRAGMA foreign_keys = 0`)
	ok(s.t, err)
	_, err = conn.ExecContext(s.ctx, statement, args...)
	ok(s.t, err)
	_, err = conn.ExecContext(s.ctx, `PRAGMA foreign_keys = 1`)
	ok(s.t, err)
}

// flippedID returns an id with one bit flipped.
func flippedID(id uuid.UUID) string {
	id[2] ^= 4
	return id.String()
}

// states returns the states of submissions by the ids of their invoices.
func (s *fixture) states() map[string]string {
	s.t.Helper()
	states := map[string]string{}
	for _, text := range s.texts(`SELECT CAST(invoice_id AS TEXT) || state || ' ' || stopped || ' ' || coalesce(CAST(doubt_at AS TEXT), 'never') FROM submission`) {
		states[text[:36]] = text[36:]
	}
	return states
}

// A document whose invoice row is not found is held, and the others are sent.
func TestClaimWithLostInvoice(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		mine, theirs := s.seller(s.by), s.seller(s.other)
		whole, lost, other := mine.queued(false, time.Second), mine.queued(false, 0), theirs.queued(false, 0)
		s.unprotected()
		s.unchecked(`UPDATE invoice SET id = $2 WHERE id = $1`, lost.ID.String(), flippedID(lost.ID))
		got := map[uuid.UUID]bool{}
		for _, j := range s.claim(s.claiming(ledger.ByClearance, 9)) {
			got[j.Invoice] = true
		}
		same(t, map[uuid.UUID]bool{whole.ID: true, other.ID: true})(got, nil)
		same(t, "held damaged never")(s.states()[lost.ID.String()], nil)
		same(t, 0)(len(s.claim(s.claiming(ledger.ByClearance, 9))), nil)
		ok(t, s.KeepDamage(s.ctx))
		list, all, err := s.Damages(s.ctx, 9)
		if err != nil || all != 1 || list[0].Invoice != lost.ID {
			t.Errorf("damaged documents = %v, %v, want only the lost one", list, err)
		}
	})
}

// A document that was being sent when its invoice row was lost is held and in
// doubt, and the others lapse.
func TestLapseWithLostInvoice(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		mine, theirs := s.seller(s.by), s.seller(s.other)
		whole, lost, other := mine.queued(false, time.Second), mine.queued(false, 0), theirs.queued(false, 0)
		c := s.claiming(ledger.ByClearance, 9)
		same(t, 3)(len(s.claim(c)), nil)
		s.unprotected()
		s.unchecked(`UPDATE invoice SET id = $2 WHERE id = $1`, lost.ID.String(), flippedID(lost.ID))
		same(t, 3)(s.Lapse(s.ctx, c.LeaseUntil, c.LeaseUntil.Add(time.Hour), 9, func(int) time.Duration { return 0 }))
		at := s.texts(`SELECT CAST(claimed_at AS TEXT) FROM attempt`)[0]
		want := map[string]string{whole.ID.String(): "waiting  " + at, other.ID.String(): "waiting  " + at, lost.ID.String(): "held damaged " + at}
		same(t, want)(s.states(), nil)
		same(t, 3)(s.count(`SELECT count(*) FROM attempt WHERE lapsed_at IS NOT NULL`), nil)
		same(t, 2)(s.Promote(s.ctx, s.config.Now(), s.config.Now().Add(time.Hour), 9))
	})
}

// Documents in doubt are stopped although one invoice row is not found.
func TestStopInDoubtWithLostInvoice(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		whole, lost := seller.queued(false, time.Second), seller.queued(false, 0)
		now := s.config.Now()
		for _, j := range s.claim(s.claiming(ledger.ByClearance, 9)) {
			s.takes(t, resultOfJob(j, ledger.Unknown, now))
		}
		s.unprotected()
		s.unchecked(`UPDATE invoice SET id = $2 WHERE id = $1`, lost.ID.String(), flippedID(lost.ID))
		same(t, []submit.Stopped{{Tenant: s.by.Tenant, Invoice: whole.ID}})(s.StopInDoubt(s.ctx, now, 9))
		same(t, 1)(s.count(`SELECT count(*) FROM submission WHERE state = 'held' AND stopped = 'damaged'`), nil)
	})
}

// Other copy requests are claimed and lapse although one invoice row is not
// found.
func TestCopiesWithLostInvoice(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), s.config.Now()
		whole, lost, later := seller.unstamped(), seller.unstamped(), seller.unstamped()
		s.unprotected()
		s.unchecked(`UPDATE invoice SET id = $2 WHERE id = $1`, lost.ID.String(), flippedID(lost.ID))
		same(t, []uuid.UUID{whole.ID, later.ID})(idsOfJobs(s.claimCopies(now, 9)), nil)
		same(t, 0)(len(s.claimCopies(now.Add(59*time.Minute), 9)), nil)
		s.unchecked(`UPDATE invoice SET id = $2 WHERE id = $1`, later.ID.String(), flippedID(later.ID))
		same(t, 2)(s.LapseCopies(s.ctx, now.Add(time.Hour), now.Add(2*time.Hour), 9, func(int) time.Duration { return 0 }))
		same(t, 3)(s.count(`SELECT count(*) FROM copy_request WHERE state = 'waiting'`), nil)
	})
}

// A document is held even if its status is damaged.
func TestDocumentWithADamagedStatusIsHeld(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i := s.seller(s.by).queued(false, 0)
		s.unchecked(`UPDATE invoice SET status = 'CLEARED' WHERE id = $1`, i.ID.String())
		same(t, 0)(len(s.claim(s.claiming(ledger.ByClearance, 9))), nil)
		same(t, "held damaged never")(s.states()[i.ID.String()], nil)
		same(t, []string{"CLEARED"})(s.texts(`SELECT status FROM invoice`), nil)
	})
}

// A document that was held as damaged is sent when it is intact again, unless
// it may have been sent too long ago.
func TestRestoredDocumentsAreSent(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), s.config.Now()
		whole, still, doubted := seller.queued(false, 0), seller.queued(false, 0), seller.queued(false, 0)
		s.unprotected()
		s.execute(`UPDATE document SET qr = qr || 'A'`)
		same(t, 0)(len(s.claim(s.claiming(ledger.ByClearance, 9))), nil)
		same(t, 0)(s.ReleaseWhole(s.ctx))
		s.execute(`UPDATE document SET qr = substr(qr, 1, length(qr) - 1) WHERE invoice_id <> $1`, still.ID.String())
		s.execute(`UPDATE submission SET doubt_at = $2 WHERE invoice_id = $1`, doubted.ID.String(), now.Add(-submit.DoubtTime).UnixMilli())
		same(t, 2)(s.ReleaseWhole(s.ctx))
		s.execute(`UPDATE device SET parked = 0, parked_why = '', probe_at = NULL, probes = 0`)
		_, err := s.FreeHeld(s.ctx, 9)
		ok(t, err)
		same(t, []uuid.UUID{whole.ID})(idsOfJobs(s.claim(s.claiming(ledger.ByClearance, 9))), nil)
		same(t, []submit.Stopped{{Tenant: s.by.Tenant, Invoice: doubted.ID}})(s.StopInDoubt(s.ctx, now.Add(-submit.DoubtTime), 9))
		same(t, "held damaged never")(s.states()[still.ID.String()], nil)
	})
}

// bytesFlipped opens a copy of a closed SQLite database with changed bytes in
// the given pages.
func (s *fixture) bytesFlipped(t *testing.T, pages []int, change func(page []byte) bool) *fixture {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(s.config.Dir, "khatm.db"))
	ok(t, err)
	changed := false
	for _, n := range pages {
		changed = change(file[(n-1)*4096:n*4096]) || changed
	}
	if !changed {
		t.Fatal("no page was changed")
	}
	c := s.config
	c.Dir = t.TempDir()
	ok(t, os.WriteFile(filepath.Join(c.Dir, "khatm.db"), file, 0o600))
	opened, err := store.Command(s.ctx, c)
	ok(t, err)
	t.Cleanup(opened.Close)
	return &fixture{Store: opened, t: t, ctx: s.ctx, config: c, by: s.by, other: s.other, raw: rawDatabase(t, c)}
}

// A submission that is not found by its id is not sent, because the result
// could not be recorded. The others are sent.
func TestClaimWithDamagedIndex(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	seller := s.seller(s.by)
	lost, whole := seller.queued(false, 0), seller.queued(false, time.Second)
	s.execute(`PRAGMA wal_checkpoint(TRUNCATE)`)
	pages := s.pagesOf(t, "sqlite_autoindex_submission_1")
	s.Close()
	flipped := s.bytesFlipped(t, pages, func(page []byte) bool {
		at := bytes.Index(page, []byte(lost.ID.String()))
		if at >= 0 {
			page[at+35] ^= 1
		}
		return at >= 0
	})
	same(t, []uuid.UUID{whole.ID})(idsOfJobs(flipped.claim(flipped.claiming(ledger.ByClearance, 9))), nil)
	same(t, 0)(len(flipped.claim(flipped.claiming(ledger.ByClearance, 9))), nil)
	next := flipped.seller(flipped.by).queued(false, 0)
	same(t, []uuid.UUID{next.ID})(idsOfJobs(flipped.claim(flipped.claiming(ledger.ByClearance, 9))), nil)
}

// Invoices on an unreadable page are held, and all others lapse and are sent.
func TestLapseWithUnreadablePage(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	seller := s.seller(s.by)
	for n := range 30 {
		seller.queued(false, time.Duration(n)*time.Second)
	}
	c := s.claiming(ledger.ByClearance, 99)
	same(t, 30)(len(s.claim(c)), nil)
	flipped := s.withUnreadablePage(t)
	same(t, 30)(flipped.Lapse(s.ctx, c.LeaseUntil, c.LeaseUntil.Add(time.Hour), 99, func(int) time.Duration { return 0 }))
	held := flipped.count(`SELECT count(*) FROM submission WHERE state = 'held' AND stopped = 'damaged' AND doubt_at IS NOT NULL`)
	if held < 1 || held > 20 {
		t.Errorf("%d documents are held, want 1 to 20", held)
	}
	same(t, 30-held)(flipped.Promote(s.ctx, s.config.Now(), s.config.Now().Add(time.Hour), 99))
	same(t, 30-held)(len(flipped.claim(flipped.claiming(ledger.ByClearance, 99))), nil)
}
