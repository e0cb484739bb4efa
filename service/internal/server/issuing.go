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

// watch is what the service looks at to know whether it can issue.
type watch struct {
	clock *clock.Clock
	boot  func() time.Duration

	looking  sync.Mutex    // one look at the disk at a time
	lookedAt time.Duration // at the disk, by boot time
	looked   bool

	retry  atomic.Pointer[func()] // wakes the loop that tries to write; nil before it runs
	halted atomic.Bool            // written data could not be made durable
	fatal  chan error             // why the process must end
	late   int                    // checks of the database in a row that took too long; of their loop alone
	askAt  atomic.Int64           // boot time from which on the authority is asked for the time again

	started   time.Duration // by boot time
	begun     chan struct{} // closed when the authority was asked for the time
	beginning sync.Once
}

func newWatch(c Config) *watch {
	return &watch{
		clock: clock.New(c.Now, c.Boot), boot: c.Boot, fatal: make(chan error, 1),
		started: c.Boot(), begun: make(chan struct{}),
	}
}

// watchEvery is how often conditions are looked at while nobody creates.
const watchEvery = time.Second

// startWatch begins to look at the conditions that stop issuing. What needs the
// database has a loop of its own: a database that hangs must not hide a full
// disk.
func (s *Server) startWatch() {
	s.loops.Start("check the clock, the disk and the master key", watchEvery, func(context.Context) error {
		_ = s.canIssue()
		return nil
	})
	accepted, err := s.store.AcceptedClock(context.Background())
	if err != nil {
		s.config.Log.Error("when the clock was last accepted is not known", "cause", err.Error())
	}
	wake := s.loops.Start("check the database", watchEvery, func(ctx context.Context) error {
		return s.checkDatabase(ctx, &accepted)
	})
	s.watch.retry.Store(&wake)
	if s.client != nil {
		s.loops.Start("ask the authority for the time", watchEvery, s.askTime)
	}
}

// canIssue checks what can change from one moment to the next, and returns why
// no document can be issued now.
func (s *Server) canIssue() error {
	s.checkMachine()
	return s.guard.Ready()
}

// canStillIssue is canIssue inside an append, where nothing may be compared.
func (s *Server) canStillIssue() error {
	s.checkMachine()
	return s.guard.StillReady()
}

func (s *Server) checkMachine() {
	s.checkClock()
	s.checkDisk()
	s.set(ready.MasterKey, s.vault.Check())
}

// set records whether a cause stops issuing, and logs when it begins and when
// it ends. It reports whether it begins now.
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

// checkDisk looks at the free space, once a second at most. PostgreSQL's disk
// is not ours to look at.
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

// committed is told how each transaction ended.
func (s *Server) committed(err error) {
	if s.watch.halted.Load() {
		return
	}
	if wake := s.watch.retry.Load(); s.set(ready.Commit, err) && wake != nil {
		(*wake)() // a failure may be over at once, as that of one connection
	}
}

// halted stops issuing for good and ends the process: after a failed sync the
// kernel may show written data that will never reach the disk.
func (s *Server) halted(cause error) {
	s.watch.halted.Store(true)
	err := fmt.Errorf("written data could not be made durable: the service ends so that nothing is issued that could be lost; check the disk and the system's log, then start it again: %w", cause)
	s.set(ready.Commit, err)
	select {
	case s.watch.fatal <- err:
	default:
	}
}

// databaseTime is how long the database may take to answer a short question.
const databaseTime = 2 * time.Second

// checkDatabase looks for what only the database knows: whether it answers,
// whether an operator has accepted the clock, and whether any device could
// issue. While the last commit failed it tries to write.
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
		// A database that is slow once is not one that fails.
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
		_ = s.store.TryWrite(ctx) // committed is told what came of it
	}
	return nil
}

// checkFuture records that no device could issue because of the dates of the
// last documents. A wrong clock says nothing about them.
func (s *Server) checkFuture(all bool) {
	if all && s.watch.clock.Check() == nil {
		s.set(ready.Future, errors.New("khatm doctor names the devices"))
		return
	}
	s.set(ready.Future, nil)
}

// acceptClock takes an operator's word for this server's clock, if it is the
// time that was accepted.
func (s *Server) acceptClock(at time.Time) {
	if !s.watch.clock.Accept(at) {
		s.config.Log.Warn("an operator accepted a time that is not this server's", "accepted", at)
		return
	}
	s.config.Log.Info("the clock was accepted by an operator", "accepted", at)
	s.checkClock()
}
