package server

import (
	"io"
	"net/http"
	"time"
)

// pace limits how slowly a request body may arrive.
type pace struct {
	still time.Duration // maximum time without a byte
	whole time.Duration // maximum time for the whole body
}

// paced aborts bodies that arrive too slowly. It also applies to bodies that the
// handler does not read, because the server consumes them before it answers.
func paced(p pace, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			b := &pacedBody{ReadCloser: r.Body, conn: http.NewResponseController(w), still: p.still, end: time.Now().Add(p.whole)}
			b.wait()
			r.Body = b
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody sets a deadline for each read. The server clears the last one at the
// end of the body.
type pacedBody struct {
	io.ReadCloser
	conn  *http.ResponseController
	still time.Duration
	end   time.Time
	err   error // of the last read
}

// Read implements [io.Reader]. After an error it does not wait again.
func (b *pacedBody) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	b.wait()
	n, b.err = b.ReadCloser.Read(p)
	return n, b.err
}

// wait sets the read deadline. It does nothing without a real connection.
func (b *pacedBody) wait() {
	until := time.Now().Add(b.still)
	if until.After(b.end) {
		until = b.end
	}
	_ = b.conn.SetReadDeadline(until)
}
