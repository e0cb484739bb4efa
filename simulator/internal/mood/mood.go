// Package mood injects faults into an HTTP handler, chosen by a plan and a
// seed.
//
// A [Plan] sets the rate of each fault; [Knobs] describes what each fault does,
// on which endpoints, and how to switch it off. At most one fault replaces the
// answer to a request; in addition, the answer may be delayed and its shape
// changed. The faults of the n-th request of an endpoint depend only on the
// seed, the endpoint, n and the plan, not on other requests in progress.
//
// The package knows the paths of the authority's API and the outer shape of its
// answers, but nothing about invoices or certificates. Answers of another shape
// pass unchanged and are not counted.
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

// Config configures a Mood.
type Config struct {
	Seed uint64
	Plan Plan
	Now  func() time.Time // required
	// Sleep waits for the duration. If the context ends before, it returns the
	// context's error. If nil, [Sleep] is used.
	Sleep func(context.Context, time.Duration) error
	// Observe, if not nil, is called for every request that a fault was applied
	// to: after the handler ran, if it did, and before anything is sent or
	// dropped.
	Observe func(Event)
}

// Event describes a request that faults were applied to.
type Event struct {
	Request  *http.Request
	Endpoint Endpoint
	Number   uint64 // number of the request on its endpoint, starting at 1
	Applied  string // names of the faults that took effect, separated by commas
	Ran      bool   // whether the handler ran
}

// Mood injects faults into an HTTP handler. It is safe for concurrent use.
type Mood struct {
	seed    uint64
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	observe func(Event)
	counts  []atomic.Uint64 // in the order of table

	mu        sync.Mutex
	plan      Plan
	positions []Setting // settings of plan in the order of table; replaced, never modified
	numbers   map[Endpoint]uint64
	forced    []forced
}

type forced struct {
	knob *knob
	left int
}

// New returns a mood that has seen no requests.
func New(cfg Config) (*Mood, error) {
	if cfg.Now == nil {
		return nil, errors.New("new mood: Config.Now is nil")
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

// Sleep waits for d or until ctx ends, by the machine's clock.
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

// Plan returns a copy of the current plan.
func (m *Mood) Plan() Plan {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.plan.clone()
}

// SetPlan sets the plan for the requests that begin from now on. If the plan is
// invalid, SetPlan returns an error and keeps the old plan. Request numbers,
// counts and forced faults are kept.
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

// MaxForced is the largest n that [Mood.Force] accepts.
const MaxForced = 1_000_000

// Force applies a fault to the next n requests of its endpoints, whatever the
// plan says; n = 0 cancels it. A forced fault replaces a random one. Several
// forced faults are queued.
func (m *Mood) Force(name string, n int) error {
	k := find(name)
	if k == nil {
		return unknownKnob(name)
	}
	if n < 0 || n > MaxForced {
		return fmt.Errorf("force %s: times must be between 0 and %d, not %d", name, MaxForced, n)
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

// Forced returns how many forced uses of each fault are left.
func (m *Mood) Forced() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := map[string]int{}
	for _, f := range m.forced {
		left[f.knob.Name] = f.left
	}
	return left
}

// Counts returns how often each fault was applied. Every fault has an entry.
func (m *Mood) Counts() map[string]uint64 {
	all := make(map[string]uint64, len(table))
	for i := range table {
		all[table[i].Name] = m.counts[i].Load()
	}
	return all
}

// Reset clears the request numbers, counts and forced faults. The plan and the
// seed do not change, so the same requests get the same faults again.
func (m *Mood) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.numbers)
	m.forced = nil
	for i := range m.counts {
		m.counts[i].Store(0)
	}
}

// next returns the number of a request and the faults to apply to it.
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

// takeForced uses up and returns the first forced fault and every forced delay
// and shape for an endpoint.
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
