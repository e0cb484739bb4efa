package listen

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// errStopped is returned by Accept after stop. It is not a temporary error, which
// http.Server would try again.
var errStopped = errors.New("stopped")

// listener accepts tracked connections, and logs failures.
type listener struct {
	*net.TCPListener
	conns     *connections
	log       *slog.Logger
	encrypted bool // the connections use TLS

	stopping atomic.Bool
	failures failures
}

// Accept implements [net.Listener].
func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.AcceptTCP()
	switch {
	case err == nil:
		return l.conns.add(conn, l.encrypted), nil
	case l.stopping.Load() && (errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed)):
		return nil, errStopped
	}
	if count := l.failures.due(time.Now()); count > 0 {
		l.log.Error("cannot accept connections", "cause", err.Error(), "failures", count, "fix", fixOf(err))
	}
	return nil, err
}

// fixOf says what to do about a failed accept.
func fixOf(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return "raise the limit of open files (ulimit -n, or LimitNOFILE of systemd)"
	}
	return "check the network and the memory of this machine"
}

// stop refuses new connections, and ends Accept after the time in which those that
// clients have begun to open arrive.
//
// Closing a listener resets the connections that the system has opened for it and
// that were not accepted yet. So the system is asked to drop requests for new
// connections first. Clients repeat them after a second, and find the port closed,
// or served by the next process.
func (l *listener) stop(grace, limit time.Duration) {
	if raw, err := l.SyscallConn(); err == nil {
		if err := refuse(raw); err != nil {
			l.log.Debug("cannot drop requests for new connections before the port is closed", "cause", err.Error())
		}
	}
	l.stopping.Store(true)
	_ = l.SetDeadline(time.Now().Add(min(grace, limit)))
}

// quietTime is the time between two log lines about failed accepts.
const quietTime = time.Minute

// failures counts failed accepts, which can be many in a second.
type failures struct {
	mu    sync.Mutex
	count int
	last  time.Time // of the last log line
}

// due counts a failure. It returns the number of failures since the last log line
// if another line is due, or else 0.
func (f *failures) due(now time.Time) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if !f.last.IsZero() && now.Sub(f.last) < quietTime {
		return 0
	}
	count := f.count
	f.count, f.last = 0, now
	return count
}
