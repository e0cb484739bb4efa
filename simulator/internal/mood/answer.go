package mood

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
)

// An answer is what is to be sent, and how.
type answer struct {
	status int
	header http.Header
	body   []byte
	// send sends it, or does what is done in place of sending.
	send func(http.ResponseWriter)
	// sent is where the answer has begun to go, when it outgrew its recorder.
	sent http.ResponseWriter
}

func newAnswer() *answer {
	a := &answer{status: http.StatusOK, header: http.Header{}}
	a.send = func(w http.ResponseWriter) {
		a.start(w)
		_, _ = w.Write(a.body) // a client that is gone hears nothing
	}
	return a
}

// start sends status and headers.
func (a *answer) start(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
}

// say replaces the answer by another one.
func (a *answer) say(status int, contentType, body string) {
	a.status = status
	a.header = http.Header{"Content-Type": {contentType}}
	a.body = []byte(body)
}

// sayJSON replaces the answer by an object.
func (a *answer) sayJSON(status int, body string) { a.say(status, "application/json", body) }

// rewrite replaces the body alone.
func (a *answer) rewrite(body []byte) {
	a.body = body
	a.header.Del("Content-Length")
}

func (a *answer) isJSON() bool {
	return strings.Contains(a.header.Get("Content-Type"), "json") && json.Valid(a.body)
}

// accepts: the document was taken, with or without warnings.
func (a *answer) accepts() bool {
	return a.status == http.StatusOK || a.status == http.StatusAccepted
}

// A recorder takes the answer of a handler. One that grows beyond the limit is
// sent on as it comes, unless its body is not wanted.
type recorder struct {
	*answer
	discard  bool
	overflow func()              // starts to send
	to       http.ResponseWriter // then
	wrote    bool
	kept     http.Header // what the handler writes to, frozen at WriteHeader
}

// Header is what the handler sets before its answer begins.
func (r *recorder) Header() http.Header {
	if r.kept == nil {
		r.kept = http.Header{}
	}
	return r.kept
}

// WriteHeader takes the status, and the headers as they are at this moment.
func (r *recorder) WriteHeader(status int) {
	if r.wrote || status < 200 {
		return
	}
	r.wrote = true
	r.status = status
	r.header = r.Header().Clone()
}

// Write keeps the bytes, or sends them on.
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
