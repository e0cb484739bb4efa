// Package work runs background jobs periodically and stops them in an orderly
// way. It does not know what the jobs do.
package work

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Loops is a set of background loops that are stopped together.
type Loops struct {
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// New returns an empty set of loops. Start adds a loop and runs it.
func New(log *slog.Logger) *Loops {
	ctx, cancel := context.WithCancel(context.Background())
	return &Loops{log: log, ctx: ctx, cancel: cancel}
}

// Start runs do at once, then after each interval and whenever wake is called,
// until Stop. Errors and panics of do are logged, and do runs again the next
// time: one broken job must not end the others.
func (l *Loops) Start(name string, every time.Duration, do func(context.Context) error) (wake func()) {
	wakeup := make(chan struct{}, 1)
	l.ended.Go(func() {
		timer := time.NewTimer(0)
		defer timer.Stop()
		for {
			select {
			case <-l.ctx.Done():
				return
			case <-wakeup:
			case <-timer.C:
			}
			l.once(name, do)
			timer.Reset(every)
		}
	})
	return func() {
		select {
		case wakeup <- struct{}{}:
		default: // a run is already pending
		}
	}
}

func (l *Loops) once(name string, do func(context.Context) error) {
	defer func() {
		if p := recover(); p != nil {
			l.log.Error("background work panicked", "work", name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	if err := do(l.ctx); err != nil && l.ctx.Err() == nil {
		l.log.Error("background work failed", "work", name, "cause", err.Error())
	}
}

// Stop ends the loops and waits for running jobs, but at most for longest: a job
// that hangs must not keep the process from ending. It reports whether all jobs
// have ended.
func (l *Loops) Stop(longest time.Duration) bool {
	l.cancel()
	ended := make(chan struct{})
	go func() {
		l.ended.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return true
	case <-time.After(longest):
		l.log.Error("background work did not end in time")
		return false
	}
}
