// Package work runs what the service does by itself, again and again, and
// stops it in an orderly way. It does not know what the work is.
package work

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Loops are background loops that are stopped together.
type Loops struct {
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// New makes a set of loops. Nothing runs yet.
func New(log *slog.Logger) *Loops {
	ctx, cancel := context.WithCancel(context.Background())
	return &Loops{log: log, ctx: ctx, cancel: cancel}
}

// Start does a piece of work at once and then again whenever the time has
// passed or wake is called, until Stop. A failure is logged and the next time
// tried again, a panic too: one broken piece of work must not end the others.
func (l *Loops) Start(name string, every time.Duration, do func(context.Context) error) (wake func()) {
	bell := make(chan struct{}, 1)
	l.ended.Go(func() {
		timer := time.NewTimer(0)
		defer timer.Stop()
		for {
			select {
			case <-l.ctx.Done():
				return
			case <-bell:
			case <-timer.C:
			}
			l.once(name, do)
			timer.Reset(every)
		}
	})
	return func() {
		select {
		case bell <- struct{}{}:
		default: // it is awake already
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

// Stop ends the loops and waits until what is being done is done, but no longer
// than so: work that hangs must not keep a process from ending. It says whether
// all has ended.
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
		l.log.Error("background work does not end")
		return false
	}
}
