package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// appends combines the batches of several organisations into one transaction, so
// that they share its statements and its commit. Batches that arrive while all
// transactions are in use go into the next one.
type appends struct {
	mu      sync.Mutex
	waiting []*appending
	running int
	most    int           // maximum of running
	alone   chan struct{} // holds a value for each batch that is written alone after a failure
}

// appending is the batch of one organisation that waits for its transaction.
type appending struct {
	ctx    context.Context
	of     org.Tenant
	wants  issue.Wants
	decide func(*issue.State) (*issue.Entries, error)

	book   book
	state  *issue.State
	buyers buyerPlaces
	lines  []*documentLine // of its documents, for the archive
	err    error           // of this batch alone
	done   chan struct{}

	server int64 // database.Tx.Reconnections of its transaction
}

// Limits of one transaction, so that its first batch does not wait too long and its
// documents fit into memory, and the number of concurrent transactions on
// PostgreSQL. SQLite has one writer. After a failure more transactions run, because
// some may wait for a lock; other calls need connections as well.
const (
	appendBatches   = 32
	appendDocuments = 64
	appendBytes     = 8 << 20
	appendsAtOnce   = 2
	appendsAlone    = 4
)

// Append writes new documents in one transaction. See issue.Book.
func (s *Store) Append(ctx context.Context, of org.Tenant, wants issue.Wants, decide func(*issue.State) (*issue.Entries, error)) error {
	if of.IsZero() {
		return errors.New("append documents: no organisation")
	}
	a := &appending{ctx: ctx, of: of, wants: wants, decide: decide, done: make(chan struct{})}
	s.appends.mu.Lock()
	s.appends.waiting = append(s.appends.waiting, a)
	if s.appends.running < s.appends.most {
		s.appends.running++
		go s.appendWaiting()
	}
	s.appends.mu.Unlock()
	<-a.done
	return a.err
}

// appendWaiting writes batches until none waits.
func (s *Store) appendWaiting() {
	for {
		group := s.appends.next()
		if group == nil {
			return
		}
		s.appendGroup(group)
	}
}

// next removes the batches of one transaction from the queue. If the queue is empty,
// it returns nil and the caller must end. A transaction contains at most one batch
// of an organisation.
func (q *appends) next() []*appending {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running--
		return nil
	}
	var group, rest []*appending
	documents, bytes, seen := 0, 0, map[org.Tenant]bool{}
	for _, a := range q.waiting {
		n, size := len(a.wants.Guards), a.wants.Bytes
		full := len(group) == appendBatches || documents+n > appendDocuments || bytes+size > appendBytes
		if len(group) > 0 && (full || seen[a.of]) {
			rest = append(rest, a)
			continue
		}
		group, seen[a.of] = append(group, a), true
		documents += n
		bytes += size
	}
	q.waiting = rest
	return group
}

// appendGroup writes batches in one transaction. If that fails because of one of
// them, it writes each in its own transaction.
func (s *Store) appendGroup(group []*appending) {
	documents, err := s.appendTogether(group)
	if err != nil && len(group) > 1 && !database.OutcomeUnknown(err) && fault.KindOf(err) != fault.Unavailable {
		s.log.Warn("cannot write the batches of several organisations together; writing them one by one", "cause", err.Error())
		for _, a := range group {
			// One that waits for a lock must not delay the others.
			go s.appendAlone(a)
		}
		return
	}
	if database.OutcomeUnknown(err) {
		err = errors.Join(issue.ErrUnknown, err)
	}
	if err == nil {
		s.wrote(documents)
		if s.archiveGroup(group) {
			return
		}
	}
	for _, a := range group {
		if a.err == nil {
			a.err = err
		}
		close(a.done)
	}
}

// appendAlone writes a batch in its own transaction, when few others do.
func (s *Store) appendAlone(a *appending) {
	s.appends.alone <- struct{}{}
	defer func() { <-s.appends.alone }()
	s.appendGroup([]*appending{a})
}

// errNothing rolls back a transaction that would write nothing.
var errNothing = errors.New("nothing is to be written")

// appendTogether writes batches in one transaction and returns the number of their
// documents. It sets the error of a batch that is not to be written, which does not
// affect the others.
func (s *Store) appendTogether(group []*appending) (documents int, err error) {
	// Every transaction locks books in the same order, so that two of them
	// cannot deadlock.
	slices.SortFunc(group, func(a, b *appending) int { return byID(a.of, b.of) })
	ctx := context.WithoutCancel(group[0].ctx)
	documents, err = s.tryAppend(ctx, group, nil)
	if errors.Is(err, errNoBook) {
		var all []org.Tenant
		for _, a := range group {
			all = append(all, a.of)
		}
		documents, err = s.tryAppend(ctx, group, all)
	}
	return documents, err
}

