package recovery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/store"
)

// Notes keeps the notes in an archive about its completeness. An archive is complete if
// it contained everything at some moment, and documents have waited for it since.
type Notes struct {
	Store   *store.Store
	Archive *archive.Archive
	Log     *slog.Logger

	note    int64 // that was announced and is not stored yet
	through int64 // last entry of the outbox that must be archived before
	stored  bool
	kept    time.Time // last call of KeepUnawaited; zero before
}

// keepEvery is how often a server records that its documents do not wait. It is shorter
// than the time after which the store takes such a server for ended.
const keepEvery = 15 * time.Second

// Proven reports whether every acknowledged document is in an archive.
func Proven(ctx context.Context, a *archive.Archive) (bool, error) {
	last, err := a.LastNote(ctx)
	return last.Complete, err
}

// Complete stores a note that the archive is complete, once it is. The database must be
// known to be complete, and the documents of this server must wait for the archive. It
// reports whether the archive has the note.
func (n *Notes) Complete(ctx context.Context) (bool, error) {
	number, since, err := n.Store.ArchiveNote(ctx)
	if err != nil {
		return false, err
	}
	if n.stored && !since.IsZero() && number == n.note {
		return true, nil
	}
	// A note that this server has announced is stored even if another server has
	// announced a later one; otherwise they could announce notes in turns without end.
	announced := n.note > 0 && !n.stored && !since.IsZero()
	if !announced && (since.IsZero() || number != n.note) {
		n.stored = false
		last, err := n.Archive.LastNote(ctx)
		if err != nil {
			return false, err
		}
		if last.Complete && !since.IsZero() && last.Epoch == n.Archive.Epoch() {
			n.note, n.stored = number, true
			return true, nil
		}
		if n.note, n.through, err = n.Store.AwaitDocuments(ctx, last.Number); err != nil || n.note == 0 {
			return false, err
		}
	}
	archived, err := n.Store.ArchivedThrough(ctx, n.through)
	if err != nil || !archived {
		return false, err
	}
	if err := n.Archive.AddNote(ctx, archive.Note{Complete: true, Number: n.note}); err != nil {
		if errors.Is(err, archive.ErrIncomplete) {
			n.note = 0 // announce another one
		}
		return false, err
	}
	n.stored = true
	n.Log.Info("the archive has everything; from now on it proves that a database is complete")
	return true, nil
}

// Unawaited stores a note that documents do not wait for the archive, unless the last
// one says so. Documents may be acknowledged only after it has returned nil.
func (n *Notes) Unawaited(ctx context.Context) error {
	for range 10 {
		announced, since, err := n.Store.ArchiveNote(ctx)
		if err != nil {
			return err
		}
		if since.IsZero() && announced == n.note && !n.kept.IsZero() && time.Since(n.kept) < keepEvery {
			return nil
		}
		last, err := n.Archive.LastNote(ctx)
		if err != nil {
			return err
		}
		if !last.Complete && since.IsZero() {
			if err := n.Store.KeepUnawaited(ctx); err != nil {
				return err
			}
			n.note, n.kept = announced, time.Now()
			return nil
		}
		number, err := n.Store.AnnounceUnawaited(ctx, last.Number)
		if err != nil {
			return err
		}
		if err := n.Archive.AddNote(ctx, archive.Note{Number: number}); err != nil {
			return err
		}
		if ended, err := n.Store.EndAwaiting(ctx, number); ended || err != nil {
			return err
		}
	}
	return fmt.Errorf("note that documents do not wait for the archive: another server changes this at the same time")
}

// verifyUnused returns ErrInUse if a server with another copy of the database was active
// in an archive a short time ago, unless this server is to take over.
func (o Options) verifyUnused(ctx context.Context, old *archive.Archive) error {
	newest, err := old.Newest(ctx)
	if err != nil || newest.Number == 0 || o.TakeOver {
		return err
	}
	copies, err := others(ctx, o.Store, newest.Heartbeats)
	if err != nil || len(copies) == 0 {
		return err
	}
	return verifySilent(ctx, old, newest, copies)
}

// markReplaced notes in the archive at an earlier location that another one replaces
// it. If it cannot be reached any more, it probably never will be. It returns ErrInUse if
// another copy of the database is in use with that archive.
func (o Options) markReplaced(ctx context.Context, location string) error {
	installation, err := o.Store.Installation(ctx)
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	old, err := archive.Open(bounded, archive.Options{Location: location, Server: "replaced", Installation: installation.String(), Existing: true, Now: o.Now})
	if err == nil {
		err = o.verifyUnused(bounded, old)
		if err == nil {
			err = old.Replaced(bounded, o.Location)
		}
		err = errors.Join(err, old.Close())
	}
	if errors.Is(err, ErrInUse) {
		return fmt.Errorf("%s cannot be replaced: %w", location, err)
	}
	if err != nil {
		o.Log.Warn("the replaced archive could not be marked; never recover from it", "location", location, "cause", err.Error())
	}
	return ctx.Err()
}
