package store_test

import (
	"testing"

	"khatm/service/internal/store"
)

// The migration that links e-mails to their drafts deletes the contents of
// e-mails about drafts that are no longer shared. It does not change others.
func TestMigrateOldLetters(t *testing.T) {
	t.Parallel()
	atVersion(t, 8, func(t *testing.T, s *fixture) {
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
		from, to, err := store.Migrate(s.ctx, s.config)
		same(t, [2]int64{8, store.SchemaVersion()})([2]int64{from, to}, err)
		const kept = `recipient || ' ' || state || ' ' || attempts || ' ' || next_at || ' ' || problem || ' ' || coalesce(length(sealed), 0)`
		same(t, []string{"0@example.com queued 3 4 why 90", "1@example.com expired 3 4 why 0"})(s.texts(`SELECT `+kept+` FROM letter WHERE draft_id IS NULL ORDER BY id`), nil)
	})
}
