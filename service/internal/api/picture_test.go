package api_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"khatm/service/internal/api"
	"khatm/service/internal/fault"
)

// A picture waits at most ten seconds for its turn.
func TestA5_PicturesWaitForTheirTurnWithinBounds(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		release time.Duration // when the turns are released; 0 for never
		leave   time.Duration // when the client disconnects; 0 for never
		took    time.Duration
		want    func(error) bool
	}{
		{"no turn becomes free", 0, 0, 10 * time.Second, func(err error) bool { return fault.KindOf(err) == fault.Unavailable }},
		{"a turn becomes free late", 9 * time.Second, 0, 9 * time.Second, func(err error) bool { return fault.KindOf(err) == fault.Invalid }},
		{"the client disconnects", 0, time.Second, time.Second, func(err error) bool { return errors.Is(err, context.Canceled) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := api.New(api.Config{})
				ctx, leave := context.WithCancel(t.Context())
				release := s.TakeTurns()
				if c.release > 0 {
					time.AfterFunc(c.release, release)
				}
				if c.leave > 0 {
					time.AfterFunc(c.leave, leave)
				}
				began := time.Now()
				_, err := s.Clean(ctx, []byte("no picture"))
				if took := time.Since(began); took != c.took || !c.want(err) {
					t.Errorf("Clean returned after %s, want %s; error = %v, as expected: %t", took, c.took, err, c.want(err))
				}
				leave()
			})
		})
	}
}
