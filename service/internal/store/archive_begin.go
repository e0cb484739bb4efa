package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Begun is an epoch of an archive that a server has begun.
type Begun struct {
	Epoch int
	Token string
}

// RecordBegin records that this database is about to begin an epoch of an archive.
func (s *Store) RecordBegin(ctx context.Context, epoch int, token string) error {
	err := s.write(ctx, func(t *tx) error {
		const record = `
			INSERT INTO archive_begin (one, epoch, token) VALUES (1, $1, $2)
			ON CONFLICT (one) DO UPDATE SET epoch = excluded.epoch, token = excluded.token`
		return t.Exec(record, epoch, token)
	})
	if err != nil {
		return fmt.Errorf("record the next epoch of the archive: %w", err)
	}
	return s.db.Point("epoch recorded")
}

// ArchiveBegin returns the epoch that this database has last tried to begin, and its
// token, which is empty before the first one.
func (s *Store) ArchiveBegin(ctx context.Context) (epoch int, token string, err error) {
	err = s.db.One(ctx, sql.ErrNoRows, `SELECT epoch, token FROM archive_begin WHERE one = 1`, nil, &epoch, &token)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return epoch, token, err
}
