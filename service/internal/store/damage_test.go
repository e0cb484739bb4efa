package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/submit"
)

// unprotected drops the triggers that protect documents from changes.
func (s *fixture) unprotected() {
	s.t.Helper()
	for trigger, table := range map[string]string{
		"invoice_is_final": "invoice", "invoice_answer_digest_is_final": "invoice", "document_is_final": "document", "verdict_is_final": "verdict",
	} {
		if s.config.URL != "" {
			trigger += " ON " + table
		}
		s.execute(`DROP TRIGGER ` + trigger)
	}
}

// damaged is the message for a read of a damaged invoice.
const damaged = "The stored copy of this invoice is damaged and is not shown. The operator must restore it from a backup; khatm audit --scrub names the damaged invoices."

// A damaged document is held with a reason, and the others of the batch are
// claimed. It cannot be resent or released while it is damaged.
func TestDamagedDocumentsAreNotClaimed(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		var ids []uuid.UUID
		for n := range 6 {
			ids = append(ids, seller.queued(false, time.Duration(n)*time.Second).ID)
		}
		s.unprotected()
		changes := map[uuid.UUID]string{
			ids[1]: `UPDATE document SET xml = (SELECT xml_digest FROM document WHERE invoice_id = $1) WHERE invoice_id = $1`,
			ids[3]: `UPDATE invoice SET hash = '` + strings.Repeat("x", 44) + `' WHERE id = $1`,
			ids[4]: `UPDATE document SET record = '{}' WHERE invoice_id = $1`,
		}
		for id, change := range changes {
			s.execute(change, id.String())
		}
		now := s.config.Now()
		claimed, err := s.Claim(s.ctx, submit.Claiming{
			Route: ledger.ByClearance, Most: 9, Now: now, LeaseUntil: now.Add(time.Minute), Worker: "test", Doubt: now.Add(-submit.DoubtTime),
		})
		ok(t, err)
		var got []uuid.UUID
		for _, j := range claimed.Jobs {
			got = append(got, j.Invoice)
		}
		same(t, []uuid.UUID{ids[0], ids[2], ids[5]})(got, nil)
		same(t, []string{"damaged", "damaged", "damaged"})(s.texts(`SELECT stopped FROM submission WHERE state = 'held'`), nil)
		same(t, 3)(s.count(`SELECT count(*) FROM attempt WHERE outcome = 'unknown' AND sent = 0 AND cause LIKE '%is damaged%'`), nil)
		for id := range changes {
			refused(t, s.Ask(s.ctx, s.by, id), fault.Unavailable, damaged)
		}
		_, err = s.FreeHeld(s.ctx, 9)
		ok(t, err)
		same(t, 3)(s.count(`SELECT count(*) FROM submission WHERE state = 'held' AND stopped = 'damaged'`), nil)
		s.execute(`UPDATE document SET record = (SELECT record FROM document WHERE invoice_id = $2) WHERE invoice_id = $1`, ids[4].String(), ids[5].String())
		refused(t, s.Ask(s.ctx, s.by, ids[4]), fault.Unavailable, damaged) // the record of another invoice
	})
}

// A scrub finds damage and removes it from the table after it was repaired.
func TestScrubFindsDamage(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		cleared, reported := seller.answered(ledger.Cleared), seller.answered(ledger.Reported)
		_, err := seller.append(slices.Repeat([]func(*issue.Entry){asIs}, 50)...)
		ok(t, err)
		scrub := func() store.Scrubbed {
			found, err := s.Scrub(s.ctx, store.Position{}, store.Scrubbing{Rate: 1_000_000})
			ok(t, err)
			same(t, 52)(found.Documents, nil)
			return found
		}
		same(t, 0)(len(scrub().Damaged), nil)
		s.unprotected()
		s.execute(`UPDATE verdict SET stamped = (SELECT digest FROM document WHERE invoice_id = $1) WHERE invoice_id = $1`, cleared.ID.String())
		s.execute(`UPDATE verdict SET result = 'WARNING' WHERE invoice_id = $1`, reported.ID.String())
		found := map[uuid.UUID]string{}
		for _, d := range scrub().Damaged {
			found[d.Invoice] = d.What
		}
		same(t, map[uuid.UUID]string{cleared.ID: "the document with the authority's stamp", reported.ID: "the authority's answer"})(found, nil)
		_, all, err := s.Damages(s.ctx, 1)
		same(t, 2)(all, err)
		s.execute(`UPDATE verdict SET result = 'PASS' WHERE invoice_id = $1`, reported.ID.String())
		same(t, 1)(len(scrub().Damaged), nil)
		list, all, err := s.Damages(s.ctx, 9)
		ok(t, err)
		if all != 1 || list[0].Invoice != cleared.ID {
			t.Errorf("damaged documents = %v, want only the cleared one", list)
		}
	})
}

