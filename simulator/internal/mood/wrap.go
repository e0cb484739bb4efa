package mood

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// injection is the application of one fault to one request.
type injection struct {
	endpoint Endpoint
	setting  Setting
	rng      *rand.Rand
	request  *http.Request
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
	status   int // status drawn from the setting "statuses", if the fault has it
}

type appliedKey struct{}

// Applied returns the names of the faults chosen for a request, separated by
// commas, or "". The handler calls it with the context of its request. Whether
// a chosen fault took effect is known only after the handler has answered: see
// [Event].
func Applied(ctx context.Context) string {
	names, _ := ctx.Value(appliedKey{}).(string)
	return names
}

// Memory limits per request: the size of a handler's response that is kept to
// be changed, and the size of a request body that is read when the handler does
// not run.
const (
	keptAnswer = 8 << 20
	readUnseen = 8 << 20
)

// Wrap returns a handler that applies faults to next. A response larger than 8
// MiB is passed on unchanged if the fault would need all of it. A fault that
// closes the connection panics with [http.ErrAbortHandler] if the connection
// cannot be hijacked, as with HTTP/2 or in a test that calls the handler
// directly.
func (m *Mood) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := EndpointOf(r)
		n, d, positions := m.next(e)
		if d.empty() {
			next.ServeHTTP(w, r)
			return
		}
		f := &exchange{mood: m, number: n, endpoint: e, drawn: d, positions: positions, w: w}
		f.r = r.WithContext(context.WithValue(r.Context(), appliedKey{}, d.String()))
		f.serve(next)
	})
}

// exchange is one request and its state while it is handled.
type exchange struct {
	mood      *Mood
	number    uint64
	endpoint  Endpoint
	drawn     drawn
	positions []Setting
	w         http.ResponseWriter
	r         *http.Request

	ran     bool
	applied []string
}

func (f *exchange) serve(next http.Handler) {
	k := f.drawn.fault
	if k == nil {
		a := f.run(next, false)
		f.reshape(a)
		f.send(a)
		return
	}
	s := f.injection(k)
	a := newAnswer()
	if k.runs != nil && k.runs(s) {
		a = f.run(next, k.discards)
	} else {
		f.drain()
	}
	// A response that is already being sent cannot be changed.
	if a.sent == nil {
		f.record(k, k.change(s, a))
	}
	if f.ran && !k.discards {
		f.reshape(a)
	}
	f.send(a)
}

// injection returns an injection of k with its own random source.
func (f *exchange) injection(k *knob) *injection {
	s := &injection{endpoint: f.endpoint, request: f.r, now: f.mood.now, sleep: f.mood.sleep}
	s.rng = stream(f.mood.seed, f.endpoint, f.number, k.Name+" how")
	for i := range table {
		if &table[i] == k {
			s.setting = f.positions[i]
		}
	}
	return s
}

func (f *exchange) run(next http.Handler, discard bool) *answer {
	f.ran = true
	a := newAnswer()
	rec := &recorder{answer: a, discard: discard, overflow: func() { f.begin(); a.start(f.w) }, to: f.w}
	next.ServeHTTP(rec, f.r)
	rec.WriteHeader(http.StatusOK) // as net/http does for a handler that writes nothing
	return a
}

// drain reads the request body, because the server notices a disconnect of the
// client only after that.
func (f *exchange) drain() {
	if f.r.Body == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, f.r.Body, readUnseen) // the client may have disconnected
}

func (f *exchange) reshape(a *answer) {
	if a.sent != nil {
		return
	}
	for i := range table {
		if k := &table[i]; k.kind == shape && f.drawn.has(k) {
			f.record(k, k.change(f.injection(k), a))
		}
	}
}

func (f *exchange) record(k *knob, did bool) {
	if did {
		f.applied = append(f.applied, k.Name)
	}
}

func (f *exchange) send(a *answer) {
	if a.sent != nil {
		return
	}
	if !f.begin() {
		hangUpOn(f.w)
		return
	}
	a.send(f.w)
}

// begin counts the faults, calls the observer, and waits if the answer is to be
// delayed. It returns false if the client disconnected during the delay.
func (f *exchange) begin() bool {
	var late time.Duration
	if f.drawn.late {
		k := find("latency")
		s := f.injection(k)
		late = lateness(s.rng, s.setting)
		f.applied = append([]string{k.Name}, f.applied...)
	}
	f.mood.count(f.applied)
	if len(f.applied) > 0 {
		f.mood.observe(Event{Request: f.r, Endpoint: f.endpoint, Number: f.number,
			Applied: strings.Join(f.applied, ","), Ran: f.ran})
	}
	return late == 0 || f.mood.sleep(f.r.Context(), late) == nil
}

func (m *Mood) count(names []string) {
	for i := range table {
		for _, name := range names {
			if table[i].Name == name {
				m.counts[i].Add(1)
			}
		}
	}
}
