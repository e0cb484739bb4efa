package simulator

import (
	"context"
	"time"
)

// Memory limits of request bodies. The first buffer of a body is not counted. A
// growing body must reserve shares, and a body above largeBody needs one of the
// large slots, because validating a document takes many times its size.
const (
	firstBuffer = 4 << 10
	share       = 64 << 10
	shares      = 256 << 20 / share
	largeBody   = 1 << 20 // a document of some hundred lines is smaller
	largeSlots  = 4
)

// gate limits the memory of all request bodies being read or processed.
type gate struct {
	shares chan struct{}
	large  chan struct{}
}

func newGate() *gate {
	return &gate{shares: make(chan struct{}, shares), large: make(chan struct{}, largeSlots)}
}

// reservation is the memory reserved for one body.
type reservation struct {
	gate   *gate
	shares int
	large  bool
}

// grow reserves memory for a buffer of the given size and waits until it is
// available or ctx ends. A body with a large slot needs no shares, so such
// bodies can always finish, even if other bodies hold all shares and wait for
// more.
func (t *reservation) grow(ctx context.Context, size int) (waited time.Duration, err error) {
	began := time.Now()
	for !t.large && (size > largeBody || t.shares*share < size) {
		buy := t.gate.shares
		if size > largeBody {
			buy = nil
		}
		select {
		case buy <- struct{}{}:
			t.shares++
			continue
		default:
		}
		select {
		case buy <- struct{}{}:
			t.shares++
		case t.gate.large <- struct{}{}:
			t.returnShares()
			t.large = true
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return time.Since(began), nil
}

func (t *reservation) returnShares() {
	for ; t.shares > 0; t.shares-- {
		<-t.gate.shares
	}
}

// release releases the reserved memory.
func (t *reservation) release() {
	t.returnShares()
	if t.large {
		<-t.gate.large
		t.large = false
	}
}
