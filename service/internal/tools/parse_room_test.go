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
		r := newRoom()
		var in []*stay
		for range placesToParse {
			one, err := r.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			in = append(in, one)
		}
		if _, err := r.enter(t.Context()); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("fifth file: error %v, want that the service is busy", err)
		}
		came := make(chan error)
		go func() {
			one, err := r.enter(t.Context())
			if err == nil {
				defer one.leave()
			}
			came <- err
		}()
		synctest.Wait()
		in[0].leave()
		if err := <-came; err != nil {
			t.Errorf("after one file has finished: %v", err)
		}
	})
}

func TestOneLargeFileIsParsedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom()
		one, err := r.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		two, err := r.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(one.grow(t.Context()), one.grow(t.Context())); err != nil {
			t.Errorf("first large file: %v", err)
		}
		if err := two.grow(t.Context()); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("second large file: error %v, want that the service is busy", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := two.grow(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("client that disconnected: error %v", err)
		}
		one.leave()
		if err := two.grow(t.Context()); err != nil {
			t.Errorf("after the first large file has finished: %v", err)
		}
		two.leave()
	})
}
