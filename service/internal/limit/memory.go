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
	counts map[window]*count
	sweep  time.Time // when what has ended is next thrown away
}

// window is one subject's window. A call that was late, or a clock that was set
// back, finds the window it belongs to and takes nobody else's.
type window struct {
	subject string
	start   int64
}

type count struct {
	end time.Time
	n   int
}

// NewMemory makes an empty counter.
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
	s.throwAway(start)
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

// throwAway drops counts of windows that are over, once a minute, so that
// subjects that never come again do not stay.
func (s *shard) throwAway(now time.Time) {
	if now.Before(s.sweep) {
		return
	}
	s.sweep = now.Add(time.Minute)
	for at, c := range s.counts {
		if c.end.Before(now) { // the last one too may still have late calls
			delete(s.counts, at)
		}
	}
}

// Len is how many windows are counted now.
func (m *Memory) Len() int {
	n := 0
	for i := range m.shards {
		m.shards[i].Lock()
		n += len(m.shards[i].counts)
		m.shards[i].Unlock()
	}
	return n
}
