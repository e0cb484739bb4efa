package store

import (
	"context"
	"time"

	"khatm/service/internal/database"
)

// Windows counts calls in the database for several processes. It is used on
// PostgreSQL only: on SQLite there is one process, which counts in memory.
type Windows struct{ store *Store }

// Windows returns the counter, or nil on SQLite.
func (s *Store) Windows() *Windows {
	if s.dialect.Embedded {
		return nil
	}
	return &Windows{s}
}

// unsynced is an expression for statements that count calls. With it, the commit of the
// statement does not wait for the disk: a crash of the database server may lose
// the counts of the last second, which only makes a limit more generous.
const unsynced = `set_config('synchronous_commit', 'off', true)`

// Add implements limit.Counter in one statement.
func (w *Windows) Add(ctx context.Context, subject string, start, end time.Time) (int, error) {
	const add = `
		INSERT INTO rate_window (subject, starts, ends, n)
		VALUES ($1, $2, $3, 1)
		ON CONFLICT (subject, starts) DO UPDATE SET n = rate_window.n + 1
		RETURNING n, ` + unsynced
	n, setting := 0, ""
	err := w.store.db.One(ctx, nil, add, []any{subject, millis(start), millis(end)}, &n, &setting)
	return n, err
}

// Sub implements limit.Counter.
func (w *Windows) Sub(ctx context.Context, subject string, start time.Time) error {
	const sub = `UPDATE rate_window SET n = n - 1 WHERE subject = $1 AND starts = $2 AND n > 0 RETURNING ` + unsynced
	_, err := w.store.db.ExecContext(ctx, sub, subject, millis(start))
	return database.Outage(err)
}

// Sweep deletes windows that ended before now.
func (w *Windows) Sweep(ctx context.Context, now time.Time) error {
	_, err := w.store.db.ExecContext(ctx, `DELETE FROM rate_window WHERE ends < $1`, millis(now))
	return database.Outage(err)
}
