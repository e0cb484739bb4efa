package server

import (
	"io"
	"net/http"
	"time"
)

// pace says how slowly a body may come.
type pace struct {
	still time.Duration // without a byte
	whole time.Duration // from the first to the last
}

// paced cuts off bodies that come more slowly. A body that nobody reads counts
// as standing still: the server looks for its end before it answers.
func paced(p pace, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			b := &pacedBody{r.Body, http.NewResponseController(w), p.still, time.Now().Add(p.whole)}
			b.wait()
			r.Body = b
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody gives each read of a body its time. The server lifts the last one
// when it comes upon the end.
type pacedBody struct {
	io.ReadCloser
	conn  *http.ResponseController
	still time.Duration
	end   time.Time
}

// Read implements [io.Reader].
func (b *pacedBody) Read(p []byte) (int, error) {
	b.wait()
	return b.ReadCloser.Read(p)
}

// wait sets the deadline. Where there is no connection there is none to hold.
func (b *pacedBody) wait() {
	until := time.Now().Add(b.still)
	if until.After(b.end) {
		until = b.end
	}
	_ = b.conn.SetReadDeadline(until)
}
