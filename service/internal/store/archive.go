package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// Archive makes lines durable outside the database, each one JSON object without
// a newline.
type Archive interface {
	Append(ctx context.Context, lines [][]byte) error
}

// Archiving is how a server uses its archive.
type Archiving struct {
	To       Archive
	Location string // of the archive, which is recorded in the database
	Epoch    int    // of the archive, which is recorded in the database
	Wait     bool   // documents are acknowledged only after they are archived

	// Same reports whether a location is that of this archive. If it is nil, it must
	// be equal to Location.
	Same func(location string) bool
}

// ArchiveUse is what the database has recorded of its archive.
type ArchiveUse struct {
	Location string // empty if the installation has no archive
	Epoch    int
	Seq      int64 // highest sequence number of a line that this database can have written
}

// ArchiveUse returns what the database has recorded of its archive.
func (s *Store) ArchiveUse(ctx context.Context) (u ArchiveUse, err error) {
	highest := `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'unarchived'`
	if !s.dialect.Embedded {
		highest = `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM unarchived_seq_seq`
	}
	if err := s.db.One(ctx, nil, highest, nil, &u.Seq); err != nil {
		return u, fmt.Errorf("read the sequence of the outbox: %w", err)
	}
	err = s.db.One(ctx, nil, `SELECT location, epoch FROM archive WHERE one = 1`, nil, &u.Location, &u.Epoch)
	return u, err
}

// StartArchive begins to archive every change. If the installation has had no
// archive, or one at another location, everything in the database is archived
// first. Until the archive contains all that is committed, no document is
// written. Close ends it.
func (s *Store) StartArchive(ctx context.Context, c Archiving) error {
	if s.archiver.Load() != nil {
		return errors.New("the archive is already in use")
	}
	if err := s.RecordArchive(ctx, c.Location, c.Epoch); err != nil {
		return fmt.Errorf("record the archive %s: %w", c.Location, err)
	}
	a := newArchiver(s, c)
	s.archiver.Store(a)
	a.ended.Go(a.run)
	return nil
}

// ArchiveBehind returns why the archive lacks something that was committed, or nil.
func (s *Store) ArchiveBehind() error {
	if a := s.archiver.Load(); a != nil {
		return a.behind()
	}
	return nil
}

// RecordArchive records the location and the epoch of the archive. If the location
// is a new one, it puts all rows and documents into the outbox.
func (s *Store) RecordArchive(ctx context.Context, location string, epoch int) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.lockInstallation(); err != nil {
			return err
		}
		if err := t.lockArchive(location); err != nil {
			return err
		}
		const record = `
			INSERT INTO archive (one, location, epoch, since) VALUES (1, $1, $2, $3)
			ON CONFLICT (one) DO UPDATE SET location = excluded.location, epoch = excluded.epoch, since = excluded.since, complete_since = NULL, reached = '', compacted = '', compact_lease = 0
			WHERE archive.location <> excluded.location`
		n, err := t.moved(record, location, epoch, millis(s.now()))
		if err == nil && n == 0 {
			err = t.Exec(`UPDATE archive SET epoch = $1 WHERE epoch < $1`, epoch)
		}
		if err != nil || n == 0 {
			return err
		}
		if err := t.unarchiveAll(); err != nil {
			return err
		}
		return s.db.Point("archive recorded")
	})
}

// SetArchiveAddress records another address of the same archive.
func (s *Store) SetArchiveAddress(ctx context.Context, location string) error {
	return s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE archive SET location = $1 WHERE one = 1`, location)
	})
}

// archiveRefusal returns why no document may be written, or nil.
func (s *Store) archiveRefusal() error {
	a := s.archiver.Load()
	if a == nil || !a.wait {
		return nil
	}
	cause := a.behind()
	if cause == nil {
		return nil
	}
	e := fault.New(fault.IssuingStopped, "Invoices cannot be issued at the moment because earlier ones are not in the archive yet. Nothing was written. Try again shortly.")
	e.Cause = errors.Join(issue.ErrUnwritten, cause)
	return e
}

// Limits of waiting for documents that are not in the archive yet.
const (
	archivedWait = 10 * time.Second
	archivedPoll = 10 * time.Millisecond
)

// awaitArchived waits until documents are in the archive. It does nothing if
// documents are acknowledged without waiting for it.
func (s *Store) awaitArchived(ctx context.Context, of org.Tenant, ids []uuid.UUID) error {
	a := s.archiver.Load()
	if a == nil || !a.wait || len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, archivedWait)
	defer cancel()
	for {
		left, err := s.countUnarchived(ctx, of, ids)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			e := fault.New(fault.OutcomeUnknown, "The invoice is written but not in the archive yet. Look for it in the list of invoices before you send it again.")
			e.Cause = errors.Join(ctx.Err(), a.behind())
			return e
		case <-time.After(archivedPoll):
		}
	}
}

func (s *Store) countUnarchived(ctx context.Context, of org.Tenant, ids []uuid.UUID) (n int, err error) {
	args := padded(append([]any{of.ID()}, anyOf(ids)...), 1)
	query := `SELECT count(*) FROM unarchived WHERE org_id = $1 AND invoice_id IN (` + numbered(2, len(args)-1) + `)`
	counts, err := database.AllOnce(ctx, s.db, query, args, func(row scanner) (n int, err error) {
		err = row.Scan(&n)
		return n, err
	})
	if err != nil {
		return 0, fmt.Errorf("read what is not archived: %w", err)
	}
	return counts[0], nil
}

// repeated returns the documents that a state contains because of their
// idempotency keys.
func repeated(state *issue.State) (ids []uuid.UUID) {
	if state == nil {
		return nil
	}
	for _, one := range state.Keys {
		ids = append(ids, one.Invoice.ID)
	}
	return ids
}
