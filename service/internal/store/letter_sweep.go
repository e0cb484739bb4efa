package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/mail"
)

// CountLetters returns the number of e-mails by state: all queued e-mails, and
// others since a time. It uses indexes only: reading all stored e-mails would
// be slow.
func (s *Store) CountLetters(ctx context.Context, since time.Time) (map[mail.State]int, error) {
	counted := map[mail.State]int{}
	const query = `
		SELECT state, count(*) FROM letter WHERE id >= $1 AND state <> 'queued' GROUP BY state
		UNION ALL
		SELECT 'queued', count(*) FROM letter WHERE state = 'queued'`
	_, err := database.All(ctx, s.db, query, []any{firstID(since)}, func(row scanner) (int, error) {
		var state mail.State
		var n int
		err := row.Scan(&state, &n)
		counted[state] = n
		return n, err
	})
	return counted, err
}

// SweepLetters deletes ended e-mails that were created before a time.
func (s *Store) SweepLetters(ctx context.Context, before time.Time) error {
	const chunk = 500
	// Ids are ordered by time, so the oldest are found by the primary key.
	const old = `
		SELECT id
		FROM letter
		WHERE id < $1 AND created_at < $2 AND state <> 'queued'
		ORDER BY id
		LIMIT $3`
	for {
		found, err := database.All(ctx, s.db, old, []any{firstID(before), millis(before), chunk}, scanID)
		if err != nil || len(found) == 0 {
			return err
		}
		err = s.write(ctx, func(t *tx) error {
			for _, id := range found {
				if err := t.Exec(`DELETE FROM letter WHERE id = $1 AND state <> 'queued'`, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// firstID returns the lowest id that can be created at a time.
func firstID(at time.Time) uuid.UUID {
	var id uuid.UUID
	for i, ms := 5, uint64(max(0, at.UnixMilli())); i >= 0; i, ms = i-1, ms>>8 {
		id[i] = byte(ms)
	}
	return id
}
