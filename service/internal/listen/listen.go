// Package listen runs an HTTP server on a TCP port, and stops it without
// resetting a connection or leaving a request without an answer. It knows nothing
// about what is served.
package listen

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Config configures a Server.
type Config struct {
	Address string
	// HTTP has the Handler, limits and timeouts. With a TLSConfig the server serves
	// HTTPS only. ConnContext and ConnState are replaced.
	HTTP *http.Server

	// Grace is for how long a server that stops accepts the connections that
	// clients have already begun to open, and keeps idle connections open, because
	// a request may be on its way.
	Grace time.Duration

	Log *slog.Logger
}

// Server is an HTTP server with its own listener.
type Server struct {
	Config
	listener *listener
	conns    connections
	closing  atomic.Bool   // responses close their connections
	served   chan struct{} // closed when no more connections are accepted
}

// New returns a server that listens on the configured address. The caller must
// call Serve and then Stop, or Close.
func New(ctx context.Context, c Config) (*Server, error) {
	// Multipath TCP is off because its sockets have no filters; see refuse.
	var config net.ListenConfig
	config.SetMultipathTCP(false)
	at, err := config.Listen(ctx, "tcp", c.Address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", c.Address, err)
	}
	tcp, ok := at.(*net.TCPListener)
	if !ok {
		return nil, errors.Join(fmt.Errorf("listen on %s: not a TCP listener", c.Address), at.Close())
	}
	s := &Server{Config: c, served: make(chan struct{})}
	s.listener = &listener{TCPListener: tcp, conns: &s.conns, log: c.Log, encrypted: c.HTTP.TLSConfig != nil}
	s.HTTP.Handler = s.closes(c.HTTP.Handler)
	s.HTTP.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		tracked, _ := trackedOf(c)
		return context.WithValue(ctx, connectionKey{}, tracked)
	}
	s.HTTP.ConnState = func(c net.Conn, state http.ConnState) {
		if tracked, multiplexed := trackedOf(c); tracked != nil {
			tracked.change(state, multiplexed)
		}
	}
	return s, nil
}

// Addr returns the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Serve serves until Stop is called, and then returns nil. Requests may still be
// in progress.
func (s *Server) Serve() error {
	defer close(s.served)
	var err error
	if s.listener.encrypted {
		err = s.HTTP.ServeTLS(s.listener, "", "")
	} else {
		err = s.HTTP.Serve(s.listener)
	}
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}

// Close closes the listener of a server that does not serve.
func (s *Server) Close() error {
	if err := s.listener.Close(); err != nil {
		return fmt.Errorf("stop listening on %s: %w", s.Address, err)
	}
	return nil
}

// Announce makes the server close every connection after its next response, so
// that clients open new ones.
func (s *Server) Announce() { s.closing.Store(true) }

// closes is the outermost handler. It closes the connection after the response if
// the server is to stop, or if the length of the request is ambiguous.
func (s *Server) closes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := r.Context().Value(connectionKey{}).(*connection)
		if ambiguous := c != nil && c.ambiguous(r); ambiguous || s.closing.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// poll is how often Stop looks for requests in progress.
const poll = 5 * time.Millisecond

// Stop ends Serve and waits for requests in progress, up to limit. It answers
// every request on a connection that a client had begun to open when Stop was
// called. http.Server.Shutdown alone would reset connections that are not accepted
// yet, and close connections on which a request is arriving.
func (s *Server) Stop(limit time.Duration) error {
	end := time.Now().Add(limit)
	s.Announce()
	s.listener.stop(s.Grace, limit)
	<-s.served
	for s.conns.busy(time.Now(), s.Grace, s.HTTP.ReadHeaderTimeout) && time.Now().Before(end) {
		time.Sleep(poll)
	}
	ctx, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	err := s.HTTP.Shutdown(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("aborted requests after %s: %w", limit, err), s.HTTP.Close())
	}
	s.conns.lingering.Wait()
	return err
}
