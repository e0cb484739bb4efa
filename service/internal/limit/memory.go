package limit

import (
	"context"
	"hash/maphash"
	"sync"
	"time"
)

// Memory is a Counter for a single process. Two processes would each allow the
// whole limit.
type Memory struct {
	seed   maphash.Seed
	shards [16]shard
}

type shard struct {
	sync.Mutex
	counts map[window]*count
	sweep  time.Time // when ended windows are dropped next
}

// window identifies one window of a subject. Because the start is part of the
// key, a late call, or a call after the clock was set back, counts in its own
// window.
type window struct {
	subject string
	start   int64
}

type count struct {
	end time.Time
	n   int
}

// NewMemory returns an empty counter.
func NewMemory() *Memory {
	m := &Memory{seed: maphash.MakeSeed()}
	for i := range m.shards {
		m.shards[i].counts = map[window]*count{}
	}
	return m
}

// Add implements [Counter].
func (m *Memory) Add(_ context.Context, subject string, start, end time.Time) (int, error) {
	s := &m.shards[maphash.String(m.seed, subject)%uint64(len(m.shards))]
	s.Lock()
	defer s.Unlock()
	s.dropEnded(start)
	at := window{subject, start.UnixMilli()}
	c := s.counts[at]
	if c == nil {
		c = &count{end: end}
		s.counts[at] = c
	}
	c.n++
	return c.n, nil
}

// Sub implements [Counter].
func (m *Memory) Sub(_ context.Context, subject string, start time.Time) error {
	s := &m.shards[maphash.String(m.seed, subject)%uint64(len(m.shards))]
	s.Lock()
	defer s.Unlock()
	if c := s.counts[window{subject, start.UnixMilli()}]; c != nil && c.n > 0 {
		c.n--
	}
	return nil
}

// dropEnded drops ended windows once a minute, so that subjects that never call
// again do not fill the memory.
func (s *shard) dropEnded(now time.Time) {
	if now.Before(s.sweep) {
		return
	}
	s.sweep = now.Add(time.Minute)
	for at, c := range s.counts {
		if c.end.Before(now) { // the window that has just ended stays for late calls
			delete(s.counts, at)
		}
	}
}

// Len returns the number of windows in memory.
func (m *Memory) Len() int {
	n := 0
	for i := range m.shards {
		m.shards[i].Lock()
		n += len(m.shards[i].counts)
		m.shards[i].Unlock()
	}
	return n
}
