package archive

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// Intervals of heartbeats.
const (
	// BeatEvery is how often a server calls [Archive.Beat].
	BeatEvery = 10 * time.Second

	// SilentAfter is the time without a heartbeat after which an epoch may have no
	// server any more.
	SilentAfter = 5 * time.Minute

	// WatchFor is how long a recovery watches such an epoch before it begins the next
	// one by itself. If the archive could not be reached for a long time, a server that
	// is alive writes its next heartbeat in this time.
	WatchFor = 3 * BeatEvery
)

// Epoch is a period in which the servers of one database write.
type Epoch struct {
	Number int       `json:"epoch"` // from 1; 0 if the archive is empty
	Server string    `json:"server"`
	Began  time.Time `json:"began"`
	Token  string    `json:"token"` // distinguishes two servers that begin it at once

	Installation string `json:"installation"` // whose data it holds

	Heartbeats map[string]Heartbeat `json:"-"` // the last one of each server
}

// Heartbeat shows that a server is alive. Its number and token are recorded in the
// database of the server too, so that servers with two copies of a database notice
// each other.
type Heartbeat struct {
	At     time.Time `json:"at"`
	Number int64     `json:"number,omitempty"` // increases; 0 in heartbeats of earlier versions
	Token  string    `json:"token,omitempty"`
}

// Last returns the server that was active last, and when.
func (e Epoch) Last() (server string, at time.Time) {
	server, at = e.Server, e.Began
	for name, b := range e.Heartbeats {
		if b.At.After(at) {
			server, at = name, b.At
		}
	}
	return server, at
}

// Ages are the times since the servers of an epoch wrote their last heartbeats, and since
// the epoch was begun, by the clock of the archive.
type Ages struct {
	Began      time.Duration
	Heartbeats map[string]time.Duration // by server
}

// Silent reports whether the servers of the epoch have stopped.
func (a Ages) Silent() bool {
	for _, age := range a.Heartbeats {
		if age < SilentAfter {
			return false
		}
	}
	return a.Began >= SilentAfter
}

// clockName is a file that shows the time of the archive's clock. It is next to the
// heartbeats, which are not locked either.
const clockName = "heartbeats/clock"

// Ages returns the ages of an epoch and its heartbeats. It replaces one small file.
func (a *Archive) Ages(ctx context.Context, epoch int) (ages Ages, err error) {
	beats, now, err := a.at.modified(ctx, path.Join("heartbeats", epochName(epoch)))
	if err != nil {
		return ages, fmt.Errorf("read the ages of the heartbeats: %w", err)
	}
	ages.Heartbeats = map[string]time.Duration{}
	for server, at := range beats {
		ages.Heartbeats[server] = now.Sub(at)
	}
	begun, now, err := a.at.modified(ctx, "epochs")
	if err != nil {
		return ages, fmt.Errorf("read the age of the epoch: %w", err)
	}
	at, is := begun[epochName(epoch)]
	if !is {
		return ages, fmt.Errorf("%w: epoch %d does not exist", ErrInvalid, epoch)
	}
	ages.Began = now.Sub(at)
	return ages, nil
}

// epochName returns the name of an epoch, which sorts by number.
func epochName(number int) string { return fmt.Sprintf("%06d", number) }

// Newest returns the newest epoch. Its number is 0 if the archive is empty.
func (a *Archive) Newest(ctx context.Context) (Epoch, error) {
	names, err := a.at.list(ctx, "epochs")
	if err != nil {
		return Epoch{}, fmt.Errorf("list the epochs of the archive: %w", err)
	}
	newest := 0
	for _, name := range names {
		number, err := strconv.Atoi(name)
		if err != nil || epochName(number) != name {
			return Epoch{}, fmt.Errorf("%w: epochs/%s is not an epoch", ErrDamaged, name)
		}
		newest = max(newest, number)
	}
	if newest == 0 {
		return Epoch{}, nil
	}
	var e Epoch
	if err := a.readJSON(ctx, path.Join("epochs", epochName(newest)), &e); err != nil {
		return Epoch{}, fmt.Errorf("read epoch %d of the archive: %w", newest, err)
	}
	if e.Number != newest {
		return Epoch{}, fmt.Errorf("%w: epochs/%s says that it is epoch %d", ErrDamaged, epochName(newest), e.Number)
	}
	if e.Installation != a.owner {
		return Epoch{}, fmt.Errorf("%w, %s", ErrForeign, e.Installation)
	}
	e.Heartbeats, err = a.heartbeats(ctx, newest)
	return e, err
}

// Token returns the token of an epoch, which no other archive has, or an error that
// wraps fs.ErrNotExist.
func (a *Archive) Token(ctx context.Context, epoch int) (string, error) {
	var e Epoch
	if err := a.readJSON(ctx, path.Join("epochs", epochName(epoch)), &e); err != nil {
		return "", fmt.Errorf("read epoch %d of the archive: %w", epoch, err)
	}
	return e.Token, nil
}

