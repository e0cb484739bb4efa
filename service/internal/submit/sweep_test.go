package submit_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"testing"
	"time"

	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
	"khatm/service/internal/work"
)

// unreadable is a store whose Lapse and StopInDoubt fail.
type unreadable struct {
	*store.Store
	claimed, promoted chan struct{}
}

func (unreadable) Lapse(context.Context, time.Time, time.Time, int, func(int) time.Duration) (int, error) {
	return 0, errors.New("database disk image is malformed")
}

func (unreadable) StopInDoubt(context.Context, time.Time, int) ([]submit.Stopped, error) {
	return nil, errors.New("database disk image is malformed")
}

func (u unreadable) Claim(ctx context.Context, c submit.Claiming) (submit.Claimed, error) {
	tell(u.claimed)
	return u.Store.Claim(ctx, c)
}

func (u unreadable) Promote(ctx context.Context, now, far time.Time, most int) (int, error) {
	tell(u.promoted)
	return u.Store.Promote(ctx, now, far, most)
}

func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// A step that always fails does not prevent claims and the other steps.
func TestSweepGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	keeper := unreadable{storetest.Open(t, storetest.SQLite(t)), make(chan struct{}, 1), make(chan struct{}, 1)}
	log := slog.New(slog.DiscardHandler)
	backoff := submit.Backoff{First: time.Second, Most: time.Second}
	loops := work.New(log)
	s := submit.New(submit.Config{
		Keeper: keeper, Now: time.Now, Random: rand.Reader, Log: log, Workers: 1, Copies: 1, Alone: true,
		Lease: time.Minute, Poll: time.Millisecond, Retry: backoff, Probe: backoff, Copy: backoff,
	})
	s.Start(loops)
	defer s.Close(time.Second)
	defer loops.Stop(time.Minute)
	for what, done := range map[string]chan struct{}{"claim": keeper.claimed, "promote": keeper.promoted} {
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Errorf("%s was not called within 30s", what)
		}
	}
}
