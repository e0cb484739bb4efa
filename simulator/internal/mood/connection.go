package mood

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// hold keeps the client waiting. Its body has been read by now, so that the
// server notices when it leaves.
func hold(s *strike, a *answer) bool {
	a.send = func(w http.ResponseWriter) {
		_ = s.sleep(s.request.Context(), s.setting.Hold) // however it ends, nothing is said
		hangUpOn(w)
	}
	return true
}

func hangUp(_ *strike, a *answer) bool {
	a.send = hangUpOn
	return true
}

func reset(_ *strike, a *answer) bool {
	a.send = func(w http.ResponseWriter) { closeConnection(w, true) }
	return true
}

func hangUpOn(w http.ResponseWriter) { closeConnection(w, false) }

// closeConnection closes the connection behind an answer, by a reset if asked
// for. Where it cannot be had, as in HTTP/2, the server is told to break off.
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
			_ = tcp.SetLinger(0) // without it the client sees an end and not a reset
		}
	}
	_ = conn.Close() // there is nobody to tell
}

// boundWrites breaks off writing when the time of a strike is over, also to a
// client that neither reads nor leaves. What it returns ends the watch.
func boundWrites(s *strike, w http.ResponseWriter) (stop func()) {
	ctx, cancel := context.WithCancel(s.request.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if s.sleep(ctx, s.setting.Hold) == nil {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0)) // where there is none, the bound in bytes holds
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

func flush(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush() // a writer that keeps nothing back needs none
}
