package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
)

// unawaitedQuiet is how long no server that does not wait for the archive must have been
// active before documents count as awaited. It keeps servers with and without waiting
// from taking turns.
const unawaitedQuiet = time.Minute

// mostAhead is how far the clock of another server may be ahead. A later time was written
// with a wrong clock, and does not count.
const mostAhead = 10 * time.Minute

// ArchiveNote returns the number of the last note in the archive about its completeness,
// and since when every document has waited for the archive, which is zero if this is not
// known.
func (s *Store) ArchiveNote(ctx context.Context) (number int64, since time.Time, err error) {
	var at sql.NullInt64
	err = s.db.One(ctx, nil, `SELECT note, complete_since FROM archive WHERE one = 1`, nil, &number, &at)
	if err != nil {
		return 0, since, fmt.Errorf("read since when documents wait for the archive: %w", err)
	}
	if at.Valid {
		since = timeOf(at.Int64)
	}
	return number, since, nil
}

// AwaitDocuments records that every document waits for the archive from now on. It
// returns the number of the next note, which follows last, and the last entry of the
// outbox that was written before: once it is archived, the archive is complete. It
// returns 0 if a server is active that does not wait.
func (s *Store) AwaitDocuments(ctx context.Context, last int64) (note, through int64, err error) {
	err = s.write(ctx, func(t *tx) error {
		if err := s.checkArchive(t.Context(), t); err != nil {
			return err
		}
		// PostgreSQL waits here until the documents that did not wait are committed.
		const await = `
			UPDATE archive
			SET complete_since = coalesce(complete_since, $1), note = CASE WHEN note > $2 THEN note ELSE $2 END + 1
			WHERE one = 1 AND (unawaited_at <= $3 OR unawaited_at > $4)
			RETURNING note`
		now := s.now()
		err := t.QueryRow(await, millis(now), last, millis(now.Add(-unawaitedQuiet)), millis(now.Add(mostAhead))).Scan(&note)
		if errors.Is(err, sql.ErrNoRows) {
			note, err = 0, nil
		}
		return err
	})
	if err != nil || note == 0 {
		return 0, 0, err
	}
	use, err := s.ArchiveUse(ctx)
	return note, use.Seq, err
}

// ArchivedThrough reports whether all entries of the outbox up to one are archived.
func (s *Store) ArchivedThrough(ctx context.Context, seq int64) (bool, error) {
	left := 0
	err := s.db.One(ctx, nil, `SELECT count(*) FROM unarchived WHERE seq <= $1`, []any{seq}, &left)
	return left == 0 && err == nil, err
}

// AnnounceUnawaited returns the number of the next note, which follows last: that
// documents do not wait. Call EndAwaiting once the archive has the note.
func (s *Store) AnnounceUnawaited(ctx context.Context, last int64) (note int64, err error) {
	err = s.write(ctx, func(t *tx) error {
		const next = `UPDATE archive SET unawaited_at = $1, note = CASE WHEN note > $2 THEN note ELSE $2 END + 1 WHERE one = 1 RETURNING note`
		return t.QueryRow(next, millis(s.now()), last).Scan(&note)
	})
	return note, err
}

// EndAwaiting records that a server is active whose documents do not wait for the
// archive. It reports false if another note was announced in the meantime.
func (s *Store) EndAwaiting(ctx context.Context, note int64) (ended bool, err error) {
	err = s.write(ctx, func(t *tx) error {
		n, err := t.moved(`UPDATE archive SET complete_since = NULL, unawaited_at = $1 WHERE one = 1 AND note = $2`, millis(s.now()), note)
		ended = n > 0
		return err
	})
	return ended, err
}

// KeepUnawaited records that a server is active whose documents do not wait.
func (s *Store) KeepUnawaited(ctx context.Context) error {
	return s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE archive SET unawaited_at = $1 WHERE one = 1`, millis(s.now()))
	})
}

// errAwaited means that the archive says that every document waits for it.
var errAwaited = errors.New("another server has recorded that every document waits for the archive")

// awaited returns the refusal of documents that would not wait.
func awaited() error {
	e := fault.New(fault.IssuingStopped, "Invoices cannot be issued at the moment because the servers of this installation have different settings for the archive. Nothing was written. Try again shortly.")
	e.Cause = errors.Join(issue.ErrUnwritten, errAwaited)
	return e
}
