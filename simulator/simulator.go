// Package simulator simulates the Saudi tax authority's e-invoicing API: it
// serves the authority's three base paths, issues certificates, validates
// documents strictly, detects duplicates, and injects faults on request. Any
// client of the real API can use it instead.
//
//	sim, err := simulator.New(simulator.Config{Mood: "polite"})
//	server := httptest.NewServer(sim.Handler())
//	otp, err := sim.OneTimePassword("simulation", "310175397400003")
//
// It is for tests and trials. Its certificates are not trusted anywhere else,
// and anyone who can reach [Simulator.Control] can change its mood, clock and
// stored data. docs/simulator.md lists what it does not check and which answers
// had to be invented.
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
	"khatm/simulator/internal/view"
)

// Config configures a Simulator. The zero value gives a new, strict and polite
// simulator that keeps everything in memory; its memory use grows with every
// document.
type Config struct {
	State   string // folder for certificates, passwords, settings and the journal, restored at the next start; "" for none
	Journal string // path of the journal file; "" for journal.jsonl in State, or memory if State is "" too
	Sync    bool   // sync each journal record to disk before answering

	Mood string // polite, moody, nod or outage, or a plan in JSON; "" means polite
	Seed uint64 // seed of the random faults
	Lax  bool   // skip checks the real authority does not make either, and accept what real clients send: see docs/simulator.md

	Random   io.Reader        // source of keys, secrets and passwords; nil for crypto/rand
	Now      func() time.Time // nil for time.Now
	Patience time.Duration    // time to receive a request body; 0 for 30 seconds
	Log      io.Writer        // receives a line per request and per reason; nil for no log
}

// Simulator simulates the tax authority. It is safe for concurrent use.
type Simulator struct {
	cfg        Config
	clock      *clock
	mood       *moodControl
	rejections rejections
	judge      judge.Judge
	judging    chan struct{} // semaphore that limits how many documents are validated at a time
	gate       *gate
	counts     *counts
	log        *log
	recent     *view.Recent
	page       *view.Page
	handler    http.Handler

	mu    sync.RWMutex // held for reading by requests, for writing by reset and Close
	state *state
}

// New returns a simulator. If cfg.State contains data of an earlier run, the
// simulator continues from it.
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
		recent:  &view.Recent{},
	}
	var err error
	if s.mood, err = newMoodControl(cfg.Mood, cfg.Seed, s.clock.now); err != nil {
		return nil, fmt.Errorf("create simulator: %w", err)
	}
	if s.page, err = view.New(s.viewConfig()); err != nil {
		return nil, fmt.Errorf("create simulator: %w", err)
	}
	if s.state, err = openState(cfg, s.clock.now); err != nil {
		return nil, fmt.Errorf("create simulator: %w", err)
	}
	s.handler = s.dated(s.watch(s.mood.wrap(http.HandlerFunc(s.serve))))
	return s, nil
}

// dated sets the Date header of every response from the simulator's clock.
func (s *Simulator) dated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.clock.now().UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

// Handler returns the authority's API, served under
// /e-invoicing/developer-portal, /e-invoicing/simulation and /e-invoicing/core.
func (s *Simulator) Handler() http.Handler { return s.handler }

// OneTimePassword creates a one-time password for onboarding or renewing a
// device of a VAT number in an environment (sandbox, simulation or production),
// as a taxpayer does in the authority's portal.
func (s *Simulator) OneTimePassword(environment, vatNumber string) (string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, err := s.makePassword(environment, vatNumber)
	return p.OTP, err
}

// Close waits for running requests and closes the files. Later requests are
// refused with 503.
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

// errClosed is returned by operations on a closed simulator.
var errClosed = errors.New("the simulator is closed")

// shared makes a random source safe for concurrent use.
type shared struct {
	mu     sync.Mutex
	source io.Reader
}

func (s *shared) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(p)
}
