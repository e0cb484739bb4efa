package tools

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"khatm/service/internal/fault"
)

func TestFourFilesAreParsedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newSlots()
		var in []*slot
		for range parseSlots {
			one, err := r.acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			in = append(in, one)
		}
		if _, err := r.acquire(t.Context()); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("fifth file: error %v, want that the service is busy", err)
		}
		came := make(chan error)
		go func() {
			one, err := r.acquire(t.Context())
			if err == nil {
				defer one.release()
			}
			came <- err
		}()
		synctest.Wait()
		in[0].release()
		if err := <-came; err != nil {
			t.Errorf("after one file has finished: %v", err)
		}
	})
}

func TestOneLargeFileIsParsedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newSlots()
		one, err := r.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		two, err := r.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(one.acquireLarge(t.Context()), one.acquireLarge(t.Context())); err != nil {
			t.Errorf("first large file: %v", err)
		}
		if err := two.acquireLarge(t.Context()); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("second large file: error %v, want that the service is busy", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := two.acquireLarge(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("client that disconnected: error %v, want %v", err, context.Canceled)
		}
		one.release()
		if err := two.acquireLarge(t.Context()); err != nil {
			t.Errorf("after the first large file has finished: %v", err)
		}
		two.release()
	})
}
