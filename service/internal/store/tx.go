package store

import (
	"context"
	"errors"

	"khatm/service/internal/database"
	"khatm/service/internal/issue"
)

// tx is an open transaction.
type tx struct {
	*database.Tx
	store *Store
}

// write runs do in a transaction. If do returns an error, the transaction is
// rolled back.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	err := s.db.Write(ctx, func(t *database.Tx) error { return do(&tx{t, s}) })
	if errors.Is(err, database.ErrHalted) {
		return haltedError{err}
	}
	if a := s.archiver.Load(); a != nil && err == nil {
		a.changed()
	}
	return err
}

// haltedError is an error that also wraps issue.ErrHalted.
type haltedError struct{ error }

// Unwrap returns both errors.
func (e haltedError) Unwrap() []error { return []error{e.error, issue.ErrHalted} }

// TryWrite writes a row without changing it, to test whether writing works.
func (s *Store) TryWrite(ctx context.Context) error {
	return s.write(ctx, func(t *tx) error {
		return t.ExecOne(errNotInstalled, `UPDATE installation SET created_at = created_at WHERE one = 1`)
	})
}

// scanner is a row to scan.
type scanner = database.Scanner
