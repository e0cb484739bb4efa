package store

import (
	"context"
	"errors"
	"fmt"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
)

// ErrOtherArchive means that the installation has another archive than this server, or
// a later epoch of it, or that the server has none. What the server would write would
// not be archived, or not where the other servers archive it.
var ErrOtherArchive = errors.New("the installation uses another archive than this server")

// recordedArchive is the archive that the database has recorded. The transaction that
// reads it shows whether what it writes will be archived: another location is
// recorded only after the transaction has ended.
type recordedArchive struct {
	location string
	epoch    int
	awaited  bool // every document waits for the archive
}

// query returns the query that reads the recorded archive.
func (r *recordedArchive) query() database.Query {
	*r = recordedArchive{}
	return database.Query{Text: `SELECT location, epoch, complete_since IS NOT NULL FROM archive WHERE one = 1`, Row: func(row scanner) error {
		return row.Scan(&r.location, &r.epoch, &r.awaited)
	}}
}

// appending returns the query for a transaction that writes documents. If these do not
// wait for the archive, AwaitDocuments waits for the transaction.
func (r *recordedArchive) appending(s *Store) database.Query {
	q := r.query()
	if a := s.archiver.Load(); a != nil && !a.wait && !s.dialect.Embedded {
		q.Text += ` FOR SHARE`
	}
	return q
}

// refusal returns why a transaction must not write documents, or nil.
func (r *recordedArchive) refusal(s *Store) error {
	a := s.archiver.Load()
	if err := r.differs(a); err != nil {
		return s.otherArchive(err)
	}
	if a != nil && !a.wait && r.awaited {
		return awaited()
	}
	return nil
}

// differs returns ErrOtherArchive if the archive is not that of an archiver, which is
// nil without an archive.
func (r recordedArchive) differs(a *archiver) error {
	switch {
	case a == nil && r.location == "":
		return nil
	case a == nil:
		return fmt.Errorf("%w: it is %s, and the server was started without --archive", ErrOtherArchive, r.location)
	case r.location != a.location && (a.same == nil || !a.same(r.location)):
		return fmt.Errorf("%w: it is %s, and that of this server is %s", ErrOtherArchive, r.location, a.location)
	case r.epoch != a.epoch:
		return fmt.Errorf("%w: it is in epoch %d, and this server in epoch %d", ErrOtherArchive, r.epoch, a.epoch)
	}
	return nil
}

// CheckArchive returns ErrOtherArchive if the database has recorded another archive
// than that of this server.
func (s *Store) CheckArchive(ctx context.Context) error { return s.checkArchive(ctx, s.db) }

func (s *Store) checkArchive(ctx context.Context, db database.Reader) error {
	var r recordedArchive
	if err := database.Each(ctx, db, r.query()); err != nil {
		return fmt.Errorf("read which archive is used: %w", err)
	}
	return r.differs(s.archiver.Load())
}

// otherArchive returns the refusal of documents whose archive is not that of the
// installation.
func (s *Store) otherArchive(cause error) error {
	e := fault.New(fault.IssuingStopped, "Invoices cannot be issued at the moment because the installation uses another archive than this server. Nothing was written. To the operator: start the server with the archive of the installation.")
	if s.archiver.Load() == nil {
		e = fault.New(fault.IssuingStopped, "Invoices cannot be issued at the moment because this installation has an archive and the server was started without it. Nothing was written. To the operator: start the server with the archive.")
	}
	e.Cause = errors.Join(issue.ErrUnwritten, cause)
	return e
}

// archiveLockTime is how long the record of another location waits for other
// transactions, such as a backup. Documents are not issued in that time.
const archiveLockTime = `SET LOCAL lock_timeout = '10s'`

// lockArchive waits until no other transaction has read which archive is used, if
// another one is to be recorded. Everything that is committed is then in the new
// archive, or refused.
func (t *tx) lockArchive(location string) error {
	if t.store.dialect.Embedded {
		return nil
	}
	var r recordedArchive
	if err := database.Each(t.Context(), t, r.query()); err != nil || r.location == location {
		return err
	}
	for _, lock := range []string{archiveLockTime, `LOCK TABLE archive IN ACCESS EXCLUSIVE MODE`} {
		if err := t.Exec(lock); err != nil {
			return fmt.Errorf("wait for other servers and backups: %w", err)
		}
	}
	return nil
}
