package store_test

import (
	"testing"

	"khatm/service/internal/store"
)

// The migration that lets several invoices deduct one advance keeps earlier
// deductions, which have no amounts.
func TestMigrateOldDeductions(t *testing.T) {
	t.Parallel()
	atVersion(t, 15, func(t *testing.T, s *fixture) {
		if s.config.URL != "" { // the invoices that it refers to do not matter here
			s.execute(`ALTER TABLE deduction DROP CONSTRAINT deduction_org_id_advance_id_fkey, DROP CONSTRAINT deduction_org_id_invoice_id_fkey`)
		} else {
			s.execute(`PRAGMA foreign_keys = OFF`)
		}
		const ids = `'01000000-0000-7000-8000-000000000001', '01000000-0000-7000-8000-000000000002', '01000000-0000-7000-8000-000000000003'`
		s.execute(`INSERT INTO deduction (org_id, advance_id, invoice_id, released) VALUES (` + ids + `, 0)`)
		from, to, err := store.Migrate(s.ctx, s.config)
		same(t, [2]int64{15, store.SchemaVersion()})([2]int64{from, to}, err)
		same(t, []string{"0 none"})(s.texts(`SELECT released || ' ' || coalesce(vat_rows, 'none') FROM deduction`), nil)
		s.execute(`UPDATE deduction SET released = 1`)
	})
}
