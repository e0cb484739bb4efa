package recovery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"khatm/service/internal/archive"
	"khatm/service/internal/store"
)

// ErrOlder means that the archive lacks what the database has written to it.
var ErrOlder = errors.New("the archive is older than the database, or has lost its end")

// CheckEnd returns ErrOlder if the archive lacks what the servers of the database have
// written to it, or if it is not the archive that the database has recorded and its last
// lines are older than the database. Recovering from it could undo later changes.
func CheckEnd(ctx context.Context, s *store.Store, a *archive.Archive, location string) error {
	use, err := s.ArchiveUse(ctx)
	if err != nil || use.Location == "" {
		return err
	}
	reached, err := s.ArchiveReached(ctx)
	if err != nil {
		return err
	}
	token := ""
	if reached.Epoch > 0 {
		token, err = a.Token(ctx, reached.Epoch)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if token != reached.Token || reached.Epoch == 0 {
		return checkOther(ctx, s, a, reached.Epoch > 0 || !archive.SameLocation(use.Location, location))
	}
	newest, err := a.Newest(ctx)
	if err != nil {
		return err
	}
	if newest.Number < use.Epoch {
		return fmt.Errorf("%w: it is in epoch %d, the database in epoch %d", ErrOlder, newest.Number, use.Epoch)
	}
	for _, server := range slices.Sorted(maps.Keys(reached.Ends)) {
		end := reached.Ends[server]
		batch, err := a.LastBatch(ctx, end.Journal)
		if err != nil {
			return err
		}
		if batch < end.Batch {
			return fmt.Errorf("%w: the last batch of %s is %d, but batch %d was archived", ErrOlder, end.Journal, batch, end.Batch)
		}
	}
	return nil
}

// checkOther checks an archive that is not known to be the one that the database has
// recorded, or that is known to be another one. An archive that replaced the recorded one
// has later lines, because everything is written to it again.
func checkOther(ctx context.Context, s *store.Store, a *archive.Archive, other bool) error {
	use, err := s.ArchiveUse(ctx)
	if err != nil {
		return err
	}
	newest, err := a.Newest(ctx)
	if err != nil || newest.Number == 0 {
		return err
	}
	if !other {
		if newest.Number < use.Epoch {
			return fmt.Errorf("%w: it is in epoch %d, the database in epoch %d", ErrOlder, newest.Number, use.Epoch)
		}
		return nil // a version without this record wrote to it last
	}
	var tail store.ArchiveTail
	err = a.ReadEnds(ctx, func(_ archive.Position, line []byte) error { return tail.Count(line) })
	if err != nil {
		return err
	}
	exceeds, err := s.ExceedsArchive(ctx, &tail)
	if err != nil || !exceeds {
		return err
	}
	return fmt.Errorf("%w: it is not the one that the database was written to last, at %s", ErrOlder, use.Location)
}

// Reach records in a database how far a server has written to the archive.
type Reach struct {
	Store   *store.Store
	Archive *archive.Archive

	token string
	last  store.JournalEnd // that was recorded
}

// Record records the last batch of this server, if it is a new one.
func (r *Reach) Record(ctx context.Context) (err error) {
	var end store.JournalEnd
	end.Journal, end.Batch = r.Archive.Reached()
	if end.Batch == 0 || end == r.last {
		return nil
	}
	if r.token == "" {
		if r.token, err = r.Archive.Token(ctx, r.Archive.Epoch()); err != nil {
			return err
		}
	}
	if err := r.Store.RecordReached(ctx, r.token, r.Archive.Server(), end); err != nil {
		return err
	}
	r.last = end
	return nil
}
