package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/ready"
	"khatm/service/internal/recovery"
	"khatm/service/internal/store"
)

// Archive configures a second copy of everything that is issued.
type Archive struct {
	// Location is a folder outside Data, or an address such as
	// s3://bucket/prefix?endpoint=https://host; empty disables the archive.
	Location string

	// Wait acknowledges documents only after they are archived. What the database
	// lacks at the start is then entered from the archive without a command.
	Wait bool

	// Replaces says that Location replaces the archive that the installation has at
	// another location.
	Replaces bool
}

// checkArchive refuses a folder inside the data folder, which would be lost with it.
func (c Config) checkArchive() error {
	if c.Archive.Location == "" || archive.IsBucket(c.Archive.Location) {
		return nil
	}
	inside, err := isInside(c.Archive.Location, c.Data)
	if err != nil {
		return fmt.Errorf("--archive %s: %w", c.Archive.Location, err)
	}
	if inside {
		return fmt.Errorf("--archive %s is inside the data folder: choose a folder outside it, best on another disk", c.Archive.Location)
	}
	return nil
}

// openArchive connects the database with its archive, and enters what the database
// lacks. From then on everything is archived.
func (s *Server) openArchive(ctx context.Context) error {
	c := s.config.Archive
	if c.Location == "" {
		return s.refuseWithoutArchive(ctx)
	}
	location, err := recovery.Location(c.Location)
	if err != nil {
		return err
	}
	installation, err := s.store.Installation(ctx)
	if err != nil {
		return err
	}
	s.archive, err = archive.Open(ctx, archive.Options{
		Location: c.Location, Server: s.archiveName(), Installation: installation.String(), Now: s.config.Now, Random: s.config.Random,
	})
	if err != nil {
		return fmt.Errorf("--archive: %w", err)
	}
	found, err := recovery.Connect(ctx, recovery.Options{
		Store: s.store, Archive: s.archive, Location: location, Automatic: c.Wait, Replaces: c.Replaces, Watch: s.config.watch, Alone: s.config.Database == "", Now: s.config.Now, Log: s.config.Log,
	})
	switch {
	case errors.Is(err, recovery.ErrLacking):
		return fmt.Errorf("--archive: %w: stop all servers, then run khatm recover --archive", err)
	case errors.Is(err, recovery.ErrReplaces):
		return fmt.Errorf("--archive: %w: start the server with that location, or stop all servers and start them with --archive-replaces to write everything to this one. If an older backup was restored, run khatm recover --archive with the archive that was used last", err)
	case errors.Is(err, recovery.ErrReplaced):
		return fmt.Errorf("--archive: %w: start the server with that location. If an older backup was restored, stop all servers and run khatm recover --archive with that location first", err)
	case errors.Is(err, recovery.ErrOlder):
		return fmt.Errorf("--archive: %w: restore the archive, or stop all servers and start them with another location and --archive-replaces, to which everything is then written", err)
	case errors.Is(err, recovery.ErrInUse):
		return fmt.Errorf("--archive: %w: stop that server and start this one %s later, or run khatm recover --archive with --take-over", err, archive.SilentAfter)
	case err != nil:
		return fmt.Errorf("--archive: %w", err)
	}
	if c.Replaces && !found.Replaced {
		s.config.Log.Warn("--archive-replaces did nothing, because this is the archive of the installation: remove it, or a server with an older backup could replace the archive by mistake", "archive", location)
	}
	if s.proven, err = recovery.Proven(ctx, s.archive); err != nil {
		return fmt.Errorf("--archive: %w", err)
	}
	if err := s.store.RecordArchive(ctx, location, found.Epoch); err != nil {
		return fmt.Errorf("--archive: %w", err)
	}
	s.reach = &recovery.Reach{Store: s.store, Archive: s.archive}
	s.notes = &recovery.Notes{Store: s.store, Archive: s.archive, Log: s.config.Log}
	if !c.Wait {
		if err := s.notes.Unawaited(ctx); err != nil {
			return fmt.Errorf("--archive: %w", err)
		}
	}
	same := func(other string) bool { return archive.SameLocation(location, other) }
	if err := s.store.StartArchive(ctx, store.Archiving{To: s.archive, Location: location, Epoch: found.Epoch, Wait: c.Wait, Same: same}); err != nil {
		return fmt.Errorf("--archive: %w", err)
	}
	s.heartbeats = &recovery.Heartbeats{Store: s.store, Archive: s.archive, Random: s.config.Random}
	if err := s.heartbeats.Beat(ctx); err != nil {
		return fmt.Errorf("--archive: %w", err)
	}
	return s.awaitArchive(ctx)
}

// refuseWithoutArchive returns an error if the installation has an archive. What a
// server without it issued would be lost with the database.
func (s *Server) refuseWithoutArchive(ctx context.Context) error {
	use, err := s.store.ArchiveUse(ctx)
	if err == nil && use.Location != "" {
		err = fmt.Errorf("this installation has an archive: start the server with --archive %q", use.Location)
	}
	return err
}

