package issue

import (
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// lanes queues the documents of each organisation and writes them in batches.
// Documents that arrive while a batch is being written go into the next one, so
// the cost of the lock and of the disk is paid per batch, not per document.
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

// Limits of the queue of a lane, and of the documents, lines and bytes that are
// written under one lock.
const (
	laneLength = 1024
	batchSize  = 64
	batchLines = 4_000
	batchBytes = 2 << 20
	// Approximate size of the XML of a document and of each line.
	documentBytes = 6_000
	lineBytes     = 1_000
)

func newLanes(run func(of org.Tenant, batch []*member)) *lanes {
	return &lanes{run: run, byOrg: map[uuid.UUID]*lane{}}
}

// add queues a member, or returns an error if the queue is full or closed.
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

// work writes batches until the queue is empty.
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

// next removes a batch from the queue. If the queue is empty, it removes the
// lane and returns nil.
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

// close refuses new members and waits for the queued ones.
func (l *lanes) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.ended.Wait()
}