// Damage found by reads is recorded once.
func TestDamageFoundByReadsIsRecorded(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		one, other := seller.issue(asIs), seller.issue(asIs)
		s.unprotected()
		s.execute(`UPDATE document SET qr = 'AR==' WHERE invoice_id = $1`, one.ID.String())
		for range 2 {
			_, err := s.Invoice(s.ctx, s.by.Tenant, one.ID)
			refused(t, err, fault.Unavailable, damaged)
		}
		page := org.Page{Size: 9, Number: 1}
		for _, search := range []string{"", "inv2026"} {
			list, err := s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{Search: search}, page)
			ok(t, err)
			if len(list.Rows) != 2 || list.Rows[0].Number != other.Number || list.Rows[1].ID != one.ID || list.Rows[1].Damage == nil || list.Rows[1].Record.Currency != "" {
				t.Errorf("list with search %q = %+v, want both invoices, one damaged", search, list.Rows)
			}
		}
		ok(t, s.KeepDamage(s.ctx))
		ok(t, s.KeepDamage(s.ctx))
		list, all, err := s.Damages(s.ctx, 9)
		ok(t, err)
		if all != 1 || list[0].Invoice != one.ID || list[0].What != "the invoice row, the record or the QR code" {
			t.Errorf("damaged documents = %v, want only the one that was read", list)
		}
		if n := s.RefusedReads(); n != 4 {
			t.Errorf("%d reads were refused, want 4", n)
		}
	})
}

// One server at a time runs the regular check. A paused check continues where
// it stopped, and a completed check is due again later.
func TestTakeScrub(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		clock := s.config.Now()
		since, until := clock.Add(-time.Hour), clock.Add(time.Minute)
		from, due, err := s.TakeScrub(s.ctx, since, until)
		if from != (store.Position{}) || !due || err != nil {
			t.Fatalf("TakeScrub = %v, %t, %v, want the first position", from, due, err)
		}
		_, due, err = s.TakeScrub(s.ctx, since, until)
		same(t, false)(due, err)
		half := store.Position{Organisation: s.by.Tenant.ID(), Invoice: s.config.NewID()}
		ok(t, s.LeaveScrub(s.ctx, until, store.Scrubbed{Next: half, Documents: 7}))
		from, due, err = s.TakeScrub(s.ctx, since, until)
		if from != half || !due || err != nil {
			t.Fatalf("TakeScrub after a pause = %v, %t, %v, want %v", from, due, err, half)
		}
		ok(t, s.LeaveScrub(s.ctx, until, store.Scrubbed{Next: half, Documents: 7, Done: true}))
		_, due, err = s.TakeScrub(s.ctx, since, until)
		same(t, false)(due, err)
		last, err := s.LastScrub(s.ctx)
		ok(t, err)
		same(t, clock)(*last, nil)
		_, due, err = s.TakeScrub(s.ctx, clock, until)
		same(t, true)(due, err)
	})
}

// The stamped copy of a damaged document is not requested until the document is
// intact again.
func TestCopyOfDamagedDocumentIsNotRequested(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i, now := s.seller(s.by).unstamped(), s.config.Now()
		s.unprotected()
		s.execute(`UPDATE document SET qr = qr || 'A' WHERE invoice_id = $1`, i.ID.String())
		same(t, 0)(len(s.claimCopies(now, 9)), nil)
		same(t, 1)(s.count(`SELECT count(*) FROM copy_request WHERE state = 'waiting' AND stopped = ''`), nil)
		same(t, 1)(s.count(`SELECT count(*) FROM attempt WHERE for_copy = 1 AND outcome = 'unknown' AND sent = 0`), nil)
		s.execute(`UPDATE document SET qr = substr(qr, 1, length(qr) - 1) WHERE invoice_id = $1`, i.ID.String())
		same(t, 0)(len(s.claimCopies(now.Add(59*time.Minute), 9)), nil)
		same(t, 1)(len(s.claimCopies(now.Add(time.Hour), 9)), nil)
	})
}

