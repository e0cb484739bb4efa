package mood

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// hold sends nothing until the hold time has passed or the client disconnects,
// and then closes the connection. The request body has been read before, so
// that the server notices a disconnect.
func hold(s *injection, a *answer) bool {
	a.send = func(w http.ResponseWriter) {
		_ = s.sleep(s.request.Context(), s.setting.Hold) // nothing is sent, however the wait ends
		hangUpOn(w)
	}
	return true
}

func hangUp(_ *injection, a *answer) bool {
	a.send = hangUpOn
	return true
}

func reset(_ *injection, a *answer) bool {
	a.send = func(w http.ResponseWriter) { closeConnection(w, true) }
	return true
}

func hangUpOn(w http.ResponseWriter) { closeConnection(w, false) }

// closeConnection closes the connection of a response, with a TCP reset if
// reset is true. If the connection cannot be hijacked, as with HTTP/2, it
// panics with [http.ErrAbortHandler].
func closeConnection(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if reset {
		under := conn
		if secure, ok := conn.(*tls.Conn); ok {
			under = secure.NetConn()
		}
		if tcp, ok := under.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // otherwise the client sees a normal close
		}
	}
	_ = conn.Close() // the connection is given up anyway
}

// boundWrites makes writes fail once the hold time has passed, so that a client
// that neither reads nor disconnects cannot block them. stop cancels the limit.
func boundWrites(s *injection, w http.ResponseWriter) (stop func()) {
	ctx, cancel := context.WithCancel(s.request.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if s.sleep(ctx, s.setting.Hold) == nil {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0)) // if deadlines are not supported, the limit in bytes remains
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

func flush(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush() // a writer without a buffer cannot be flushed
}
