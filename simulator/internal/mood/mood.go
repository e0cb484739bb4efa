// Package mood is the misbehaviour of the simulator: a seeded plan of
// faults around any HTTP handler.
//
// A [Plan] turns knobs; [Knobs] lists them, what each does, where it may act
// and how it is switched off. A request suffers at most one fault, and beside
// it may be late and may have its answer reshaped. What the n-th request of an
// endpoint suffers follows from the seed, the endpoint, n and the plan, and not
// from how many requests are under way.
//
// The package knows no invoice and no certificate. It knows the paths of the
// authority's interface, and of its answers only their outer shape; an answer
// of another shape passes untouched and counts as not struck.
package mood

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Config is what a mood is made of.
type Config struct {
	Seed uint64
	Plan Plan
	Now  func() time.Time // required
	// Sleep waits for the duration or until the context ends, and then says so.
	// [Sleep] is taken if it is nil.
	Sleep func(context.Context, time.Duration) error
	// Observe, if there is one, is told of every request that was struck: after
	// the handler ran, if it did, and before anything is sent or dropped.
	Observe func(Event)
}

// Event is a request that was struck.
type Event struct {
	Request  *http.Request
	Endpoint Endpoint
	Number   uint64 // of the request on its endpoint, from 1
	Applied  string // the knobs that took effect, with commas between
	Ran      bool   // whether the handler ran
}

// Mood may be used by many goroutines.
type Mood struct {
	seed    uint64
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	observe func(Event)
	counts  []atomic.Uint64 // in the order of the table

	mu        sync.Mutex
	plan      Plan
	positions []Setting // of plan; replaced, never changed
	numbers   map[Endpoint]uint64
	forced    []forced
}

type forced struct {
	knob *knob
	left int
}

// New is a mood at its first request.
func New(cfg Config) (*Mood, error) {
	if cfg.Now == nil {
		return nil, errors.New("new mood: there is no clock")
	}
	m := &Mood{
		seed: cfg.Seed, now: cfg.Now, sleep: cfg.Sleep, observe: cfg.Observe,
		counts:  make([]atomic.Uint64, len(table)),
		numbers: map[Endpoint]uint64{},
	}
	if m.sleep == nil {
		m.sleep = Sleep
	}
	if m.observe == nil {
		m.observe = func(Event) {}
	}
	if err := m.SetPlan(cfg.Plan); err != nil {
		return nil, fmt.Errorf("new mood: %w", err)
	}
	return m, nil
}

// Sleep waits by the clock of the machine.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Plan is the plan in force.
func (m *Mood) Plan() Plan {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.plan.clone()
}

// SetPlan puts a plan in force for the requests that begin from now on. A wrong
// plan is refused and the old one stays. Numbers, counts and forced faults go on.
func (m *Mood) SetPlan(p Plan) error {
	if err := p.Check(); err != nil {
		return err
	}
	p = p.clone()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.plan, m.positions = p, p.positions()
	return nil
}

// MaxForced is the largest number that [Mood.Force] takes.
const MaxForced = 1_000_000

// Force makes the next n requests, of the endpoints on which the knob may act,
// suffer it, whatever the plan says; n = 0 takes that back. A forced fault takes
// the place of a drawn one; forced faults of several knobs queue up.
func (m *Mood) Force(name string, n int) error {
	k := find(name)
	if k == nil {
		return unknownKnob(name)
	}
	if n < 0 || n > MaxForced {
		return fmt.Errorf("force %s: %d is not between 0 and %d", name, n, MaxForced)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.forced[:0]
	for _, f := range m.forced {
		if f.knob != k {
			kept = append(kept, f)
		}
	}
	if n > 0 {
		kept = append(kept, forced{k, n})
	}
	m.forced = kept
	return nil
}

// Forced is how many forced strikes are still to come, by knob.
func (m *Mood) Forced() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := map[string]int{}
	for _, f := range m.forced {
		left[f.knob.Name] = f.left
	}
	return left
}

// Counts is how often each knob has struck; every knob has its entry.
func (m *Mood) Counts() map[string]uint64 {
	all := make(map[string]uint64, len(table))
	for i := range table {
		all[table[i].Name] = m.counts[i].Load()
	}
	return all
}

// Reset forgets numbers, counts and forced faults. The plan and the seed stay,
// so the same requests meet the same faults again.
func (m *Mood) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.numbers)
	m.forced = nil
	for i := range m.counts {
		m.counts[i].Store(0)
	}
}

// next numbers a request and says what it is to suffer.
func (m *Mood) next(e Endpoint) (n uint64, d drawn, positions []Setting) {
	m.mu.Lock()
	m.numbers[e]++
	n, positions = m.numbers[e], m.positions
	forced := m.takeForced(e)
	m.mu.Unlock()
	d = draw(m.seed, e, n, positions)
	for _, k := range forced {
		if !d.has(k) {
			d.add(k)
		}
	}
	return n, d, positions
}

// takeForced uses up the first forced fault, and every forced delay and shape.
func (m *Mood) takeForced(e Endpoint) []*knob {
	var taken []*knob
	faulty := false
	kept := m.forced[:0]
	for _, f := range m.forced {
		if f.knob.scope.has(e) && (f.knob.kind != fault || !faulty) {
			faulty = faulty || f.knob.kind == fault
			taken = append(taken, f.knob)
			f.left--
		}
		if f.left > 0 {
			kept = append(kept, f)
		}
	}
	m.forced = kept
	return taken
}
