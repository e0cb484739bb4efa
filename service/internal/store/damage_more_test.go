package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
)

// scrub checks all documents.
func (s *fixture) scrub(t testing.TB) store.Scrubbed {
	t.Helper()
	found, err := s.Scrub(s.ctx, store.Position{}, store.Scrubbing{Rate: 1_000_000})
	ok(t, err)
	return found
}

// A database with a damaged document id can be upgraded and opened. The
// document stays known as damaged after later scrubs.
func TestUpgradeWithADamagedID(t *testing.T) {
	damages := map[string]string{
		"invalid id":   `UPDATE document SET invoice_id = '!' || substr(invoice_id, 2) WHERE invoice_id = $1`,
		"other case":   `UPDATE document SET invoice_id = upper(invoice_id) WHERE invoice_id = $1`,
		"another id":   `UPDATE document SET invoice_id = '7' || substr(invoice_id, 2) WHERE invoice_id = $1`,
		"organisation": `UPDATE document SET org_id = '!' || substr(org_id, 2) WHERE invoice_id = $1`,
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *fixture) {
				if s.config.URL != "" {
					if name != "another id" {
						t.Skip("PostgreSQL stores ids in binary")
					}
					damage = `UPDATE document SET invoice_id = CAST('7' || substr(CAST(invoice_id AS TEXT), 2) AS UUID) WHERE invoice_id = $1`
				}
				_, err := s.seller(s.by).append(asIs, asIs, asIs)
				ok(t, err)
				id := s.texts(`SELECT CAST(id AS TEXT) FROM invoice ORDER BY id LIMIT 1 OFFSET 1`)[0]
				s.unprotected()
				s.undigest()
				if name == "other case" {
					s.unchecked(`UPDATE invoice SET id = 'abcdefab' || substr(id, 9) WHERE id = $1`, id)
					s.unchecked(`UPDATE document SET invoice_id = 'abcdefab' || substr(invoice_id, 9) WHERE invoice_id = $1`, id)
					id = "abcdefab" + id[8:]
				}
				s.unchecked(damage, id)
				s.Close()
				found, err := store.DigestDocuments(s.ctx, s.config, store.Digesting{Verify: func(store.Undigested) error { return nil }})
				ok(t, err)
				if found.Documents != 3 || len(found.Damaged) != 1 {
					t.Errorf("digested = %+v, want 3 documents with 1 damaged", found)
				}
				for range 2 {
					again, err := store.Serve(s.ctx, s.config)
					ok(t, err)
					after := &fixture{Store: again, t: t, ctx: s.ctx, config: s.config, by: s.by}
					if found := after.scrub(t); len(found.Damaged) == 0 {
						t.Error("the scrub found no damage, want some")
					}
					again.Close()
				}
			})
		})
	}
}

// Only an upgrade that verified all documents counts as a complete check.
func TestPartialUpgradeIsNoCompleteCheck(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		_, err := s.seller(s.by).append(asIs, asIs, asIs)
		ok(t, err)
		s.unprotected()
		how := store.Digesting{Verify: func(store.Undigested) error { return nil }}
		s.execute(`UPDATE document SET digest = NULL, xml_digest = NULL WHERE invoice_id = (SELECT id FROM invoice LIMIT 1)`)
		s.Close()
		found, err := store.DigestDocuments(s.ctx, s.config, how)
		same(t, store.Digested{Documents: 1})(found, err)
		same(t, 0)(s.count(`SELECT count(*) FROM scrub WHERE completed_at IS NOT NULL`), nil)
		s.undigest()
		found, err = store.DigestDocuments(s.ctx, s.config, how)
		same(t, store.Digested{Documents: 3})(found, err)
		same(t, 1)(s.count(`SELECT count(*) FROM scrub WHERE completed_at IS NOT NULL`), nil)
	})
}

// An upgrade keeps only a few large documents in memory at a time.
func TestUpgradeOfLargeDocuments(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		large := func(e *issue.Entry) { e.XML = []byte(strings.Repeat("x", 9<<20)) }
		for range 3 {
			s.seller(s.by).issue(large)
		}
		s.unprotected()
		s.undigest()
		s.Close()
		var done []int
		found, err := store.DigestDocuments(s.ctx, s.config, store.Digesting{
			Verify: func(store.Undigested) error { return nil }, Progress: func(n, _ int) { done = append(done, n) },
		})
		same(t, store.Digested{Documents: 3})(found, err)
		same(t, []int{2, 3})(done, nil)
	})
}

// Damage without an id is removed when a scrub does not find it any more.
func TestDamageWithoutAnIDIsRemoved(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).issue(asIs)
		s.execute(`INSERT INTO damage (org_id, invoice_id, ref_num, what, found_at) VALUES ($1, $1, '', 'the id of an invoice', 0)`, uuid.Nil.String())
		same(t, 0)(len(s.scrub(t).Damaged), nil)
		same(t, 0)(s.count(`SELECT count(*) FROM damage`), nil)
	})
}

// Damage that was repaired and occurs again is recorded again.
func TestRepeatedDamageIsRecorded(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i := s.seller(s.by).issue(asIs)
		s.unprotected()
		for range 2 {
			s.execute(`UPDATE document SET qr = qr || 'A'`)
			_, err := s.Invoice(s.ctx, s.by.Tenant, i.ID)
			refused(t, err, fault.Unavailable, damaged)
			ok(t, s.KeepDamage(s.ctx))
			same(t, 1)(s.count(`SELECT count(*) FROM damage`), nil)
			s.execute(`UPDATE document SET qr = substr(qr, 1, length(qr) - 1)`)
			same(t, 0)(len(s.scrub(t).Damaged), nil)
			same(t, 0)(s.count(`SELECT count(*) FROM damage`), nil)
		}
	})
}

// A server whose lease has ended does not change the state of the regular
// check.
func TestLeaveScrubAfterLeaseEnded(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := s.config.Now()
		over, until := now.Add(-time.Second), now.Add(time.Minute)
		_, due, err := s.TakeScrub(s.ctx, now, over)
		same(t, true)(due, err)
		_, due, err = s.TakeScrub(s.ctx, now, until)
		same(t, true)(due, err)
		ok(t, s.LeaveScrub(s.ctx, over, store.Scrubbed{Done: true}))
		_, due, err = s.TakeScrub(s.ctx, now, until)
		same(t, false)(due, err)
		last, err := s.LastScrub(s.ctx)
		if last != nil || err != nil {
			t.Errorf("last scrub = %v, %v, want none", last, err)
		}
	})
}

// Every read of an invoice whose row is not found by its id returns damage.
func TestLostInvoiceIsDamaged(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		i := s.seller(s.by).answered(ledger.Cleared)
		s.unprotected()
		s.unchecked(`UPDATE invoice SET id = $2 WHERE id = $1`, i.ID.String(), flippedID(i.ID))
		_, err := s.Invoice(s.ctx, s.by.Tenant, i.ID)
		refused(t, err, fault.Unavailable, damaged)
		refused(t, s.Ask(s.ctx, s.by, i.ID), fault.Unavailable, damaged)
		earlier, err := s.Earlier(s.ctx, s.by.Tenant, []uuid.UUID{i.ID})
		if err != nil || earlier[i.ID].Damage == nil {
			t.Errorf("Earlier = %+v, %v, want damage", earlier, err)
		}
		refused(t, s.Ask(s.ctx, s.by, uuid.New()), fault.NotFound, "Invoice not found")
	})
}
