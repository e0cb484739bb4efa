package store_test

import (
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"khatm/service/internal/database"
	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
)

// The migration that lets several invoices deduct one advance keeps earlier
// deductions, which have no amounts.
func TestMigrateOldDeductions(t *testing.T) {
	t.Parallel()
	lite, postgres := storetest.Empty(t), storetest.Empty(t)
	postgres.Dir, postgres.URL = "", pgtest.URL(t)
	for name, c := range map[string]store.Config{"SQLite": lite, "PostgreSQL": postgres} {
		t.Run(name, func(t *testing.T) {
			dialect, folder := goose.DialectSQLite3, "migrations/sqlite"
			if c.URL != "" {
				dialect, folder = goose.DialectPostgres, "migrations/postgres"
			}
			all, err := fs.Sub(database.Migrations(), folder)
			ok(t, err)
			s := &fixture{t: t, ctx: t.Context(), config: c, raw: rawDatabase(t, c)}
			before, err := goose.NewProvider(dialect, s.raw, all, goose.WithDisableGlobalRegistry(true))
			ok(t, err)
			_, err = before.UpTo(s.ctx, 15)
			ok(t, err)
			if c.URL != "" { // the invoices that it refers to do not matter here
				s.execute(`ALTER TABLE deduction DROP CONSTRAINT deduction_org_id_advance_id_fkey, DROP CONSTRAINT deduction_org_id_invoice_id_fkey`)
			} else {
				s.execute(`PRAGMA foreign_keys = OFF`)
			}
			const ids = `'01000000-0000-7000-8000-000000000001', '01000000-0000-7000-8000-000000000002', '01000000-0000-7000-8000-000000000003'`
			s.execute(`INSERT INTO deduction (org_id, advance_id, invoice_id, released) VALUES (` + ids + `, 0)`)
			from, to, err := store.Migrate(s.ctx, c)
			same(t, [2]int64{15, store.SchemaVersion()})([2]int64{from, to}, err)
			same(t, []string{"0 none"})(s.texts(`SELECT released || ' ' || coalesce(vat_rows, 'none') FROM deduction`), nil)
			s.execute(`UPDATE deduction SET released = 1`)
		})
	}
}
