package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// archiver writes what is committed to the archive, and only then deletes it from
// the outbox. Documents are handed over in memory by the append that wrote them.
// After a failure, and after the end of another server, they are read from the
// database.
type archiver struct {
	store  *Store
	to     Archive
	wait   bool
	server uuid.UUID // of this process

	location string
	epoch    int
	same     func(location string) bool

	wake  chan struct{}
	stop  chan struct{}
	once  sync.Once // closes stop
	ended sync.WaitGroup

	turn sync.Mutex // held during a round

	mu       sync.Mutex
	handed   []*handedOver
	archived []int64 // entries of the outbox that are to be deleted
	rounds   int     // since some of them are archived
	failed   error   // why the archive lacks something; nil if it has caught up

	// Used by run only.
	lines map[uuid.UUID]*documentLine // documents that were handed over and are not archived
	done  map[int64]bool              // entries that are archived and not known to be deleted
}

// handedOver are the documents of one append, which waits for them.
type handedOver struct {
	lines []*documentLine
	left  int // lines that are not archived

	server int64 // database.Tx.Reconnections of the append
	ended  func(error)
}

// errCatchingUp is the reason for refusing documents before the archive has
// caught up for the first time.
var errCatchingUp = errors.New("the archive has not caught up yet")

func newArchiver(s *Store, c Archiving) *archiver {
	return &archiver{
		store: s, to: c.To, wait: c.Wait, server: s.newID(), failed: errCatchingUp, location: c.Location, epoch: c.Epoch, same: c.Same,
		wake: make(chan struct{}, 1), stop: make(chan struct{}), lines: map[uuid.UUID]*documentLine{}, done: map[int64]bool{},
	}
}

// behind returns why the archive lacks something that was committed, or nil.
func (a *archiver) behind() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed
}

// hand hands over documents that are committed. ended is called when they are
// archived.
func (a *archiver) hand(lines []*documentLine, server int64, ended func(error)) {
	h := &handedOver{lines: lines, left: len(lines), server: server, ended: ended}
	for _, l := range lines {
		l.by = h
	}
	a.mu.Lock()
	a.handed = append(a.handed, h)
	a.mu.Unlock()
	a.changed()
}

// changed makes run look into the outbox.
func (a *archiver) changed() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// close archives what is committed, unless the archive fails, and ends.
func (a *archiver) close() {
	a.once.Do(func() { close(a.stop) })
	a.ended.Wait()
}

// Times between looks into the outbox: of changes other than documents, which
// wait to be archived together; without a known change, for those of other
// processes; and after a failure. Archived entries are deleted by the next append,
// or after forgetWait, or after forgetRounds.
const (
	forgetWait   = 20 * time.Millisecond
	forgetRounds = 4
	changesWait  = 50 * time.Millisecond
	archivePoll  = time.Second
	archiveRetry = 500 * time.Millisecond
	archiveTime  = 30 * time.Second // limit of one round
)

// run archives until the archiver is closed.
func (a *archiver) run() {
	for stopped := false; !stopped; {
		more, err := a.round()
		for more && err == nil {
			more, err = a.round()
		}
		if err != nil {
			a.store.log.Error("cannot write to the archive", "cause", err.Error())
		}
		stopped = a.pause(err != nil)
	}
	if more, err := a.round(); err == nil && !more {
		a.forget() // otherwise the next server archives them again
	}
	a.fail(errors.New("the server is stopping"))
}

// pause waits until there may be something to archive. It reports whether the
// archiver is closed.
func (a *archiver) pause(failed bool) (stopped bool) {
	wait, wake := archivePoll, a.wake
	if failed {
		wait, wake = archiveRetry, nil
	}
	a.mu.Lock()
	forget := len(a.archived) > 0
	a.mu.Unlock()
	if forget {
		wait = forgetWait
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-a.stop:
		return true
	case <-timer.C:
		a.forget()
		return false
	case <-wake:
	}
	// Documents are archived at once. Other changes wait for more.
	timer.Reset(changesWait)
	for !a.hasDocuments() {
		select {
		case <-a.stop:
			return true
		case <-timer.C:
			return false
		case <-wake:
		}
	}
	return false
}

func (a *archiver) hasDocuments() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.handed) > 0
}

// round archives the entries of the outbox once and reports whether there are
// more. On a failure the documents that were handed over end with an error, and
// later rounds read them from the database.
func (a *archiver) round() (more bool, err error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), archiveTime)
	defer cancel()
	a.mu.Lock()
	for _, h := range a.handed {
		for _, l := range h.lines {
			a.lines[l.id] = l
		}
	}
	a.handed = nil
	a.mu.Unlock()
	var b archiveBatch
	err = a.store.Snapshot(ctx, func(p *Snapshot) (err error) {
		b, err = a.read(ctx, p)
		return err
	})
	if err == nil {
		err = a.stillThere()
	}
	if err == nil {
		err = a.append(ctx, b.lines)
	}
	if err != nil {
		a.fail(err)
		return false, database.Outage(err)
	}
	a.succeed(b)
	a.forgetLate()
	return b.truncated, nil
}

