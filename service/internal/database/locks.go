package database

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// locks are the lock files of a data folder, by which its processes exclude
// each other. The kernel releases them when a process dies.
//
//	server.lock  exclusive while the server runs
//	use.lock     shared by all processes; exclusive while the schema changes
//	knock.lock   exclusive while a command writes
//
// Without knock.lock the server could begin each commit right after the last
// one and starve the commands. It waits for this lock before each commit.
type locks struct {
	server, use, knock *flock.Flock
	mode               Mode
}

// Timeouts of the locks and the interval between attempts.
const (
	useWait       = 10 * time.Second
	turnWait      = 100 * time.Millisecond
	knockWait     = 2 * time.Second
	retryInterval = 2 * time.Millisecond
)

func takeLocks(dir string, mode Mode) (*locks, error) {
	l := &locks{
		server: flock.New(filepath.Join(dir, "server.lock")),
		use:    flock.New(filepath.Join(dir, "use.lock")),
		knock:  flock.New(filepath.Join(dir, "knock.lock")),
		mode:   mode,
	}
	if mode != Command {
		alone, err := l.server.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock the data folder: %w", err)
		}
		if !alone {
			return nil, fmt.Errorf("another khatm server uses %s: stop it first, or start this one with another data folder", dir)
		}
	}
	if err := l.takeUse(mode == Maintain); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *locks) takeUse(exclusive bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), useWait)
	defer cancel()
	take := l.use.TryRLockContext
	if exclusive {
		take = l.use.TryLockContext
	}
	_, err := take(ctx, retryInterval)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && exclusive:
		return l.inUse()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the tables in %s are being created or migrated: try again when this has finished", filepath.Dir(l.use.Path()))
	case err != nil:
		return fmt.Errorf("lock the data folder: %w", err)
	}
	return nil
}

// alone runs do while no other process uses the folder. If done reports that
// another process has already done the work, do is not run.
func (l *locks) alone(done func() (bool, error), do func() error) error {
	for range useWait / turnWait {
		// A shared lock cannot be upgraded while another process waits for the
		// same upgrade. So each process releases its lock for a while, and one
		// of them gets the exclusive lock.
		if err := l.use.Unlock(); err != nil {
			return err
		}
		alone, err := l.tryExclusive()
		if err != nil {
			return err
		}
		if !alone {
			// The other process may be a server, which holds the lock as long
			// as it runs.
			if err := l.takeUse(false); err != nil {
				return err
			}
		}
		is, err := done()
		if err == nil && !is && alone {
			err = do()
		}
		if alone {
			err = errors.Join(err, l.use.Unlock(), l.takeUse(false))
		}
		if is || alone || err != nil {
			return err
		}
	}
	return l.inUse()
}

// tryExclusive tries for turnWait to get the exclusive lock.
func (l *locks) tryExclusive() (alone bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), turnWait)
	defer cancel()
	alone, err = l.use.TryLockContext(ctx, retryInterval)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return false, fmt.Errorf("lock the data folder: %w", err)
	}
	return alone, nil
}

func (l *locks) inUse() error {
	return fmt.Errorf("%s is in use: stop the server and other commands first", filepath.Dir(l.use.Path()))
}

// beforeWriting is called before each commit and returns a function to call
// after it. A command locks knock.lock. The server waits until no command has
// locked it, but only for knockWait: a command that hangs must not block
// invoices.
func (l *locks) beforeWriting() (after func(), err error) {
	if l.mode == Command {
		ctx, cancel := context.WithTimeout(context.Background(), useWait)
		defer cancel()
		if _, err := l.knock.TryLockContext(ctx, retryInterval); err != nil {
			return nil, fmt.Errorf("wait for other commands: %w", err)
		}
		return func() { _ = l.knock.Unlock() }, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), knockWait)
	defer cancel()
	if _, err := l.knock.TryRLockContext(ctx, retryInterval); err == nil {
		_ = l.knock.Unlock()
	}
	return func() {}, nil
}

func (l *locks) release() {
	_ = l.knock.Unlock()
	_ = l.use.Unlock()
	_ = l.server.Unlock()
}
