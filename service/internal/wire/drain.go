package wire

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Limits of what is read of a request body after the request was refused.
const (
	drainBytes = 20 << 20
	drainTime  = 5 * time.Second
	drainAgain = 100 * time.Millisecond // after which the deadline is set again
)

// drain reads the rest of the body of a refused request before the response is
// written. Most clients send the whole body before they read the response, and
// lose it if the server closes the connection meanwhile. A client that waits for
// 100 Continue has sent nothing and gets the response at once.
func drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody || r.Header.Get("Expect") != "" {
		return
	}
	connection := http.NewResponseController(w)
	done := make(chan struct{})
	late := time.AfterFunc(drainTime, func() {
		for { // the body sets its own deadline before each read
			_ = connection.SetReadDeadline(time.Unix(1, 0))
			select {
			case <-done:
				return
			case <-time.After(drainAgain):
			}
		}
	})
	_, err := io.CopyN(io.Discard, r.Body, drainBytes)
	close(done)
	if !late.Stop() || errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close") // nothing more can be read from it
		callOf(r).stalled = true
	}
}
