package recovery

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
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
const beatTime = 20 * time.Second

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

// keepAlive writes heartbeats of a recovery, which have no number, until the returned
// function is called.
func (o Options) keepAlive(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			_, _ = o.Archive.Beat(ctx, 0, "") // if it fails, so does the recovery
			select {
			case <-ctx.Done():
				return
			case <-time.After(archive.BeatEvery):
			}
		}
	})
	return func() {
		cancel()
		ended.Wait()
	}
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

// awaitSilence returns ErrInUse if another server is active although no other has this
// database open. A server that was active a moment ago may have ended, so it waits for
// the next heartbeat.
func (o Options) awaitSilence(ctx context.Context, before archive.Epoch) error {
	const wait, poll = archive.BeatEvery * 3, time.Second
	for waited := time.Duration(0); o.Alone && waited < wait; waited += poll {
		active := false
		for server, b := range before.Heartbeats {
			active = active || b.Number > 0 && server != o.Archive.Server() && o.Now().Sub(b.At) < archive.SilentAfter
		}
		if !active {
			return nil
		}
		if waited == 0 {
			o.Log.Info("another server was active a moment ago; waiting for its end", "at most", wait.String())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(poll):
		}
		newest, err := o.Archive.Newest(ctx)
		if err != nil {
			return err
		}
		for server, b := range newest.Heartbeats {
			if server != o.Archive.Server() && b != before.Heartbeats[server] {
				return inUse(newest)
			}
		}
	}
	return nil
}