// append writes lines to the archive.
func (a *archiver) append(ctx context.Context, lines [][]byte) error {
	if len(lines) == 0 {
		return nil
	}
	if err := a.store.db.Point("archive"); err != nil {
		return err
	}
	if err := a.to.Append(ctx, lines); err != nil {
		return fmt.Errorf("write %d lines to the archive: %w", len(lines), err)
	}
	return a.store.db.Point("archived")
}

// fail ends the documents that were handed over with an error.
func (a *archiver) fail(cause error) {
	a.mu.Lock()
	a.failed = cause
	handed := a.handed
	a.handed = nil
	a.mu.Unlock()
	for _, l := range a.lines {
		handed = append(handed, l.by)
	}
	clear(a.lines)
	for _, h := range handed {
		h.end(fmt.Errorf("%w: %w", issue.ErrUnknown, cause))
	}
}

// end calls ended once.
func (h *handedOver) end(err error) {
	if h.ended != nil {
		h.ended(err)
		h.ended = nil
	}
}

// succeed records that a batch is archived.
func (a *archiver) succeed(b archiveBatch) {
	a.mu.Lock()
	for _, seq := range b.seqs {
		a.done[seq] = true
		a.archived = append(a.archived, seq)
	}
	if !b.truncated {
		a.failed = nil
	}
	a.mu.Unlock()
	archived := b.documents
	if !b.truncated {
		// What is not in the outbox was archived before, by this or another
		// server.
		archived = nil
		for _, l := range a.lines {
			archived = append(archived, l)
		}
	}
	for _, l := range archived {
		delete(a.lines, l.id)
		if l.by.left--; l.by.left == 0 {
			l.by.end(nil)
		}
	}
}

// forgetLate deletes archived entries if several rounds have passed in which no
// append has done so.
func (a *archiver) forgetLate() {
	a.mu.Lock()
	if a.rounds++; len(a.archived) == 0 {
		a.rounds = 0
	}
	late := a.rounds > forgetRounds
	a.mu.Unlock()
	if late {
		a.forget()
	}
}

// forget deletes archived entries in its own transaction.
func (a *archiver) forget() {
	seqs := a.takeArchived()
	if len(seqs) == 0 {
		return
	}
	err := a.store.db.Write(context.Background(), func(t *database.Tx) error {
		if err := (&tx{t, a.store}).deleteArchived(seqs); err != nil {
			return err
		}
		return a.store.db.Point("outbox deleted")
	})
	if err != nil {
		a.giveBack(seqs)
		a.store.log.Warn("cannot delete archived entries from the outbox", "cause", err.Error())
	}
}

// takeArchived returns the entries that are to be deleted. The caller deletes
// them or gives them back.
func (a *archiver) takeArchived() []int64 {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	seqs := a.archived
	a.archived, a.rounds = nil, 0
	return seqs
}

func (a *archiver) giveBack(seqs []int64) {
	if a == nil || len(seqs) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.archived = append(a.archived, seqs...)
}

// archiveGroup ends the batches of a transaction once their documents are archived,
// and those without documents at once. It reports whether it does, which is not
// the case without an archive.
func (s *Store) archiveGroup(group []*appending) bool {
	a := s.archiver.Load()
	if a == nil {
		return false
	}
	var lines []*documentLine
	var waiting []*appending
	for _, one := range group {
		lines = append(lines, one.lines...)
		if len(one.lines) > 0 && a.wait {
			waiting = append(waiting, one)
			continue
		}
		s.endRepeat(one)
	}
	if len(lines) == 0 {
		return true
	}
	a.hand(lines, group[0].server, func(err error) {
		for _, one := range waiting {
			one.err = err
			if err != nil {
				close(one.done)
				continue
			}
			s.endRepeat(one)
		}
	})
	return true
}

// endRepeat ends a batch after the documents whose keys it repeats are archived.
func (s *Store) endRepeat(one *appending) {
	ids := repeated(one.state)
	if one.err != nil || len(ids) == 0 {
		close(one.done)
		return
	}
	go func() {
		one.err = s.awaitArchived(one.ctx, one.of, ids)
		close(one.done)
	}()
}

// linesOf returns empty lines for the documents of a batch, or nil if there is no
// archive.
func (s *Store) linesOf(of org.Tenant, last int64, e *issue.Entries) (lines []*documentLine) {
	if s.archiver.Load() == nil {
		return nil
	}
	for n, one := range e.Invoices {
		lines = append(lines, newDocumentLine(of.ID(), one.Invoice.ID, last+int64(n)+1))
	}
	return lines
}
