// Package recovery connects a database with its archive when a server starts. It
// enters documents that the archive has and the database lacks, for example after
// a backup was restored, so that issuing can continue where it ended.
package recovery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/store"
)

// Options configures Connect.
type Options struct {
	Store    *store.Store
	Archive  *archive.Archive
	Location string // of the archive, as recorded in the database

	// Automatic says that what the database lacks is entered. Otherwise Connect
	// returns ErrLacking.
	Automatic bool

	// TakeOver says that the next epoch is begun even if another server may still be
	// writing to the archive, and also if the database lacks nothing. That server
	// then stops issuing.
	TakeOver bool

	// Replaces says that this archive replaces one at another location, which the
	// database has recorded.
	Replaces bool
	replaced string // location of that archive

	// Compare says that nothing is entered and no epoch is begun: Connect returns
	// ErrLacking where it would.
	Compare bool

	// Alone says that no other server has this database open, as with SQLite. Then
	// any other server that writes to the archive has a copy of the database.
	Alone bool

	// Watch replaces archive.WatchFor in tests, and Silence archive.SilentAfter for the
	// heartbeats of the recovery.
	Watch, Silence time.Duration

	Now func() time.Time
	Log *slog.Logger
}

// Location returns the location of an archive as it is recorded in the database,
// which does not depend on the working directory.
func Location(text string) (string, error) {
	if archive.IsBucket(text) {
		return text, nil
	}
	return filepath.Abs(text)
}

// Result says what Connect did.
type Result struct {
	Epoch     int  // in which this server writes
	Recovered bool // the archive was compared with the database as a whole
	Replaced  bool // the database had recorded another archive
	Entered   store.Reentered
	Took      time.Duration // of the recovery
}

// Errors that callers distinguish.
var (
	// ErrLacking means that the archive has documents or changes that the database
	// lacks.
	ErrLacking = errors.New("the database lacks what is in its archive")

	// ErrInUse means that another server writes to the archive with another copy of
	// the database, or did so a short time ago.
	ErrInUse = errors.New("the archive is in use by another server, which has another copy of this database")

	// ErrReplaces means that the database has recorded another location of its archive.
	ErrReplaces = errors.New("the installation has its archive at another location")

	// ErrReplaced means that the installation has begun an archive at another location
	// since, and that this one lacks everything later.
	ErrReplaced = errors.New("the archive was replaced by one at another location")

	// ErrNoArchive means that there is nothing to recover from.
	ErrNoArchive = errors.New("there is no archive at this location")

	// ErrEmpty means that the archive is empty although the database was archived to
	// it.
	ErrEmpty = errors.New("the archive is empty, although this installation has written to it")
)

// Connect prepares an archive for the writes of a server. It joins the newest epoch
// of the archive if the database has everything that is in it. Otherwise it begins
// the next epoch, so that no other server can write any more, and enters what is
// missing.
func Connect(ctx context.Context, o Options) (r Result, err error) {
	use, err := o.Store.ArchiveUse(ctx)
	if err != nil {
		return r, err
	}
	newest, err := o.Archive.Newest(ctx)
	if err != nil {
		return r, err
	}
	known := archive.SameLocation(use.Location, o.Location)
	if known && use.Location != o.Location {
		if err := o.Store.SetArchiveAddress(ctx, o.Location); err != nil {
			return r, err
		}
	}
	if use.Location != "" && !known && !o.Replaces {
		return r, fmt.Errorf("%w, %s", ErrReplaces, use.Location)
	}
	if newest.Number > 0 {
		if err := o.check(ctx, use, newest); err != nil {
			return r, err
		}
	}
	if use.Location != "" && !known {
		o.replaced, r.Replaced = use.Location, true
	}
	switch {
	case newest.Number == 0 && known:
		return r, fmt.Errorf("%w: restore it, or stop all servers and start them with another location and --archive-replaces, to which everything is then written", ErrEmpty)
	case newest.Number == 0 && !o.Compare:
		r.Epoch = 1
		_, err := o.begin(ctx, r.Epoch)
		return r, err
	case known && use.Epoch == newest.Number:
		current, err := isCurrent(ctx, o, newest)
		if err != nil {
			return r, err
		}
		if current && !o.TakeOver {
			r.Epoch = newest.Number
			return r, o.Archive.Join(ctx, r.Epoch)
		}
	}
	if o.Compare {
		return r, ErrLacking
	}
	if err := o.mayTakeOver(ctx, use, newest); err != nil {
		return r, err
	}
	replaced := r.Replaced
	r, err = recoverFrom(ctx, o, newest.Number+1)
	r.Replaced = replaced
	return r, err
}

// check returns why an archive with epochs cannot be that of the database, or nil.
func (o Options) check(ctx context.Context, use store.ArchiveUse, newest archive.Epoch) error {
	// An archive that this database was about to begin has nothing in it yet.
	if interrupted, err := o.isInterrupted(ctx, use, newest); interrupted || err != nil {
		return err
	}
	last, err := o.Archive.LastNote(ctx)
	if err != nil {
		return err
	}
	if last.ReplacedBy != "" && last.Epoch == newest.Number && !o.Replaces {
		return fmt.Errorf("%w, %s", ErrReplaced, last.ReplacedBy)
	}
	return CheckEnd(ctx, o.Store, o.Archive, o.Location)
}

