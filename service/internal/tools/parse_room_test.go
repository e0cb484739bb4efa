package tools

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"khatm/service/internal/fault"
)

func TestRoomHasFourPlaces(t *testing.T) {
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
			t.Errorf("the fifth: got %v, want that it is too busy", err)
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
			t.Errorf("after one has left: %v", err)
		}
	})
}

func TestRoomHasOneLargePlace(t *testing.T) {
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
			t.Errorf("the first: %v", err)
		}
		if err := two.grow(t.Context()); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("the second: got %v, want that it is too busy", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := two.grow(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that left: got %v", err)
		}
		one.leave()
		if err := two.grow(t.Context()); err != nil {
			t.Errorf("after the first has left: %v", err)
		}
		two.leave()
	})
}
