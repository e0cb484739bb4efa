package issue

import (
	"math"
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// lanes queues the documents of each organisation and writes them in batches.
// Documents that arrive while a batch is being written go into the next one, so
// the cost of the lock and of the disk is paid per batch, not per document. While a
// batch waits for the lock, which another server may hold, documents are added to it.
type lanes struct {
	run func(*batch)

	mu     sync.Mutex
	byOrg  map[uuid.UUID]*lane
	closed bool
	ended  sync.WaitGroup
}

type lane struct {
	of      org.Tenant
	waiting []*member
}

// batch is the documents of one organisation that are written in one transaction.
type batch struct {
	of      org.Tenant
	members []*member
	lines   int
	more    func(b *batch, documents, bytes int) // adds waiting documents, within these limits; nil if none are added
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

func newLanes(run func(*batch)) *lanes {
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
		b := l.next(one)
		if b == nil {
			return
		}
		l.run(b)
		for _, m := range b.members {
			close(m.done)
		}
	}
}

// next removes a batch from the queue. If the queue is empty, it removes the
// lane and returns nil.
func (l *lanes) next(one *lane) *batch {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(one.waiting) == 0 {
		delete(l.byOrg, one.of.ID())
		return nil
	}
	b := &batch{of: one.of}
	b.more = func(b *batch, documents, bytes int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		one.fill(b, documents, bytes)
	}
	one.fill(b, batchSize, math.MaxInt)
	return b
}

// fill moves waiting documents to a batch, at most a number of documents and of
// bytes, and not beyond the limits of a batch. An empty batch gets at least one.
func (one *lane) fill(b *batch, documents, bytes int) {
	n, before := 0, b.size()
	for n < len(one.waiting) && n < documents && len(b.members) < batchSize {
		next := one.waiting[n]
		size := b.size() + next.prepared.lineCount()*lineBytes
		full := b.lines+next.prepared.lineCount() > batchLines || size > batchBytes || size+documentBytes-before > bytes
		if len(b.members) > 0 && full {
			break
		}
		b.members = append(b.members, next)
		b.lines += next.prepared.lineCount()
		n++
	}
	one.waiting = one.waiting[n:]
}

// size returns the approximate size of the XML of the documents.
func (b *batch) size() int { return len(b.members)*documentBytes + b.lines*lineBytes }

// close refuses new members and waits for the queued ones.
func (l *lanes) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.ended.Wait()
}
