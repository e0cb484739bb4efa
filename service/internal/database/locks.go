package database

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// locks are the files by which the processes of one data folder keep out of
// each other's way. The kernel drops them when a process dies, however it dies.
//
//	server.lock  exclusive for the life of the one server
//	use.lock     shared by everybody; exclusive while tables are made or changed
//	knock.lock   exclusive while a command writes: the server, which could
//	             otherwise begin its next commit a moment after the last and
//	             starve everybody, waits at this one before each
type locks struct {
	server, use, knock *flock.Flock
	mode               Mode
}

// How long a lock is waited for, and how often it is asked for.
const (
	useWait   = 10 * time.Second
	turnWait  = 100 * time.Millisecond
	knockWait = 2 * time.Second
	askAgain  = 2 * time.Millisecond
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
			return nil, fmt.Errorf("another khatm server uses %s: stop it first, or give this one a folder of its own", dir)
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
	_, err := take(ctx, askAgain)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && exclusive:
		return l.inUse()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the tables in %s are being made or changed: try again when that is done", filepath.Dir(l.use.Path()))
	case err != nil:
		return fmt.Errorf("lock the data folder: %w", err)
	}
	return nil
}

// alone runs do while no other process uses the folder, unless done says that
// another process was quicker.
func (l *locks) alone(done func() (bool, error), do func() error) error {
	for range useWait / turnWait {
		// A shared lock cannot become exclusive while another waits for the
		// same: each lets go for a while, and one of them is alone.
		if err := l.use.Unlock(); err != nil {
			return err
		}
		alone, err := l.turn()
		if err != nil {
			return err
		}
		if !alone {
			// Whoever was quicker may be a server, which stays.
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

// turn waits a moment to be alone.
func (l *locks) turn() (alone bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), turnWait)
	defer cancel()
	alone, err = l.use.TryLockContext(ctx, askAgain)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return false, fmt.Errorf("lock the data folder: %w", err)
	}
	return alone, nil
}

func (l *locks) inUse() error {
	return fmt.Errorf("%s is in use: stop the server and other commands first", filepath.Dir(l.use.Path()))
}

// beforeWriting is called before each commit is begun; what it returns is
// called after. A command knocks and the server waits for whoever knocked, but
// not for ever: a command that hangs must not stop invoices.
func (l *locks) beforeWriting() (after func(), err error) {
	if l.mode == Command {
		ctx, cancel := context.WithTimeout(context.Background(), useWait)
		defer cancel()
		if _, err := l.knock.TryLockContext(ctx, askAgain); err != nil {
			return nil, fmt.Errorf("wait for other commands: %w", err)
		}
		return func() { _ = l.knock.Unlock() }, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), knockWait)
	defer cancel()
	if _, err := l.knock.TryRLockContext(ctx, askAgain); err == nil {
		_ = l.knock.Unlock()
	}
	return func() {}, nil
}

func (l *locks) release() {
	_ = l.knock.Unlock()
	_ = l.use.Unlock()
	_ = l.server.Unlock()
}