// tryAppend is appendTogether with organisations whose books it creates first. It
// returns errNoBook if another one has no book.
func (s *Store) tryAppend(ctx context.Context, group []*appending, without []org.Tenant) (documents int, err error) {
	if err := s.archiveRefusal(); err != nil {
		return 0, err
	}
	archiver := s.archiver.Load()
	archived := archiver.takeArchived()
	defer func() {
		if err != nil || documents == 0 {
			archiver.giveBack(archived)
		}
	}()
	err = s.write(ctx, func(t *tx) error {
		if err := t.addBooks(without...); err != nil {
			return err
		}
		documents = 0
		for _, a := range group {
			a.err, a.lines, a.server = a.ctx.Err(), nil, t.Reconnections()
		}
		if err := t.takeStates(group); err != nil {
			return err
		}
		if err := s.db.Point("state read"); err != nil {
			return err
		}
		var all []entering
		for _, a := range group {
			if a.err != nil {
				continue
			}
			entries, err := a.decide(a.state)
			if a.err = err; err == nil && len(entries.Invoices) > 0 {
				a.lines = s.linesOf(a.of, a.book.last(), entries)
				all = append(all, entering{Entries: entries, of: a.of, last: a.book.last(), lines: a.lines, places: a.buyers})
				documents += len(entries.Invoices)
			}
		}
		if err := s.db.Point("decided"); err != nil {
			return err
		}
		if len(all) == 0 && (s.dialect.Embedded || !repeats(group)) {
			return errNothing
		}
		if len(all) == 0 {
			return nil // as confirm
		}
		all[0].archived = archived
		if err := t.lockOriginals(all); err != nil {
			return err
		}
		if err := t.enter(all); err != nil {
			return err
		}
		if err := t.credit(all); err != nil {
			return err
		}
		return t.settle(all)
	})
	if errors.Is(err, errNothing) {
		return 0, nil
	}
	return documents, err
}

// repeats reports whether a batch has requests whose documents were issued before.
func repeats(group []*appending) bool {
	return slices.ContainsFunc(group, func(a *appending) bool { return len(repeated(a.state)) > 0 })
}

// lockWait limits how long the batches of several organisations wait for a lock. If
// it passes, they are written one by one.
const lockWait = `SET LOCAL lock_timeout = '500ms'`

// addWaiting adds documents that arrived while the transaction waited for the books
// to its batches, so that servers that issue for the same organisation write a few
// large batches and not many small ones.
func addWaiting(group []*appending) {
	documents, bytes := appendDocuments, appendBytes
	for _, a := range group {
		documents, bytes = documents-len(a.wants.Guards), bytes-a.wants.Bytes
	}
	for _, a := range group {
		if a.err != nil || a.wants.More == nil || documents <= 0 || bytes <= 0 {
			continue
		}
		n, size := len(a.wants.Guards), a.wants.Bytes
		a.wants = a.wants.More(documents, bytes)
		documents, bytes = documents-(len(a.wants.Guards)-n), bytes-(a.wants.Bytes-size)
	}
}

// takeStates locks the books of the batches, in their order, and reads the state of
// each.
func (t *tx) takeStates(group []*appending) error {
	var recorded recordedArchive
	queries := []database.Query{recorded.appending(t.store)}
	var books []*book
	lock := t.store.dialect.LockRow
	if len(group) > 1 && !t.store.dialect.Embedded {
		queries = append(queries, database.Query{Text: lockWait})
	}
	for _, a := range group {
		a.book = book{}
		books = append(books, &a.book)
		queries = append(queries, a.book.query(a.of, lock))
	}
	if err := t.takeBooks(books, queries); err != nil {
		return err
	}
	if err := recorded.refusal(t.store); err != nil {
		return err
	}
	if err := t.store.db.Point("book taken"); err != nil {
		return err
	}
	addWaiting(group)
	readers := make([]reader, len(group))
	queries = nil
	for n, a := range group {
		readers[n] = newReader(t.Context(), t, a.of, lock)
		more, err := readers[n].state(a.wants)
		if err != nil {
			return err
		}
		queries = append(queries, more...)
	}
	if err := t.ReadAll(queries); err != nil {
		return fmt.Errorf("read the state: %w", err)
	}
	for n, a := range group {
		if err := readers[n].rest(t.store, a.wants); err != nil {
			return err
		}
		a.state, a.buyers = readers[n].into, readers[n].places
		a.state.Documents = a.book.documents
	}
	return nil
}
