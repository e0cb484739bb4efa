package tools

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"khatm/service/internal/fault"
)

// placesToParse is the number of files parsed at a time; longestWait is how long
// others wait for a place.
const (
	placesToParse = 4
	longestWait   = 5 * time.Second
)

// room limits the files parsed at a time. Only one of them may be large, so that
// memory is bounded by one large file and a few small ones.
type room struct {
	places, large chan struct{}
}

func newRoom() *room {
	return &room{places: make(chan struct{}, placesToParse), large: make(chan struct{}, 1)}
}

// stay is the place held by one file.
type stay struct {
	room    *room
	isLarge bool
	litter  bool // it leaves much garbage
}

// enter waits for a place.
func (r *room) enter(ctx context.Context) (*stay, error) {
	if err := take(ctx, r.places); err != nil {
		return nil, err
	}
	return &stay{room: r}, nil
}

// grow waits until no other large file is being parsed.
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

// leave releases the place. After a large file it collects garbage at once,
// because the server's settings delay collection, which suits only small requests.
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
		return (&fault.Error{Kind: fault.Unavailable}).With("detail", "Too many files and invoices are being processed at the moment. Try again shortly.")
	case <-ctx.Done():
		return fmt.Errorf("wait to process a file or invoice: %w", ctx.Err())
	}
}
