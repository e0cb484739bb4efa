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

// The migration that links e-mails to their drafts deletes the contents of
// e-mails about drafts that are no longer shared. It does not change others.
func TestMigrateOldLetters(t *testing.T) {
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
			_, err = before.UpTo(s.ctx, 8)
			ok(t, err)
			s.execute(`INSERT INTO plan (slug, name, name_arabic, invoices, writes, api, position) VALUES ('free', 'x', 'x', 0, 0, 0, 1)`)
			s.execute(`INSERT INTO organisation SELECT '01000000-0000-7000-8000-000000000001', 1, 'x', '', '300000000000003', '', '', '', '', '', '', '', '', '', '', 'SA', '', 'active', 'free', 0`)
			const ofOne = `'01000000-0000-7000-8000-000000000001', '01000000-0000-7000-8000-00000000000`
			for n, revoked := range []string{"0", "1"} {
				s.execute(`INSERT INTO draft (org_id, id, version, request, recipient, created_by, created_at, changed_at, removed)
					VALUES (` + ofOne + revoked + `', 1, '{}', '{"email":"` + revoked + `@example.com"}', 'x', 0, 0, 0)`)
				s.execute(`INSERT INTO draft_link (digest, org_id, draft_id, sealed, expires_at, revoked) VALUES ($1, `+ofOne+revoked+`', $2, 9, `+revoked+`)`, digestOf(byte(n)), sealedSample(1))
				s.execute(`INSERT INTO letter (org_id, id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, problem)
					VALUES (`+ofOne+revoked+`', '`+revoked+`@example.com', 'ar', 'x', $1, 1, 2, 'queued', 3, 4, 'why')`, sealedSample(byte(n)))
			}
			from, to, err := store.Migrate(s.ctx, c)
			same(t, [2]int64{8, store.SchemaVersion()})([2]int64{from, to}, err)
			const kept = `recipient || ' ' || state || ' ' || attempts || ' ' || next_at || ' ' || problem || ' ' || coalesce(length(sealed), 0)`
			same(t, []string{"0@example.com queued 3 4 why 90", "1@example.com expired 3 4 why 0"})(s.texts(`SELECT `+kept+` FROM letter WHERE draft_id IS NULL ORDER BY id`), nil)
		})
	}
}
