package store

import (
	"context"
	"database/sql"
	"errors"

	"khatm/service/internal/continuity"
	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// Replication returns the settings of replication of PostgreSQL.
func (s *Store) Replication(ctx context.Context) (database.Replication, error) {
	return s.db.Replication(ctx)
}

// RecordReplication records synchronous replication that is in force, or with nil
// that none is.
func (s *Store) RecordReplication(ctx context.Context, r *continuity.Replication) error {
	var text sql.NullString
	if r != nil {
		document, err := documentOf(r)
		if err != nil {
			return err
		}
		text = sql.NullString{String: document, Valid: true}
	}
	return s.write(ctx, func(t *tx) error {
		return t.ExecOne(errNotInstalled, `UPDATE continuity SET synchronous = $1 WHERE one = 1`, text)
	})
}

// confirm waits until everything that was committed is also on a synchronous standby,
// if there is one. A transaction whose wait was cancelled can be read, although it is
// on the primary only. PostgreSQL waits again when the locks of this transaction are
// committed.
func (s *Store) confirm(ctx context.Context, of org.Tenant) error {
	if s.dialect.Embedded {
		return nil
	}
	return s.write(ctx, func(t *tx) error { return t.takeBook(of) })
}

// errServerReplaced ends documents that are committed on a database server that was
// replaced by another one before they were archived.
var errServerReplaced = errors.New("the database server was replaced")

// CompareArchive calls compare while nothing is written to the archive. Documents of
// this server that are not archived yet end with an unknown outcome, because the
// database may lack them. What the archive has is determined again.
func (s *Store) CompareArchive(compare func() error) error {
	a := s.archiver.Load()
	if a == nil {
		return compare()
	}
	a.turn.Lock()
	defer a.turn.Unlock()
	a.fail(errServerReplaced)
	clear(a.done)
	a.takeArchived()
	return compare()
}

// stillThere returns an error if documents that were handed over were committed on
// another server than the one that is used now: it may lack them.
func (a *archiver) stillThere() error {
	now := a.store.db.Reconnections()
	for _, l := range a.lines {
		if l.by.server != now {
			return errServerReplaced
		}
	}
	return nil
}
