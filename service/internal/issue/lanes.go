package issue

import (
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// lanes gather the documents that wait for the same book. Whoever comes while
// a batch is being written goes into the next one: the lock is taken and the
// disk is waited for once a batch, not once a document.
type lanes struct {
	run func(of org.Tenant, batch []*member)

	mu     sync.Mutex
	byOrg  map[uuid.UUID]*lane
	closed bool
	ended  sync.WaitGroup
}

type lane struct {
	of      org.Tenant
	waiting []*member
}

// Bounds of a lane and of a batch: what waits at most, and how many documents,
// lines and bytes are written under one lock.
const (
	laneLength = 1024
	batchSize  = 64
	batchLines = 4_000
	batchBytes = 2 << 20
	// What a document and a line of it come to in XML, roughly.
	documentBytes = 6_000
	lineBytes     = 1_000
)

func newLanes(run func(of org.Tenant, batch []*member)) *lanes {
	return &lanes{run: run, byOrg: map[uuid.UUID]*lane{}}
}

// add puts a member into its lane, or refuses when too many wait.
func (l *lanes) add(of org.Tenant, m *member) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errBusy()
	}
	one, running := l.byOrg[of.ID()]
	if !running {
		one = &lane{of: of}
		l.byOrg[of.ID()] = one
		l.ended.Go(func() { l.work(one) })
	}
	if len(one.waiting) >= laneLength {
		return errBusy()
	}
	one.waiting = append(one.waiting, m)
	return nil
}

// work writes batch after batch until nobody waits.
func (l *lanes) work(one *lane) {
	for {
		batch := l.next(one)
		if batch == nil {
			return
		}
		l.run(one.of, batch)
		for _, m := range batch {
			close(m.done)
		}
	}
}

// next takes a batch off the lane; without one it ends the lane.
func (l *lanes) next(one *lane) []*member {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(one.waiting) == 0 {
		delete(l.byOrg, one.of.ID())
		return nil
	}
	lines, n := 0, 0
	for n < len(one.waiting) && n < batchSize {
		lines += one.waiting[n].prepared.lineCount()
		if n > 0 && (lines > batchLines || n*documentBytes+lines*lineBytes > batchBytes) {
			break
		}
		n++
	}
	batch := one.waiting[:n:n]
	one.waiting = one.waiting[n:]
	return batch
}

// close refuses what is new and waits for what waits.
func (l *lanes) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.ended.Wait()
}
