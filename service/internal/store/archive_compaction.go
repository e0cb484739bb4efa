package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"khatm/service/internal/submit"
)

// TakeCompaction claims the compaction of the archive through a day until
// leaseUntil, and returns the day through which it is compacted already. It is not
// due if that is the same day, or if another server has claimed it.
func (s *Store) TakeCompaction(ctx context.Context, through string, leaseUntil time.Time) (after string, due bool, err error) {
	// A lease that ends later was set with a wrong clock.
	const isDue = ` FROM archive WHERE one = 1 AND compacted < $1 AND (compact_lease <= $2 OR compact_lease > $3)`
	args := []any{through, millis(s.now()), millis(leaseUntil.Add(submit.Skew))}
	var some int // finding out that it is not due needs no transaction
	if err := s.db.One(ctx, nil, `SELECT count(*)`+isDue, args, &some); err != nil || some == 0 {
		return "", false, err
	}
	err = s.write(ctx, func(t *tx) error {
		due = false
		err := t.QueryRow(`SELECT compacted`+isDue+s.dialect.LockRow, args...).Scan(&after)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		due = true
		return t.Exec(`UPDATE archive SET compact_lease = $1 WHERE one = 1`, millis(leaseUntil))
	})
	return after, due, err
}

// LeaveCompaction records that the archive is compacted through a day, and ends the
// lease. It does nothing if another server has claimed the compaction since.
func (s *Store) LeaveCompaction(ctx context.Context, lease time.Time, through string) error {
	return s.write(ctx, func(t *tx) error {
		const end = `UPDATE archive SET compacted = $1, compact_lease = 0 WHERE one = 1 AND compact_lease = $2`
		return t.Exec(end, through, millis(lease))
	})
}
