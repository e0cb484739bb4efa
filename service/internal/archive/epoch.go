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
)

// Intervals of heartbeats.
const (
	// BeatEvery is how often a server calls [Archive.Beat].
	BeatEvery = 30 * time.Second

	// SilentAfter is the time without a heartbeat after which an epoch has no server
	// any more, so that a recovery may begin the next one by itself.
	SilentAfter = 5 * time.Minute
)

// Epoch is a period in which the servers of one database write.
type Epoch struct {
	Number int       `json:"epoch"` // from 1; 0 if the archive is empty
	Server string    `json:"server"`
	Began  time.Time `json:"began"`
	Token  string    `json:"token"` // distinguishes two servers that begin it at once

	Installation string `json:"installation"` // whose data it holds

	Beat time.Time `json:"-"` // last heartbeat of any of its servers, or Began
}

// Silent reports whether the servers of the epoch have stopped. A heartbeat with a
// time in the future was written with a wrong clock and counts as present.
func (e Epoch) Silent(now time.Time) bool { return now.Sub(e.Beat) >= SilentAfter }

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
	e.Beat, err = a.lastBeat(ctx, e)
	return e, err
}

// beat is the content of a heartbeat.
type beat struct {
	At time.Time `json:"at"`
}

func (a *Archive) lastBeat(ctx context.Context, e Epoch) (time.Time, error) {
	folder := path.Join("heartbeats", epochName(e.Number))
	servers, err := a.at.list(ctx, folder)
	if err != nil {
		return time.Time{}, fmt.Errorf("list the heartbeats of the archive: %w", err)
	}
	last := e.Began
	for _, server := range servers {
		var b beat
		err := a.readJSON(ctx, path.Join(folder, server), &b)
		if err != nil && !errors.Is(err, ErrDamaged) { // power failed while it was written
			return time.Time{}, fmt.Errorf("read the heartbeat of %s: %w", server, err)
		}
		if b.At.After(last) {
			last = b.At
		}
	}
	return last, nil
}

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

// Begin creates an epoch, which must follow the newest one, and opens its journal.
// If two servers begin the same epoch, one of them gets ErrSuperseded. What servers
// of earlier epochs still write is not read any more.
func (a *Archive) Begin(ctx context.Context, number int) error {
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
	var token [16]byte
	if _, err := io.ReadFull(a.random, token[:]); err != nil {
		return err
	}
	text, err := json.Marshal(Epoch{Number: number, Server: a.server, Began: a.now().UTC(), Token: hex.EncodeToString(token[:]), Installation: a.owner})
	if err != nil {
		return err
	}
	err = a.at.create(ctx, path.Join("epochs", epochName(number)), append(text, '\n'))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("begin epoch %d: %w", number, ErrSuperseded)
	}
	if err == nil && number > 1 {
		err = a.endEarlier(ctx, number)
	}
	if err != nil {
		return fmt.Errorf("begin epoch %d: %w", number, err)
	}
	return a.enterEpoch(ctx, number)
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

// Beat records that this server is alive. It returns ErrSuperseded if there is a newer
// epoch. Servers call it every BeatEvery.
func (a *Archive) Beat(ctx context.Context) error {
	a.mu.Lock()
	epoch, ended := a.epoch, a.ended
	a.mu.Unlock()
	switch {
	case ended != nil:
		return ended
	case epoch == 0:
		return fmt.Errorf("%w: no epoch was begun or joined", ErrInvalid)
	}
	if err := a.verifyNewest(ctx); err != nil {
		return err
	}
	text, err := json.Marshal(beat{At: a.now().UTC()})
	if err != nil {
		return err
	}
	if err := a.at.replace(ctx, path.Join("heartbeats", epochName(epoch), a.server), append(text, '\n')); err != nil {
		return fmt.Errorf("write the heartbeat to the archive: %w", err)
	}
	return nil
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
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended == nil {
		a.ended = ErrSuperseded
	}
	return ErrSuperseded
}
