package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A server that allocates less than idleBytes in idlePeriod is idle. Its loops
// allocate some megabytes in that time.
const (
	idlePeriod = 30 * time.Second
	idleBytes  = 16 << 20
)

// returnIdleMemory returns memory to the system while the server is idle, until ctx is
// done. Otherwise the process would keep several times the live heap, which
// service.GCPercent allows for speed.
func returnIdleMemory(ctx context.Context) {
	ticker := time.NewTicker(idlePeriod)
	defer ticker.Stop()
	whenIdle(ctx, ticker.C, allocated, debug.FreeOSMemory)
}

// whenIdle calls free after each tick before which little was allocated.
func whenIdle(ctx context.Context, tick <-chan time.Time, allocated func() uint64, free func()) {
	last := allocated()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		now := allocated()
		if now-last < idleBytes {
			free()
		}
		last = now
	}
}

// allocated returns the number of bytes that the process has allocated on the heap.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
