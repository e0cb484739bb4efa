package tools

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"khatm/service/internal/fault"
)

// parseSlots is the number of files parsed at a time.
const parseSlots = 4

// maxWait is how long other files wait for a slot. Only tests change it.
var maxWait = 5 * time.Second

// slots limits the files parsed at a time. Only one of them may be large, so that
// memory is bounded by one large file and a few small ones.
type slots struct {
	places, large chan struct{}
}

func newSlots() *slots {
	return &slots{places: make(chan struct{}, parseSlots), large: make(chan struct{}, 1)}
}

// slot is used by one file while it is parsed.
type slot struct {
	slots   *slots
	isLarge bool
	garbage bool // parsing leaves much garbage
}

// acquire waits for a free slot.
func (r *slots) acquire(ctx context.Context) (*slot, error) {
	if err := take(ctx, r.places); err != nil {
		return nil, err
	}
	return &slot{slots: r}, nil
}

// acquireLarge waits until no other large file is being parsed.
func (s *slot) acquireLarge(ctx context.Context) error {
	if s.isLarge {
		return nil
	}
	if err := take(ctx, s.slots.large); err != nil {
		return err
	}
	s.isLarge, s.garbage = true, true
	return nil
}

// release frees the slot. After a large file it collects garbage at once,
// because the server's settings delay collection, which suits only small requests.
func (s *slot) release() {
	if s.garbage {
		runtime.GC()
	}
	if s.isLarge {
		<-s.slots.large
	}
	<-s.slots.places
}

func take(ctx context.Context, from chan struct{}) error {
	enough := time.NewTimer(maxWait)
	defer enough.Stop()
	select {
	case from <- struct{}{}:
		return nil
	case <-enough.C:
		return fault.Detail(fault.ToolsBusy, "Too many files and invoices are being processed at the moment. Try again shortly.")
	case <-ctx.Done():
		return fmt.Errorf("wait to process a file or invoice: %w", ctx.Err())
	}
}
