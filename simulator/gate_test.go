package simulator

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// TestGateNeverLocksItself checks that bodies that hold all shares and wait for
// more do not deadlock.
func TestGateNeverLocksItself(t *testing.T) {
	t.Parallel()
	g := &gate{shares: make(chan struct{}, 8), large: make(chan struct{}, 2)}
	var held, all sync.WaitGroup
	held.Add(8)
	for range 8 {
		all.Go(func() {
			body := reservation{gate: g}
			defer body.release()
			_, err := body.grow(t.Context(), share)
			held.Done()
			held.Wait()
			for size := 2 * share; size <= 4*largeBody && err == nil; size *= 2 {
				_, err = body.grow(t.Context(), size)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(g.shares) != 0 || len(g.large) != 0 {
		t.Errorf("%d shares and %d slots are reserved after release, want 0", len(g.shares), len(g.large))
	}
}

// TestGateReleases checks that a canceled context ends the wait and that release
// frees everything.
func TestGateReleases(t *testing.T) {
	t.Parallel()
	g := &gate{shares: make(chan struct{}, 1), large: make(chan struct{}, 1)}
	first, second := reservation{gate: g}, reservation{gate: g}
	if _, err := first.grow(t.Context(), 2*largeBody); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, size := range []int{2 * share, 2 * largeBody} {
		if _, err := second.grow(gone, size); !errors.Is(err, context.Canceled) {
			t.Errorf("grow to %d bytes with a canceled context: error %v, want %v", size, err, context.Canceled)
		}
	}
	second.release()
	first.release()
	if len(g.shares) != 0 || len(g.large) != 0 {
		t.Errorf("%d shares and %d slots are reserved after release, want 0", len(g.shares), len(g.large))
	}
}
