package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"khatm/service/internal/clock"
	"khatm/service/internal/disk"
	"khatm/service/internal/fault"
	"khatm/service/internal/ready"
)

// watch holds the state of the checks that can stop issuing.
type watch struct {
	clock *clock.Clock
	boot  func() time.Duration

	looking  sync.Mutex    // serialises checks of the disk
	lookedAt time.Duration // boot time of the last check of the disk
	looked   bool

	retry  atomic.Pointer[func()] // wakes the loop that checks the database; nil until it runs
	halted atomic.Bool            // written data could not be made durable
	fatal  chan error             // why the process must exit
	late   int                    // consecutive slow checks of the database; used by its loop only
	askAt  atomic.Int64           // boot time of the next request for the authority's time

	started   atomic.Int64  // boot time at which the authority was first expected to tell the time
	begun     chan struct{} // closed once the authority has been asked for the time
	beginning sync.Once
}

func newWatch(c Config) *watch {
	w := &watch{clock: clock.New(c.Now, c.Boot), boot: c.Boot, fatal: make(chan error, 1), begun: make(chan struct{})}
	w.started.Store(int64(c.Boot()))
	return w
}

// watchEvery is how often the checks run without a request.
const watchEvery = time.Second

// startWatch starts the checks that can stop issuing. Those that use the
// database run in a separate loop, so that a hanging database does not hide a
// full disk.
func (s *Server) startWatch() {
	s.loops.Start("check the clock, the disk and the master key", watchEvery, func(context.Context) error {
		_ = s.canIssue()
		return nil
	})
	accepted, err := s.store.AcceptedClock(context.Background())
	if err != nil {
		s.config.Log.Error("cannot read when the clock was last accepted", "cause", err.Error())
	}
	wake := s.loops.Start("check the database", watchEvery, func(ctx context.Context) error {
		return s.checkDatabase(ctx, &accepted)
	})
	s.watch.retry.Store(&wake)
}

// canIssue runs the checks of the machine and returns an error if nothing can
// be issued now.
func (s *Server) canIssue() error {
	s.checkMachine()
	return s.guard.Ready()
}

// canStillIssue is canIssue for use under the lock, where the database cannot be
// compared.
func (s *Server) canStillIssue() error {
	s.checkMachine()
	return s.guard.StillReady()
}

func (s *Server) checkMachine() {
	s.checkClock()
	s.checkDisk()
	s.set(ready.MasterKey, s.vault.Check())
}

// set records whether a cause stops issuing, and logs the beginning and the end
// of a stop. It reports whether a stop begins.
func (s *Server) set(c ready.Cause, err error) (begins bool) {
	if err == nil {
		if s.issuing.Clear(c) {
			s.config.Log.Info("a cause that stopped issuing has ended", "cause", string(c))
		}
		return false
	}
	begins = s.issuing.Stop(c, s.config.Now(), err.Error())
	if begins {
		s.config.Log.Error("issuing is stopped", "cause", string(c), "detail", err.Error(), "do", c.Fix())
	}
	return begins
}

func (s *Server) checkClock() { s.set(ready.Clock, s.watch.clock.Check()) }

// checkDisk checks the free space, at most once a second. It does nothing with
// PostgreSQL, whose disk may be on another machine.
func (s *Server) checkDisk() {
	w := s.watch
	if s.config.Database != "" {
		return
	}
	w.looking.Lock()
	defer w.looking.Unlock()
	now := w.boot()
	if w.looked && now-w.lookedAt < watchEvery && now >= w.lookedAt {
		return
	}
	w.looked, w.lookedAt = true, now
	space, err := disk.Of(s.config.Data)
	switch {
	case errors.Is(err, disk.ErrUnsupported):
		return
	case err == nil && space.ReadOnly:
		err = errors.New("the file system is read-only")
	case err == nil && space.Free < s.config.DiskFloor:
		err = fmt.Errorf("%d MiB are free, less than %d MiB", space.Free>>20, s.config.DiskFloor>>20)
	}
	s.set(ready.Disk, err)
}

// committed is called with the result of each transaction.
func (s *Server) committed(err error) {
	if s.watch.halted.Load() {
		return
	}
	if wake := s.watch.retry.Load(); s.set(ready.Commit, err) && wake != nil {
		(*wake)() // the failure may be over already, such as that of a single connection
	}
}

// halted stops issuing and ends the process: after a failed sync the kernel may
// return written data that will never reach the disk.
func (s *Server) halted(cause error) {
	s.watch.halted.Store(true)
	err := fmt.Errorf("written data could not be made durable: the service exits so that no invoice is lost; check the disk and the system log, then start it again: %w", cause)
	s.set(ready.Commit, err)
	select {
	case s.watch.fatal <- err:
	default:
	}
}

// databaseTime limits the duration of the short queries of checkDatabase.
const databaseTime = 2 * time.Second

// checkDatabase checks whether the database answers, whether an operator has
// accepted the clock, and whether any device can issue. If the last commit
// failed, it tries to write.
func (s *Server) checkDatabase(ctx context.Context, accepted *time.Time) error {
	if s.watch.halted.Load() {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, databaseTime)
	defer cancel()
	at, err := s.store.AcceptedClock(bounded)
	if err == nil && !at.Equal(*accepted) {
		*accepted = at
		s.acceptClock(at)
	}
	future := false
	if err == nil {
		future, err = s.store.AllDatedAhead(bounded, s.config.Now())
	}
	late := errors.Is(err, context.DeadlineExceeded)
	if !late {
		s.watch.late = 0
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case late:
		// A single slow answer is not a failure.
		if s.watch.late++; s.watch.late > 1 {
			s.committed(err)
		}
		return nil
	case fault.KindOf(err) == fault.Unavailable:
		s.committed(err)
		return nil
	case err != nil:
		return err
	}
	s.checkFuture(future)
	if s.issuing.Stopped(ready.Commit) {
		_ = s.store.TryWrite(ctx) // the result goes to committed
	}
	return nil
}

// checkFuture records whether all devices are blocked because their last
// documents are dated in the future. This is ignored while the clock is wrong.
func (s *Server) checkFuture(all bool) {
	if all && s.watch.clock.Check() == nil {
		s.set(ready.Future, errors.New("run khatm doctor for a list of the devices"))
		return
	}
	s.set(ready.Future, nil)
}

// acceptClock accepts this server's clock on behalf of an operator, if it shows
// the accepted time.
func (s *Server) acceptClock(at time.Time) {
	if !s.watch.clock.Accept(at) {
		s.config.Log.Warn("an operator accepted a time that differs from this server's clock", "accepted", at)
		return
	}
	s.config.Log.Info("an operator accepted the clock", "accepted", at)
	s.checkClock()
}
