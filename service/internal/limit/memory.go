package limit

import (
	"context"
	"hash/maphash"
	"sync"
	"time"
)

// Memory counts in this process. It is right for one process and wrong for
// two, which would each allow the whole limit.
type Memory struct {
	seed   maphash.Seed
	shards [16]shard
}

type shard struct {
	sync.Mutex
	counts map[string]*count
	sweep  time.Time // when what has ended is next thrown away
}

type count struct {
	start, end time.Time
	n          int
}

// NewMemory makes an empty counter.
func NewMemory() *Memory {
	m := &Memory{seed: maphash.MakeSeed()}
	for i := range m.shards {
		m.shards[i].counts = map[string]*count{}
	}
	return m
}

// Add implements [Counter].
func (m *Memory) Add(_ context.Context, subject string, start, end time.Time) (int, error) {
	s := &m.shards[maphash.String(m.seed, subject)%uint64(len(m.shards))]
	s.Lock()
	defer s.Unlock()
	s.throwAway(start)
	c := s.counts[subject]
	if c == nil || !c.start.Equal(start) {
		c = &count{start: start, end: end}
		s.counts[subject] = c
	}
	c.n++
	return c.n, nil
}

// throwAway drops counts of windows that are over, once a minute, so that
// subjects that never come again do not stay.
func (s *shard) throwAway(now time.Time) {
	if now.Before(s.sweep) {
		return
	}
	s.sweep = now.Add(time.Minute)
	for subject, c := range s.counts {
		if !c.end.After(now) {
			delete(s.counts, subject)
		}
	}
}

// Len is how many subjects are counted now.
func (m *Memory) Len() int {
	n := 0
	for i := range m.shards {
		m.shards[i].Lock()
		n += len(m.shards[i].counts)
		m.shards[i].Unlock()
	}
	return n
}
