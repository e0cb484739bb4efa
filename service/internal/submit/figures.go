package submit

import (
	"context"
	"maps"
	"sync"
	"time"

	"khatm/service/internal/ledger"
)

// Figures is how sending stands, for those who run the service.
type Figures struct {
	Backlog  Backlog
	Attempts map[ledger.Outcome]int // since the start
	Open     map[ledger.Route]bool  // whose breaker is open
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

// Figures tells how sending stands. The backlog is counted now and then.
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

// marks is how many documents were over each age when it was last told.
type marks struct {
	told []int
}

// count counts the backlog, and says which documents have waited for too long.
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

// warn tells of every mark that more documents have passed than when it was
// last told.
func (s *Submitter) warn(b Backlog) {
	if s.marks.told == nil {
		s.marks.told = make([]int, len(b.Over))
	}
	for i, age := range Ages() {
		if n := b.Over[i]; n > s.marks.told[i] {
			s.Log.Warn("simplified documents wait to be reported: the law gives 24 hours",
				"waited_hours", int(age/time.Hour), "documents", n, "oldest", b.Oldest)
		}
		s.marks.told[i] = b.Over[i]
	}
}
