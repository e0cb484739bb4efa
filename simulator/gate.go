package simulator

import (
	"context"
	"time"
)

// What bodies may take of the memory. A body has its first buffer for nothing,
// as its connection has; from then on it pays in shares for what it grows to,
// and beyond largeBody it needs a slot, because what is judged takes many times
// its size.
const (
	firstBuffer = 4 << 10
	share       = 64 << 10
	shares      = 256 << 20 / share
	largeBody   = 1 << 20 // a document of some hundred lines is smaller
	largeSlots  = 4
)

// gate bounds the memory of all bodies that are read or worked on.
type gate struct {
	shares chan struct{}
	large  chan struct{}
}

func newGate() *gate {
	return &gate{shares: make(chan struct{}, shares), large: make(chan struct{}, largeSlots)}
}

// ticket is what one body has of the gate.
type ticket struct {
	gate   *gate
	shares int
	large  bool
}

// grow lets a body have a buffer of a size, or waits until it may. The context
// ends the wait. Who has a slot asks no more: so somebody can always finish,
// even when all shares are with bodies that want more of them.
func (t *ticket) grow(ctx context.Context, size int) (waited time.Duration, err error) {
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

func (t *ticket) returnShares() {
	for ; t.shares > 0; t.shares-- {
		<-t.gate.shares
	}
}

// end gives everything back, when nothing of the body is needed any more.
func (t *ticket) end() {
	t.returnShares()
	if t.large {
		<-t.gate.large
		t.large = false
	}
}