// heartbeats returns the last heartbeats of the servers of an epoch.
func (a *Archive) heartbeats(ctx context.Context, epoch int) (map[string]Heartbeat, error) {
	folder := path.Join("heartbeats", epochName(epoch))
	servers, err := a.at.list(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("list the heartbeats of the archive: %w", err)
	}
	beats := make([]Heartbeat, len(servers))
	var reads errgroup.Group
	reads.SetLimit(heartbeatReads)
	for n, server := range servers {
		reads.Go(func() error {
			err := a.readJSON(ctx, path.Join(folder, server), &beats[n])
			if err != nil && !errors.Is(err, ErrDamaged) { // power failed while it was written
				return fmt.Errorf("read the heartbeat of %s: %w", server, err)
			}
			return nil
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	all := map[string]Heartbeat{}
	for n, server := range servers {
		all[server] = beats[n]
	}
	return all, nil
}

// heartbeatReads is how many heartbeats are read at the same time. Each new name of a
// server adds one to the epoch, and in containers names often change.
const heartbeatReads = 32

func (a *Archive) readJSON(ctx context.Context, name string, into any) error {
	text, err := a.at.read(ctx, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return nil
}

// NewToken returns a token for an epoch.
func (a *Archive) NewToken() (string, error) {
	var token [16]byte
	_, err := io.ReadFull(a.random, token[:])
	return hex.EncodeToString(token[:]), err
}

// Begin is BeginAs with a new token.
func (a *Archive) Begin(ctx context.Context, number int) error {
	token, err := a.NewToken()
	if err != nil {
		return err
	}
	return a.BeginAs(ctx, number, token)
}

// BeginAs creates an epoch with a token of NewToken, which must follow the newest one,
// and opens its journal. If two servers begin the same epoch, one of them gets
// ErrSuperseded. What servers of earlier epochs still write is not read any more.
func (a *Archive) BeginAs(ctx context.Context, number int, token string) error {
	newest, err := a.Newest(ctx)
	if err != nil {
		return err
	}
	switch {
	case newest.Number >= number:
		return fmt.Errorf("begin epoch %d: %w", number, ErrSuperseded)
	case newest.Number != number-1:
		return fmt.Errorf("begin epoch %d: %w: the newest is %d", number, ErrInvalid, newest.Number)
	}
	text, err := json.Marshal(Epoch{Number: number, Server: a.server, Began: a.now().UTC(), Token: token, Installation: a.owner})
	if err != nil {
		return err
	}
	err = a.at.create(ctx, path.Join("epochs", epochName(number)), append(text, '\n'))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("begin epoch %d: %w", number, ErrSuperseded)
	}
	if err == nil {
		// Heartbeats can be written while the earlier epochs are ended, which takes long
		// in S3 if they have many journals.
		err = a.enterEpoch(ctx, number)
	}
	if err == nil && number > 1 {
		err = a.endEarlier(ctx, number)
	}
	if err != nil {
		return fmt.Errorf("begin epoch %d: %w", number, err)
	}
	return nil
}

// Join opens the journal of this server in the newest epoch, to continue writing.
func (a *Archive) Join(ctx context.Context, number int) error {
	newest, err := a.Newest(ctx)
	if err != nil {
		return err
	}
	switch {
	case newest.Number > number:
		return fmt.Errorf("join epoch %d: %w", number, ErrSuperseded)
	case newest.Number < number || number < 1:
		return fmt.Errorf("join epoch %d: %w: the newest is %d", number, ErrInvalid, newest.Number)
	}
	return a.enterEpoch(ctx, number)
}

func (a *Archive) enterEpoch(ctx context.Context, number int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended != nil:
		return a.ended
	case a.journal != nil:
		return fmt.Errorf("%w: it is in epoch %d already", ErrInvalid, a.epoch)
	}
	j, err := a.at.journal(ctx, journalFolder(number, a.server))
	if err != nil {
		return fmt.Errorf("open the journal of %s in epoch %d: %w", a.server, number, err)
	}
	a.journal, a.epoch = j, number
	return nil
}

// Epoch returns the epoch in which this server writes.
func (a *Archive) Epoch() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.epoch
}

// Server returns the name of this server.
func (a *Archive) Server() string { return a.server }

// Heartbeats returns the heartbeats of all servers of the epoch of this server.
func (a *Archive) Heartbeats(ctx context.Context) (map[string]Heartbeat, error) {
	epoch, err := a.current()
	if err != nil {
		return nil, err
	}
	return a.heartbeats(ctx, epoch)
}

// current returns the epoch of this server.
func (a *Archive) current() (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended == nil && a.epoch == 0 {
		return 0, fmt.Errorf("%w: no epoch was begun or joined", ErrInvalid)
	}
	return a.epoch, a.ended
}

// Beat records that this server is alive. It returns the heartbeats of all servers of
// its epoch, or ErrSuperseded if there is a newer epoch. Servers call it every
// BeatEvery.
func (a *Archive) Beat(ctx context.Context, number int64, token string) (map[string]Heartbeat, error) {
	epoch, err := a.current()
	if err != nil {
		return nil, err
	}
	if err := a.verifyNewest(ctx); err != nil {
		return nil, err
	}
	text, err := json.Marshal(Heartbeat{At: a.now().UTC(), Number: number, Token: token})
	if err != nil {
		return nil, err
	}
	if err := a.at.replace(ctx, path.Join("heartbeats", epochName(epoch), a.server), append(text, '\n')); err != nil {
		return nil, fmt.Errorf("write the heartbeat to the archive: %w", err)
	}
	return a.heartbeats(ctx, epoch)
}

// End ends all writes with an error, because this server must not issue documents any
// more.
func (a *Archive) End(cause error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended == nil {
		a.ended = cause
	}
}

// verifyNewest returns ErrSuperseded if there is a newer epoch, and ends all writes.
// Epochs have consecutive numbers, so it looks for one name only.
func (a *Archive) verifyNewest(ctx context.Context) error {
	a.mu.Lock()
	epoch := a.epoch
	a.mu.Unlock()
	newer, err := a.at.exists(ctx, path.Join("epochs", epochName(epoch+1)))
	if err != nil {
		return fmt.Errorf("look for a newer epoch: %w", err)
	}
	if !newer {
		return nil
	}
	a.End(ErrSuperseded)
	return ErrSuperseded
}
