// Package simulator acts as the tax authority: it speaks the protocol of the
// real one on its three base paths, issues certificates, judges documents
// strictly, remembers what it accepted, and misbehaves on purpose. Any client
// of the real authority can be pointed at it.
//
//	sim, err := simulator.New(simulator.Config{Mood: "polite"})
//	server := httptest.NewServer(sim.Handler())
//	otp, err := sim.OneTimePassword("simulation", "310175397400003")
//
// It is for tests and trials: its certificates are worthless elsewhere, and
// [Simulator.Control] lets whoever reaches it change its mood, its clock and
// its memory. What it does not check, and what it had to invent, stands in
// docs/simulator.md.
package simulator

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync"
	"time"

	"khatm/simulator/internal/judge"
)

// Config is what a simulator is made from. The zero value is a fresh, strict
// and polite one that keeps everything in memory, which then grows with every
// document.
type Config struct {
	State   string // folder that keeps certificates, passwords, settings and the journal, so that a restart goes on; "" for none
	Journal string // file of the journal; "" for journal.jsonl in State, or memory
	Sync    bool   // wait for the disk at each record of the journal

	Mood string // polite, moody, nod or outage, or a plan in JSON; "" is polite
	Seed uint64 // of the mood
	Lax  bool   // let pass what the real authority lets pass: see docs/simulator.md

	Random   io.Reader        // of keys, secrets and passwords; nil for the system's
	Now      func() time.Time // nil for the system's clock
	Patience time.Duration    // with the body of a request; 0 for 30 seconds
	Log      io.Writer        // gets a line for each request; nil for none
}

// Simulator acts as the tax authority. It may be used by many goroutines.
type Simulator struct {
	cfg     Config
	clock   *clock
	mood    *moodControl
	judge   judge.Judge
	judging chan struct{} // a slot for each document that may be judged at a time
	gate    *gate
	counts  *counts
	log     *log
	handler http.Handler

	mu    sync.RWMutex // held for reading by requests, for writing by reset and Close
	state *state
}

// New makes a simulator, or one that goes on from the state in a folder.
func New(cfg Config) (*Simulator, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	if cfg.Patience == 0 {
		cfg.Patience = 30 * time.Second
	}
	cfg.Random = &shared{source: cfg.Random}
	s := &Simulator{
		cfg:     cfg,
		clock:   newClock(cfg.Now),
		judge:   judge.Judge{Lax: cfg.Lax},
		judging: make(chan struct{}, runtime.GOMAXPROCS(0)),
		gate:    newGate(),
		counts:  newCounts(),
		log:     &log{to: cfg.Log},
	}
	var err error
	if s.mood, err = newMoodControl(cfg.Mood, cfg.Seed, s.clock.now); err != nil {
		return nil, fmt.Errorf("make the simulator: %w", err)
	}
	if s.state, err = openState(cfg, s.clock.now); err != nil {
		return nil, fmt.Errorf("make the simulator: %w", err)
	}
	s.handler = s.dated(s.watch(s.mood.wrap(http.HandlerFunc(s.serve))))
	return s, nil
}

// dated states the simulator's own time in every response.
func (s *Simulator) dated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.clock.now().UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// Handler is the protocol, under /e-invoicing/developer-portal,
// /e-invoicing/simulation and /e-invoicing/core.
func (s *Simulator) Handler() http.Handler { return s.handler }

// OneTimePassword makes a password with which a device of a VAT number can be
// onboarded or renewed in an environment (sandbox, simulation, production), as
// the taxpayer does in the authority's portal.
func (s *Simulator) OneTimePassword(environment, vatNumber string) (string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, err := s.makePassword(environment, vatNumber)
	return p.OTP, err
}

// Close lets running requests end and closes the files. Later requests are
// answered 503.
func (s *Simulator) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil {
		return nil
	}
	err := s.state.close()
	s.state = nil
	return err
}

// errClosed says that the simulator was closed.
var errClosed = errors.New("the simulator is closed")

// shared lets several goroutines read one random source.
type shared struct {
	mu     sync.Mutex
	source io.Reader
}

func (s *shared) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(p)
}