// A stamped copy for an invoice with a damaged answer is stored, but the
// invoice stays damaged.
func TestCopyDoesNotHideDamage(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i, now := s.seller(s.by).unstamped(), s.config.Now()
		job := s.claimCopies(now, 9)[0]
		s.unprotected()
		s.execute(`UPDATE invoice SET code = code + 1 WHERE id = $1`, i.ID.String())
		same(t, submit.Recorded{Taken: true, Stamped: true})(s.recordOne(t, copyResult(job, ledger.Duplicate, now, "<stamped/>")), nil)
		_, err := s.Invoice(s.ctx, s.by.Tenant, i.ID)
		refused(t, err, fault.Unavailable, damaged)
		same(t, []byte("<stamped/>"))(s.ArchivedXML(s.ctx, s.by.Tenant, i.ID))
	})
}

// undigest removes all digests, as in documents from before they were
// introduced.
func (s *fixture) undigest() {
	s.t.Helper()
	s.execute(`UPDATE document SET digest = NULL, xml_digest = NULL`)
	s.execute(`UPDATE invoice SET answer_digest = NULL`)
	s.execute(`UPDATE verdict SET digest = NULL, stamped_digest = NULL`)
}

// digests returns all digests as text.
func (s *fixture) digests() []string {
	s.t.Helper()
	hex := func(column string) string {
		if s.config.URL != "" {
			return "coalesce(encode(" + column + ", 'hex'), '')"
		}
		return "coalesce(lower(hex(" + column + ")), '')"
	}
	return s.texts(`
		SELECT CAST(i.id AS TEXT) || ' ' || ` + hex("d.digest") + ` || ' ' || ` + hex("d.xml_digest") + ` || ' ' || ` + hex("i.answer_digest") + ` || ' ' || ` +
		hex("v.digest") + ` || ' ' || ` + hex("v.stamped_digest") + `
		FROM invoice i
		JOIN document d ON d.invoice_id = i.id
		LEFT JOIN verdict v ON v.invoice_id = i.id
		ORDER BY i.id`)
}

// Documents from before digests were introduced get the same digests as new
// ones. An interrupted upgrade continues. No server starts before the upgrade
// is complete. A document that fails verification gets no digest and is not
// served.
func TestOldDocumentsGetDigests(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		bad := seller.answered(ledger.Cleared)
		for _, status := range []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NoResponse} {
			seller.answered(status)
		}
		_, err := seller.append(slices.Repeat([]func(*issue.Entry){asIs}, 145)...)
		ok(t, err)
		want := s.digests()
		s.unprotected()
		s.undigest()
		s.Close()
		for _, name := range []string{"serve", "command"} {
			says(t, openers()[name](s.ctx, s.config), "150 documents are not verified yet", "run khatm migrate")
		}
		sick := errors.New("the stamp is invalid")
		how := store.Digesting{Verify: func(d store.Undigested) error {
			if d.ID == bad.ID {
				return sick
			}
			return nil
		}}
		killed := s.config
		killed.Point = func(step string) error {
			if step == "digests written" {
				return errors.New("killed")
			}
			return nil
		}
		_, err = store.DigestDocuments(s.ctx, killed, how)
		says(t, err, "killed")
		says(t, openers()["serve"](s.ctx, s.config), "50 documents are not verified yet")
		found, err := store.DigestDocuments(s.ctx, s.config, how)
		ok(t, err)
		same(t, 51)(found.Documents, nil) // the invalid one is tried again
		again := open(t, s.config)
		_, err = again.Invoice(s.ctx, s.by.Tenant, bad.ID)
		refused(t, err, fault.Unavailable, damaged)
		list, all, err := again.Damages(s.ctx, 9)
		ok(t, err)
		if all != 1 || list[0].Invoice != bad.ID || !strings.Contains(list[0].What, sick.Error()) {
			t.Errorf("damaged documents = %v, want only the invalid one", list)
		}
		again.Close()
		sick = nil
		found, err = store.DigestDocuments(s.ctx, s.config, how)
		same(t, store.Digested{Documents: 1})(found, err)
		same(t, want)(s.digests(), nil)
		same(t, 0)(s.count(`SELECT count(*) FROM damage`), nil)
	})
}
