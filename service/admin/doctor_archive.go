package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/recovery"
	"khatm/service/internal/store"
)

// archive reports whether the archive can be used, whether this database writes to
// it, and what is not in it yet.
func (x *examination) archive(ctx context.Context, a *Admin) {
	const check = "archive"
	use, err := a.store.ArchiveUse(ctx)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	location := use.Location
	if x.outside.Archive != "" {
		if location, err = recovery.Location(x.outside.Archive); err != nil {
			x.fail(check, "", "%v", err)
			return
		}
	}
	switch {
	case location == "":
		x.ok(check, "this installation has no archive")
		return
	case !archive.SameLocation(location, use.Location):
		if use.Location != "" {
			x.fail(check, "use that location, or stop all servers and start them with --archive-replaces to write everything to this one", "this installation has its archive at another location, %s", use.Location)
			return
		}
		x.ok(check, "%s is not used yet; the next start of a server with --archive writes everything to it", location)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, archiveTime)
	defer cancel()
	open, err := a.existingArchive(ctx, location)
	if err != nil {
		x.fail(check, "make it available; if it is lost, stop all servers and start them with another location and --archive-replaces, to which everything is then written", "%v", err)
		return
	}
	defer func() { _ = open.Close() }()
	x.epoch(ctx, a.store, open, location, use.Epoch)
	x.writes(ctx, open)
	x.lock(ctx, open)
	x.backlog(ctx, a)
}

// archiveTime limits the checks of an archive.
const archiveTime = 2 * time.Minute

// epoch compares the epochs of the database and the archive.
func (x *examination) epoch(ctx context.Context, s *store.Store, open *archive.Archive, location string, ours int) {
	const check = "archive"
	newest, err := open.Newest(ctx)
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case newest.Number > ours:
		x.fail(check, "use that database; if this one is the right one, stop all servers and run khatm recover --archive with --take-over",
			"server %s has taken over with another copy of the database on %s: the archive is in epoch %d, this database in epoch %d", newest.Server, riyadh(newest.Began).Format("2006-01-02 15:04"), newest.Number, ours)
	case newest.Number < ours:
		x.fail(check, "restore the archive, or stop all servers and start them with another location and --archive-replaces, to which everything is then written", "it is older than the database: it is in epoch %d, the database in epoch %d", newest.Number, ours)
	default:
		if err := recovery.CheckEnd(ctx, s, open, location); err != nil {
			x.fail(check, "restore the archive, or stop all servers and start them with another location and --archive-replaces, to which everything is then written", "%v", err)
			return
		}
		_, at := newest.Last()
		x.ok(check, "it can be read and is in epoch %d, as the database; the last heartbeat of a server was %s ago", ours, x.config.Now().Sub(at).Round(time.Second))
	}
}

// writes tries to write to the archive.
func (x *examination) writes(ctx context.Context, open *archive.Archive) {
	const check = "archive writes"
	switch err := open.Probe(ctx); {
	case errors.Is(err, archive.ErrOverwritten):
		x.fail(check, "use an S3 server with conditional writes (If-None-Match): without them two servers could issue with different copies of the database", "%v", err)
	case err != nil:
		x.fail(check, "until this works, invoices are not sent, and not issued if they wait for the archive", "%v", err)
	default:
		x.ok(check, "it can be written, and existing files are not replaced")
	}
}

// lock compares the Object Lock of the bucket with the address of the archive.
func (x *examination) lock(ctx context.Context, open *archive.Archive) {
	const check = "archive lock"
	l, bucket, err := open.ObjectLock(ctx)
	switch {
	case !bucket:
	case err != nil && l.Wanted != "":
		x.warn(check, "allow s3:GetBucketObjectLockConfiguration to check it", "%v", err)
	case err != nil:
		x.ok(check, "objects are not locked")
	case l.Wanted != "" && !l.Enabled:
		x.fail(check, "create a bucket with Object Lock: it cannot be enabled everywhere later", "the address has lock=%s, but the bucket has no Object Lock", l.Wanted)
	case l.Wanted != "":
		x.ok(check, "objects are locked, with mode %s", l.Wanted)
	case l.Default != "":
		x.ok(check, "the bucket locks objects, with mode %s", l.Default)
	case l.Enabled:
		x.warn(check, "add lock=governance or lock=compliance to the address of the archive", "the bucket has Object Lock, but objects are not locked")
	default:
		x.ok(check, "objects are not locked")
	}
}

// staleBacklog is the age from which a document that is not archived is a failure.
const staleBacklog = time.Minute

// backlog reports what is not in the archive yet.
func (x *examination) backlog(ctx context.Context, a *Admin) {
	const check, do = "archive backlog", "start the server with the archive, and look at its log if this does not change"
	b, err := a.store.ArchiveBacklog(ctx)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	what := fmt.Sprintf("%d documents and %d other changes are not in the archive yet", b.Documents, b.Changes)
	switch {
	case b.Documents+b.Changes == 0:
		x.ok(check, "everything is in the archive")
	case b.Documents > 0 && x.config.Now().Sub(b.Oldest) > staleBacklog:
		x.fail(check, do, "%s, the oldest document since %s", what, riyadh(b.Oldest).Format("2006-01-02 15:04"))
	default:
		x.ok(check, "%s", what)
	}
}
