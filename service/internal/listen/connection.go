package listen

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// connections tracks the open connections of a server.
type connections struct {
	mu        sync.Mutex
	open      map[*connection]struct{}
	lingering sync.WaitGroup
}

func (s *connections) add(conn *net.TCPConn, encrypted bool) *connection {
	c := &connection{TCPConn: conn, all: s, encrypted: encrypted, state: http.StateNew, since: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[*connection]struct{}{}
	}
	s.open[c] = struct{}{}
	return c
}

func (s *connections) remove(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// busy reports whether a request is in progress or may be arriving: on a new
// connection for as long as a header may take, on an idle one for the grace.
func (s *connections) busy(now time.Time, grace, header time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		if c.busy(now, grace, header) {
			return true
		}
	}
	return false
}

type connectionKey struct{}

// trackedOf returns the connection that http.Server uses, or nil, and whether it
// carries several requests at a time, as HTTP/2 does.
func trackedOf(c net.Conn) (tracked *connection, multiplexed bool) {
	if over, ok := c.(*tls.Conn); ok {
		c, multiplexed = over.NetConn(), over.ConnectionState().NegotiatedProtocol == "h2"
	}
	tracked, _ = c.(*connection)
	return tracked, multiplexed
}

// connection is a connection whose state is tracked.
type connection struct {
	*net.TCPConn
	all       *connections
	encrypted bool // what is read is not HTTP but TLS

	mu          sync.Mutex
	state       http.ConnState
	since       time.Time // time of the state
	multiplexed bool

	begun  atomic.Bool // a byte was read since the connection was last idle
	ended  atomic.Bool // the client has closed its side
	closed atomic.Bool

	lengths  lengths
	declared int // requests with a Content-Length that http.Server has kept
}

// change records a new state.
func (c *connection) change(state http.ConnState, multiplexed bool) {
	switch state {
	case http.StateIdle:
		c.begun.Store(false)
	case http.StateClosed, http.StateHijacked:
		c.all.remove(c)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state, c.since, c.multiplexed = state, time.Now(), multiplexed
}

func (c *connection) busy(now time.Time, grace, header time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.state {
	case http.StateNew:
		return now.Sub(c.since) < header
	case http.StateIdle:
		// http.Server calls a connection active once it has a whole header. What
		// arrives on an idle connection of HTTP/2 is usually not a request.
		return !c.multiplexed && c.begun.Load() || now.Sub(c.since) < grace
	}
	return true
}

// Read implements [net.Conn].
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.TCPConn.Read(p)
	if n > 0 {
		c.begun.Store(true)
		if !c.encrypted {
			c.lengths.look(p[:n])
		}
	}
	if errors.Is(err, io.EOF) {
		c.ended.Store(true)
	}
	return n, err //nolint:wrapcheck // net/http tests for io.EOF
}

// lingerTime is how long a closed connection waits for the client to close it too.
const lingerTime = 500 * time.Millisecond

// Close implements [net.Conn]. Closing a connection with unread data would reset
// it, and the client could lose the response. So only the server's side is closed
// at first, and what the client still sends is discarded for a moment.
func (c *connection) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	if c.ended.Load() || c.CloseWrite() != nil {
		return c.TCPConn.Close() //nolint:wrapcheck // the error of a connection
	}
	c.all.lingering.Go(func() {
		_ = c.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.Copy(io.Discard, c.TCPConn)
		_ = c.TCPConn.Close()
	})
	return nil
}