// mayTakeOver returns why this server must not begin the next epoch, or nil.
func (o Options) mayTakeOver(ctx context.Context, use store.ArchiveUse, newest archive.Epoch) error {
	interrupted, err := o.isInterrupted(ctx, use, newest)
	switch {
	case err != nil:
		return err
	case o.TakeOver && (o.Automatic || interrupted) || interrupted && o.Alone:
		return nil
	case interrupted: // another server with this database may be recovering
		return o.watch(ctx, newest, "")
	case !o.Automatic:
		return ErrLacking
	}
	ages, err := o.Archive.Ages(ctx, newest.Number)
	if err != nil {
		return err
	}
	if !ages.Silent() {
		return inUse(newest)
	}
	o.Log.Warn("no server has written to the archive for some time; watching it before this server takes over", "wait", o.watchTime().String())
	return o.watch(ctx, newest, "")
}

// isInterrupted reports whether a server with this database began the newest epoch and
// ended before it recorded it. No server has used the epoch since.
func (o Options) isInterrupted(ctx context.Context, use store.ArchiveUse, newest archive.Epoch) (bool, error) {
	epoch, token, err := o.Store.ArchiveBegin(ctx)
	if err != nil || epoch != newest.Number || token != newest.Token {
		return false, err
	}
	if archive.SameLocation(use.Location, o.Location) && use.Epoch >= newest.Number {
		return false, nil
	}
	for _, b := range newest.Heartbeats {
		if b.Number > 0 {
			return false, nil
		}
	}
	return true, nil
}

// begin begins an epoch. The database records it before, so that an interrupted start or
// recovery can go on. It returns the token of the epoch.
func (o Options) begin(ctx context.Context, epoch int) (token string, err error) {
	if o.replaced != "" {
		if err := o.markReplaced(ctx, o.replaced); err != nil {
			return "", err
		}
	}
	if token, err = o.Archive.NewToken(); err != nil {
		return "", err
	}
	if err := o.Store.RecordBegin(ctx, epoch, token); err != nil {
		return "", err
	}
	return token, o.Archive.BeginAs(ctx, epoch, token)
}

// inUse returns an error that names the server that was active last.
func inUse(e archive.Epoch) error {
	server, at := e.Last()
	return fmt.Errorf("%w: server %s was last active at %s", ErrInUse, server, at.Format(time.RFC3339))
}

// isCurrent reports whether the database has everything that is in the archive, and
// no other copy of it was used since. It returns ErrInUse if another copy is in use,
// unless this server is to take over.
func isCurrent(ctx context.Context, o Options, newest archive.Epoch) (bool, error) {
	copies, err := others(ctx, o.Store, newest.Heartbeats)
	if err != nil {
		return false, err
	}
	if !o.TakeOver {
		if len(copies) > 0 {
			return false, verifySilent(ctx, o.Archive, newest, copies)
		}
		if err := o.awaitSilence(ctx, newest); err != nil {
			return false, err
		}
	}
	if len(copies) > 0 {
		return false, nil
	}
	var tail store.ArchiveTail
	for _, add := range []func([]byte) error{tail.Count, tail.Add} {
		err := o.Archive.ReadEnds(ctx, func(_ archive.Position, line []byte) error { return add(line) })
		if err != nil {
			return false, err
		}
	}
	lacks, err := o.Store.LacksArchived(ctx, &tail)
	return !lacks && err == nil, err
}

// verifySilent returns ErrInUse if one of some servers of an epoch was active a short time
// ago.
func verifySilent(ctx context.Context, a *archive.Archive, e archive.Epoch, servers map[string]archive.Heartbeat) error {
	ages, err := a.Ages(ctx, e.Number)
	if err != nil {
		return err
	}
	for server := range servers {
		if ages.Heartbeats[server] < archive.SilentAfter {
			return inUse(e)
		}
	}
	return nil
}

// recoverFrom begins an epoch and enters what the database lacks.
func recoverFrom(ctx context.Context, o Options, epoch int) (r Result, err error) {
	began := o.Now()
	o.Log.Warn("entering what the database lacks from its archive", "epoch", epoch)
	alive, stop := o.keepAlive(ctx)
	defer stop()
	begun, err := o.begin(alive, epoch)
	if err == nil {
		r.Epoch, r.Recovered = epoch, true
		r.Entered, err = o.enter(alive, store.Begun{Epoch: epoch, Token: begun})
	}
	r.Took = o.Now().Sub(began)
	if cause := context.Cause(alive); cause != nil && ctx.Err() == nil {
		err = cause
	}
	if err != nil {
		return r, fmt.Errorf("enter what the database lacks: %w", err)
	}
	o.Log.Info("entered what the database lacked", "documents", r.Entered.Documents, "rows", r.Entered.Rows, "took", r.Took.Round(time.Millisecond).String())
	return r, nil
}

// enter enters what the archive has and the database lacks.
func (o Options) enter(ctx context.Context, begun store.Begun) (store.Reentered, error) {
	var report archive.Report
	entered, err := o.Store.Reenter(ctx, begun, func(each func([]byte) error) (err error) {
		report, err = o.Archive.Read(ctx, func(_ archive.Position, line []byte) error { return each(line) })
		return err
	})
	for _, p := range report.Torn {
		o.Log.Warn("the archive was not read here: the write was interrupted by a crash, or the file was damaged later", "place", p.String())
	}
	return entered, err
}
