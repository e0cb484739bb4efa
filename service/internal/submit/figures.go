package submit

import (
	"context"
	"maps"
	"sync"
	"time"

	"khatm/service/internal/ledger"
)

// Figures are statistics of sending.
type Figures struct {
	Backlog  Backlog
	Attempts map[ledger.Outcome]int // since the start of the process
	Open     map[ledger.Route]bool  // whether the breaker of each route is open
	Sending  int
}

type figures struct {
	mu       sync.Mutex
	attempts map[ledger.Outcome]int
	backlog  Backlog
}

func (f *figures) count(o ledger.Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.attempts == nil {
		f.attempts = map[ledger.Outcome]int{}
	}
	f.attempts[o]++
}

// Figures returns the current statistics. The backlog is refreshed periodically.
func (s *Submitter) Figures() Figures {
	f := Figures{Open: map[ledger.Route]bool{}}
	for route, gate := range s.gates {
		f.Open[route] = gate.isOpen()
	}
	s.mu.Lock()
	f.Sending = s.sending
	s.mu.Unlock()
	s.figures.mu.Lock()
	defer s.figures.mu.Unlock()
	f.Attempts, f.Backlog = maps.Clone(s.figures.attempts), s.figures.backlog
	return f
}

// marks holds the counts of overdue documents at the last check.
type marks struct {
	told []int
}

// count refreshes the backlog and logs documents that have waited too long.
func (s *Submitter) count(ctx context.Context) error {
	b, err := s.Keeper.Backlog(ctx, s.Now())
	if err != nil {
		return err
	}
	s.figures.mu.Lock()
	s.figures.backlog = b
	s.figures.mu.Unlock()
	s.warn(b)
	return nil
}

// warn logs each age limit that more documents exceed than when last checked.
func (s *Submitter) warn(b Backlog) {
	if s.marks.told == nil {
		s.marks.told = make([]int, len(b.Over))
	}
	for i, age := range Ages() {
		if n := b.Over[i]; n > s.marks.told[i] {
			s.Log.Warn("simplified documents are waiting to be reported; the legal limit is 24 hours",
				"waited_hours", int(age/time.Hour), "documents", n, "oldest", b.Oldest)
		}
		s.marks.told[i] = b.Over[i]
	}
}
