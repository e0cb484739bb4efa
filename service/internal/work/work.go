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

	mu   sync.Mutex
	last <-chan struct{} // closed after the first run of the last loop; nil without loops
}

// firstWait limits how long the first run of a loop waits for that of the loop
// before it.
const firstWait = 100 * time.Millisecond

// New returns an empty set of loops. Start adds a loop and runs it.
func New(log *slog.Logger) *Loops {
	ctx, cancel := context.WithCancel(context.Background())
	return &Loops{log: log, ctx: ctx, cancel: cancel}
}

// Start runs do at once, then after each interval and whenever wake is called,
// until Stop. Errors and panics of do are logged, and do runs again the next
// time: one broken job must not end the others.
//
// The first runs are one after the other, unless one takes longer than firstWait:
// together they would open one connection to the database each, which are expensive
// and hardly needed later.
func (l *Loops) Start(name string, every time.Duration, do func(context.Context) error) (wake func()) {
	wakeup := make(chan struct{}, 1)
	before, first := l.queue()
	l.ended.Go(func() {
		defer first()
		timer := time.NewTimer(firstWait)
		defer timer.Stop()
		for {
			select {
			case <-l.ctx.Done():
				return
			case <-wakeup:
			case <-timer.C:
			case <-before:
			}
			before = nil
			l.once(name, do)
			first()
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

// queue returns a channel that is closed when the first run of a new loop may begin,
// and a function that must be called after it.
func (l *Loops) queue() (before <-chan struct{}, first func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ran := make(chan struct{})
	before, l.last = l.last, ran
	first = sync.OnceFunc(func() { close(ran) })
	if before == nil {
		now := make(chan struct{})
		close(now)
		before = now
	}
	return before, first
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
