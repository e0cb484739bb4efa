package tools

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"khatm/service/internal/fault"
)

// placesToParse is how many files are parsed at a time; the others wait, but not
// for ever.
const (
	placesToParse = 4
	longestWait   = 5 * time.Second
)

// room is where files are parsed. Of those in it, one at a time may be large,
// so that memory is bounded by one large file and a few small ones.
type room struct {
	places, large chan struct{}
}

func newRoom() *room {
	return &room{places: make(chan struct{}, placesToParse), large: make(chan struct{}, 1)}
}

// stay is the time that one file is in the room.
type stay struct {
	room    *room
	isLarge bool
	litter  bool // it leaves much behind that nobody needs
}

// enter waits for a place.
func (r *room) enter(ctx context.Context) (*stay, error) {
	if err := take(ctx, r.places); err != nil {
		return nil, err
	}
	return &stay{room: r}, nil
}

// grow waits until no other large file is in the room.
func (s *stay) grow(ctx context.Context) error {
	if s.isLarge {
		return nil
	}
	if err := take(ctx, s.room.large); err != nil {
		return err
	}
	s.isLarge, s.litter = true, true
	return nil
}

// leave makes room for the next. A server lets garbage lie for long, which is
// right for what requests leave behind, and not for what large files do.
func (s *stay) leave() {
	if s.litter {
		runtime.GC()
	}
	if s.isLarge {
		<-s.room.large
	}
	<-s.room.places
}

func take(ctx context.Context, from chan struct{}) error {
	enough := time.NewTimer(longestWait)
	defer enough.Stop()
	select {
	case from <- struct{}{}:
		return nil
	case <-enough.C:
		return (&fault.Error{Kind: fault.Unavailable}).With("detail", "Too many files and invoices are being worked on at this moment. Try again shortly.")
	case <-ctx.Done():
		return fmt.Errorf("wait for a place to work on a file or invoice: %w", ctx.Err())
	}
}
