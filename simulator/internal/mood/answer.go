package mood

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
)

// answer is a response that a fault may change before it is sent.
type answer struct {
	status int
	header http.Header
	body   []byte
	// send sends the answer, or does whatever the fault does instead.
	send func(http.ResponseWriter)
	// sent is set if the answer was too large to keep and is already being
	// sent.
	sent http.ResponseWriter
}

func newAnswer() *answer {
	a := &answer{status: http.StatusOK, header: http.Header{}}
	a.send = func(w http.ResponseWriter) {
		a.start(w)
		_, _ = w.Write(a.body) // an error means that the client has disconnected
	}
	return a
}

// start sends the status and the headers.
func (a *answer) start(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
}

// say replaces the whole answer.
func (a *answer) say(status int, contentType, body string) {
	a.status = status
	a.header = http.Header{"Content-Type": {contentType}}
	a.body = []byte(body)
}

// sayJSON replaces the whole answer with a JSON one.
func (a *answer) sayJSON(status int, body string) { a.say(status, "application/json", body) }

// rewrite replaces only the body.
func (a *answer) rewrite(body []byte) {
	a.body = body
	a.header.Del("Content-Length")
}

func (a *answer) isJSON() bool {
	return strings.Contains(a.header.Get("Content-Type"), "json") && json.Valid(a.body)
}

// accepts reports whether the document was accepted, with or without warnings.
func (a *answer) accepts() bool {
	return a.status == http.StatusOK || a.status == http.StatusAccepted
}

// recorder is a ResponseWriter that keeps the handler's response. A response
// above the limit is passed on as it is written, unless its body is discarded.
type recorder struct {
	*answer
	discard  bool
	overflow func()              // called once when the limit is exceeded, before anything is passed on
	to       http.ResponseWriter // destination after an overflow
	wrote    bool
	kept     http.Header // the handler's headers, copied at WriteHeader
}

// Header returns the headers that the handler sets.
func (r *recorder) Header() http.Header {
	if r.kept == nil {
		r.kept = http.Header{}
	}
	return r.kept
}

// WriteHeader keeps the status and a copy of the headers.
func (r *recorder) WriteHeader(status int) {
	if r.wrote || status < 200 {
		return
	}
	r.wrote = true
	r.status = status
	r.header = r.Header().Clone()
}

// Write keeps the bytes or passes them on.
func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	switch {
	case r.discard:
		return len(b), nil
	case r.sent != nil:
		return r.sent.Write(b)
	case len(r.body)+len(b) <= keptAnswer:
		r.body = append(r.body, b...)
		return len(b), nil
	}
	r.overflow()
	r.sent = r.to
	if _, err := r.sent.Write(r.body); err != nil {
		return 0, err
	}
	r.body = nil
	return r.sent.Write(b)
}
