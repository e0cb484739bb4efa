package mood

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// A strike is one knob at work on one request.
type strike struct {
	endpoint Endpoint
	setting  Setting
	rng      *rand.Rand
	request  *http.Request
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
	status   int // that was drawn, where there is one to draw
}

type appliedKey struct{}

// Applied names the knobs drawn for a request, with commas between; the handler
// finds it in the context of its request. It is "" where all is polite. Whether
// a knob drawn could strike is known only when the answer is: see [Event].
func Applied(ctx context.Context) string {
	names, _ := ctx.Value(appliedKey{}).(string)
	return names
}

// Limits of memory a request: of a handler's answer that is kept in order to be
// changed, and of a request's body that is read though no handler wants it.
const (
	keptAnswer = 8 << 20
	readUnseen = 8 << 20
)

// Wrap is the handler with this mood. An answer larger than 8 MiB is sent on
// untouched where a fault would need all of it. A fault that ends a connection
// panics with [http.ErrAbortHandler] where there is none to be had: in HTTP/2,
// and under a test that calls the handler itself.
func (m *Mood) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := EndpointOf(r)
		n, d, positions := m.next(e)
		if d.empty() {
			next.ServeHTTP(w, r)
			return
		}
		f := &flight{mood: m, number: n, endpoint: e, drawn: d, positions: positions, w: w}
		f.r = r.WithContext(context.WithValue(r.Context(), appliedKey{}, d.String()))
		f.serve(next)
	})
}

// A flight is one request on its way through the mood.
type flight struct {
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

func (f *flight) serve(next http.Handler) {
	k := f.drawn.fault
	if k == nil {
		a := f.run(next, false)
		f.reshape(a)
		f.send(a)
		return
	}
	s := f.strike(k)
	a := newAnswer()
	if k.runs != nil && k.runs(s) {
		a = f.run(next, k.discards)
	} else {
		f.drain()
	}
	// An answer that is on its way already cannot be changed.
	if a.sent == nil {
		f.struck(k, k.change(s, a))
	}
	if f.ran && !k.discards {
		f.reshape(a)
	}
	f.send(a)
}

// strike gives a knob a random source for its own questions.
func (f *flight) strike(k *knob) *strike {
	s := &strike{endpoint: f.endpoint, request: f.r, now: f.mood.now, sleep: f.mood.sleep}
	s.rng = stream(f.mood.seed, f.endpoint, f.number, k.Name+" how")
	for i := range table {
		if &table[i] == k {
			s.setting = f.positions[i]
		}
	}
	return s
}

func (f *flight) run(next http.Handler, discard bool) *answer {
	f.ran = true
	a := newAnswer()
	rec := &recorder{answer: a, discard: discard, overflow: func() { f.begin(); a.start(f.w) }, to: f.w}
	next.ServeHTTP(rec, f.r)
	rec.WriteHeader(http.StatusOK) // as the server does for a handler that says nothing
	return a
}

// drain reads the request's body, because only then does the server notice a
// client that leaves.
func (f *flight) drain() {
	if f.r.Body == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, f.r.Body, readUnseen) // the client may be gone, and that is its affair
}

func (f *flight) reshape(a *answer) {
	if a.sent != nil {
		return
	}
	for i := range table {
		if k := &table[i]; k.kind == shape && f.drawn.has(k) {
			f.struck(k, k.change(f.strike(k), a))
		}
	}
}

func (f *flight) struck(k *knob, did bool) {
	if did {
		f.applied = append(f.applied, k.Name)
	}
}

func (f *flight) send(a *answer) {
	if a.sent != nil {
		return
	}
	if !f.begin() {
		hangUpOn(f.w)
		return
	}
	a.send(f.w)
}

// begin counts, tells the observer, and waits if the answer is to be late. It
// answers false if the client left meanwhile.
func (f *flight) begin() bool {
	var late time.Duration
	if f.drawn.late {
		k := find("latency")
		s := f.strike(k)
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
