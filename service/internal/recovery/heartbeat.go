package recovery

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/store"
)

// Heartbeats writes the heartbeats of a server, and notices servers that write to the
// archive with a copy of its database.
type Heartbeats struct {
	Store   *store.Store
	Archive *archive.Archive
	Random  io.Reader

	last   archive.Heartbeat            // of this server
	copies map[string]archive.Heartbeat // of servers with a copy of the database, at the last call; nil before the first
}

// beatTime limits the time of a heartbeat.
const beatTime = archive.BeatEvery

// Beat writes a heartbeat. It ends all writes to the archive with ErrCopied if a
// server with a copy of the database has written another heartbeat since the last
// call: two heartbeats, because a standby that was promoted may lack the last one of
// a server that has ended. At the first call one is enough, because Connect found
// none.
func (h *Heartbeats) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, beatTime)
	defer cancel()
	// The heartbeats are read before as well, because a server with the same name
	// replaces that of this one.
	before, err := h.Archive.Heartbeats(ctx)
	if err != nil {
		return err
	}
	copies, unread := others(ctx, h.Store, before)
	after, err := h.next(ctx)
	if err = errors.Join(unread, err); err != nil {
		return err
	}
	more, err := others(ctx, h.Store, after)
	if err != nil {
		return err
	}
	maps.Copy(copies, more)
	seen := h.copies
	h.copies = copies
	for server, b := range copies {
		was, is := seen[server]
		if seen == nil || is && (was.Number != b.Number || was.Token != b.Token) {
			h.Archive.End(archive.ErrCopied)
			return fmt.Errorf("%w: server %s", archive.ErrCopied, server)
		}
	}
	return nil
}

// next writes the next heartbeat, and returns those of all servers.
func (h *Heartbeats) next(ctx context.Context) (map[string]archive.Heartbeat, error) {
	var token [16]byte
	if _, err := io.ReadFull(h.Random, token[:]); err != nil {
		return nil, err
	}
	next := archive.Heartbeat{Token: hex.EncodeToString(token[:])}
	var unrecorded error
	if next.Number, unrecorded = h.Store.NextHeartbeat(ctx, h.Archive.Server(), next.Token); unrecorded != nil {
		next = h.last // the server is alive, although its database cannot be written
	}
	all, err := h.Archive.Beat(ctx, next.Number, next.Token)
	if err == nil {
		h.last = next
	}
	return all, errors.Join(unrecorded, err)
}

// keepAlive writes heartbeats of a recovery, which have no number, from the begin of its
// epoch until the returned function is called. It cancels the returned context if another
// server could take over, because the heartbeats have failed for too long, or has done so.
func (o Options) keepAlive(ctx context.Context) (alive context.Context, stop func()) {
	alive, cancel := context.WithCancelCause(ctx)
	limit := cmp.Or(o.Silence, archive.SilentAfter)
	var ended sync.WaitGroup
	ended.Go(func() {
		for last := time.Now(); ; {
			begun := time.Now()
			err := o.beat(alive, limit)
			switch {
			case alive.Err() != nil:
				return
			case err == nil:
				last = begun
			case errors.Is(err, archive.ErrSuperseded) || time.Since(last) >= limit:
				o.Log.Error("the recovery ends, because another server could take over", "cause", err.Error())
				cancel(fmt.Errorf("another server could take over, because the heartbeats of the recovery fail: %w", err))
				return
			}
			wait := min(archive.BeatEvery, limit/4)
			if o.Archive.Epoch() == 0 {
				wait = min(wait, time.Second)
			}
			select {
			case <-alive.Done():
				return
			case <-time.After(wait):
			}
		}
	})
	return alive, func() {
		cancel(nil)
		ended.Wait()
	}
}

// beat writes one heartbeat of a recovery, if its epoch has begun.
func (o Options) beat(ctx context.Context, limit time.Duration) error {
	if o.Archive.Epoch() == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(beatTime, limit))
	defer cancel()
	_, err := o.Archive.Beat(ctx, 0, "")
	return err
}

// others returns the heartbeats that servers with another copy of the database have
// written. The heartbeats were read before, because this database gets newer ones.
func others(ctx context.Context, s *store.Store, all map[string]archive.Heartbeat) (map[string]archive.Heartbeat, error) {
	ours, err := s.Heartbeats(ctx)
	if err != nil {
		return nil, err
	}
	copies := map[string]archive.Heartbeat{}
	for server, b := range all {
		own := ours[server]
		if b.Number > own.Number || b.Number == own.Number && b.Token != own.Token {
			copies[server] = b
		}
	}
	return copies, nil
}

// watchTime returns how long the archive is watched before this server takes over.
func (o Options) watchTime() time.Duration { return cmp.Or(o.Watch, archive.WatchFor) }

// watch returns ErrInUse if another server writes a heartbeat or begins an epoch while it
// watches the archive. Only changes count, and the monotonic clock of this machine,
// because the clocks of the servers may be wrong.
func (o Options) watch(ctx context.Context, before archive.Epoch, ours string) error {
	begun, limit := time.Now(), o.watchTime()
	for time.Since(begun) < limit {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(time.Second, limit/10)):
		}
		now, err := o.Archive.Newest(ctx)
		if err != nil {
			return err
		}
		if now.Token != before.Token {
			return inUse(now)
		}
		for server, b := range now.Heartbeats {
			if server != ours && b != before.Heartbeats[server] {
				return inUse(now)
			}
		}
	}
	return nil
}

// awaitSilence returns ErrInUse if another server is active although no other has this
// database open. A server that was active a moment ago may have ended, so it waits for
// the next heartbeat.
func (o Options) awaitSilence(ctx context.Context, before archive.Epoch) error {
	numbered := func(server string) bool { return before.Heartbeats[server].Number > 0 && server != o.Archive.Server() }
	if !o.Alone || !slices.ContainsFunc(slices.Collect(maps.Keys(before.Heartbeats)), numbered) {
		return nil
	}
	ages, err := o.Archive.Ages(ctx, before.Number)
	if err != nil {
		return err
	}
	for server, age := range ages.Heartbeats {
		if numbered(server) && age < archive.SilentAfter {
			o.Log.Info("another server was active a moment ago; waiting for its end", "wait", o.watchTime().String())
			return o.watch(ctx, before, o.Archive.Server())
		}
	}
	return nil
}
