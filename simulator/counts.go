package simulator

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/journal"
)

// count is the number of requests with the same operation, status, outcome and
// faults.
type count struct {
	Environment ca.Environment  `json:"environment,omitempty"`
	Endpoint    string          `json:"endpoint,omitempty"`
	Status      int             `json:"status"` // as sent to the client; 0 if no response was sent
	Outcome     journal.Outcome `json:"outcome,omitempty"`
	Mood        string          `json:"mood,omitempty"`
	Requests    int64           `json:"requests"`
}

// counts holds the counts since the start or the last reset.
type counts struct {
	mu  sync.Mutex
	per map[count]int64 // keyed by a count with Requests 0
}

func newCounts() *counts { return &counts{per: map[count]int64{}} }

func (n *counts) add(c *call, status int) {
	key := count{Environment: c.environment, Endpoint: c.operation(), Status: status, Outcome: c.outcome, Mood: c.mood}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.per[key]++
}

func (n *counts) all() []count {
	n.mu.Lock()
	rows := make([]count, 0, len(n.per))
	for key, number := range maps.All(n.per) {
		key.Requests = number
		rows = append(rows, key)
	}
	n.mu.Unlock()
	slices.SortFunc(rows, func(a, b count) int {
		return cmp.Or(
			cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Endpoint, b.Endpoint),
			cmp.Compare(a.Status, b.Status), cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Mood, b.Mood),
		)
	})
	return rows
}

func (n *counts) reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.per)
}
