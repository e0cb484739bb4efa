package main

import (
	"context"
	"testing"
	"time"
)

func TestIdleServerReturnsMemory(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tick := make(chan time.Time)
	// The bytes at the start and at each tick: idle, busy, idle.
	bytes, freed := []uint64{1000, 1000 + idleBytes - 1, 1000 + 3*idleBytes, 1001 + 3*idleBytes}, []int{}
	reads := 0
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		whenIdle(ctx, tick, func() uint64 { reads++; return bytes[reads-1] }, func() { freed = append(freed, reads-1) })
	}()
	for range 3 {
		tick <- time.Time{}
	}
	cancel()
	<-ended
	if len(freed) != 2 || freed[0] != 1 || freed[1] != 3 {
		t.Errorf("memory was returned after ticks %v, want 1 and 3", freed)
	}
	if before := allocated(); before == 0 {
		t.Error("the process has allocated 0 bytes")
	}
}