// openNotes tries to store the note that the archive is complete before the first
// document. If the archive has not caught up, noteArchive stores it later.
func (s *Server) openNotes(ctx context.Context) error {
	for range archiveWait / archivePoll {
		stored, err := s.noteOnce(ctx)
		if stored || err != nil || s.store.ArchiveBehind() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(archivePoll / 10):
		}
	}
	return nil
}

// noteArchive keeps the notes in the archive about its completeness.
func (s *Server) noteArchive(ctx context.Context) error {
	_, err := s.noteOnce(ctx)
	return err
}

// noteOnce reports whether there is nothing to note any more.
func (s *Server) noteOnce(ctx context.Context) (done bool, err error) {
	switch {
	case s.archive == nil || s.archive.Stats().Ended != nil:
		return true, nil
	case !s.config.Archive.Wait:
		return true, s.notes.Unawaited(ctx)
	case s.issuing.Stopped(ready.Chain, ready.Compare, ready.OtherArchive) || !s.guard.Compared():
		return true, nil // the database may lack documents
	}
	return s.notes.Complete(ctx)
}

// watchOtherArchive stops issuing while the installation uses another archive than
// this server, which another server has begun.
func (s *Server) watchOtherArchive(ctx context.Context) error {
	err := s.store.CheckArchive(ctx)
	if err != nil && !errors.Is(err, store.ErrOtherArchive) {
		return err
	}
	s.set(ready.OtherArchive, err)
	return nil
}

// Times of the start: what the last server left behind is archived in moments, but
// a new archive gets the whole database.
const (
	archiveWait = 5 * time.Second
	archivePoll = 100 * time.Millisecond // how often the server looks whether the archive has caught up
)

// awaitArchive waits a short time until the archive has caught up.
func (s *Server) awaitArchive(ctx context.Context) error {
	limit := time.After(archiveWait)
	for s.store.ArchiveBehind() != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-limit:
			s.config.Log.Warn("the archive has not caught up yet; invoices are issued when it has")
			return s.watchArchive(ctx)
		case <-time.After(archivePoll / 10):
		}
	}
	return s.watchArchive(ctx)
}

// watchArchive stops issuing after another server has taken over or uses a copy of
// the database, and while the archive lacks earlier documents, if they are
// acknowledged only after they are archived.
func (s *Server) watchArchive(context.Context) error {
	behind, ended := s.store.ArchiveBehind(), s.archive.Stats().Ended
	switch {
	case errors.Is(ended, archive.ErrSuperseded) || errors.Is(ended, archive.ErrCopied):
		s.issuing.Stop(ready.Archive, s.config.Now(), ended.Error())
	case s.config.Archive.Wait && behind != nil:
		s.issuing.Stop(ready.Archive, s.config.Now(), behind.Error())
	default:
		s.issuing.Clear(ready.Archive)
	}
	return nil
}

var notInName = regexp.MustCompile(`[^a-z0-9._-]+`)

// archiveName returns the name of this server in the archive, which no other server
// of the installation has.
func (s *Server) archiveName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "server"
	}
	if _, port, err := net.SplitHostPort(s.config.listens()); err == nil && port != "0" {
		host += "-" + port
	}
	name := strings.TrimLeft(notInName.ReplaceAllString(strings.ToLower(host), "-"), "._-")
	return cmp.Or(name[:min(len(name), 64)], "server")
}

// How often the server looks whether a day is complete, and how long other servers
// leave it to this one, also after a failure.
const (
	compactEvery = 10 * time.Minute
	compactLease = 6 * time.Hour
)

// compactions returns a function that combines the objects of complete days of the
// archive, if it is time and no other server does so.
func (s *Server) compactions() func(context.Context) error {
	var next time.Time
	return func(ctx context.Context) error {
		now := s.config.Now()
		wait := next.Sub(now)
		if wait > 0 && wait <= compactEvery || !s.hasBegun() || !s.trusted() { // the clock says which days are complete
			return nil
		}
		next = now.Add(compactEvery)
		lease := now.Add(compactLease)
		after, due, err := s.store.TakeCompaction(ctx, archive.LastDay(now), lease)
		if err != nil || !due {
			return err
		}
		before := s.archive.Stats().Combined
		through, err := s.archive.Compact(ctx, after)
		if err != nil {
			return err
		}
		s.config.Log.Info("combined the objects of the archive by day", "through", through, "objects", s.archive.Stats().Combined-before, "took", s.config.Now().Sub(now).Round(time.Millisecond).String())
		return s.store.LeaveCompaction(context.WithoutCancel(ctx), lease, through)
	}
}

// startArchive shows other servers that this one writes to the archive.
func (s *Server) startArchive() {
	s.loops.Start("look for another archive", pollTime, s.watchOtherArchive)
	if s.archive == nil {
		return
	}
	s.loops.Start("write the heartbeat of the archive", archive.BeatEvery, s.heartbeats.Beat)
	s.loops.Start("watch the archive", archivePoll, s.watchArchive)
	s.loops.Start("record how far the archive is written", pollTime, s.reach.Record)
	s.loops.Start("keep the notes of the archive", pollTime, s.noteArchive)
	if s.config.works() && archive.IsBucket(s.config.Archive.Location) {
		s.loops.Start("combine objects of the archive", time.Second, s.compactions())
	}
	s.metrics.watchArchive(s.archive, s.store, s.config.Now)
}
