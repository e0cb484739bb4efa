package database

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// group combines waiting writes into one commit. SQLite has one writer, and a
// commit costs mainly its fsync: sixty writes that share a commit are not much
// slower than a single write.
type group struct {
	db      *DB
	waiting chan *pending
	ended   sync.WaitGroup
	writer  *writer // used by the committing goroutine only
	halted  error   // the reason why writes are stopped; used by the committing goroutine only

	mu     sync.RWMutex // read-locked while a write is added to waiting
	closed bool
}

// pending is a write that waits for its commit.
type pending struct {
	ctx  context.Context
	do   func(*Tx) error
	done chan error
}

// groupSize limits the writes of one commit, so that the first one does not
// wait too long.
const groupSize = 128

var (
	errClosed = errors.New("database is closing")
	errUndone = errors.New("SQLite rolled back the whole transaction")
)

func newGroup(db *DB) *group {
	g := &group{db: db, waiting: make(chan *pending, groupSize), writer: &writer{db: db.writers}}
	g.ended.Go(func() {
		for p := range g.waiting {
			g.commit(g.gather(p))
		}
		g.writer.close()
	})
	return g
}

// run queues a write and waits until it is committed or fails. It does not
// return early when ctx is cancelled, because the caller could not know whether
// the write happened.
func (g *group) run(ctx context.Context, do func(*Tx) error) error {
	p := &pending{ctx: ctx, do: do, done: make(chan error, 1)}
	if !g.enqueue(p) {
		return errClosed
	}
	return <-p.done
}

func (g *group) enqueue(p *pending) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if !g.closed {
		g.waiting <- p
	}
	return !g.closed
}

// close waits until the pending writes are committed and stops the goroutine.
func (g *group) close() {
	g.mu.Lock()
	if !g.closed {
		g.closed = true
		close(g.waiting)
	}
	g.mu.Unlock()
	g.ended.Wait()
}

func (g *group) gather(first *pending) []*pending {
	batch := []*pending{first}
	for len(batch) < groupSize {
		select {
		case p, open := <-g.waiting:
			if !open {
				return batch
			}
			batch = append(batch, p)
		default:
			return batch
		}
	}
	return batch
}

// commit runs the writes of the batch in one transaction.
func (g *group) commit(batch []*pending) {
	results := make([]error, len(batch))
	err := g.halted
	if err == nil {
		err = g.transaction(batch, results)
	}
	if failedSync(err) {
		g.halt(err)
	}
	for i, p := range batch {
		if results[i] == nil {
			results[i] = err
		}
		p.done <- results[i]
	}
	if err == nil {
		g.checkpoint()
	}
}

// checkpoint copies the log into the database if the log is long. A failure is
// retried after the next commit, except for a failed sync, which stops writes.
func (g *group) checkpoint() {
	err := g.writer.checkpoint(context.Background())
	switch {
	case failedSync(err):
		g.halt(err)
	case err != nil:
		g.db.config.Log.Warn("the write-ahead log could not be copied into the database", "cause", err.Error())
	}
}

func (g *group) transaction(batch []*pending, results []error) (err error) {
	wrote := false
	defer func() {
		if err != nil || wrote {
			g.db.outcome(err)
		}
	}()
	after, err := g.db.locks.beforeWriting()
	if err != nil {
		return err
	}
	defer after()
	ctx := context.Background()
	begun, err := g.writer.begin(ctx)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	defer func() { _ = begun.Rollback() }()
	t := &Tx{sql: begun, ctx: ctx, writer: g.writer}
	if len(batch) == 1 {
		wrote, err = g.single(t, batch[0], &results[0])
		return err
	}
	for i, p := range batch {
		if results[i] = p.ctx.Err(); results[i] == nil {
			t.wrote = false
			results[i] = t.savepoint(p.do)
		}
		wrote = wrote || t.wrote && results[i] == nil
		// Later writes would run outside a transaction, be committed one by one
		// and still be reported as failed.
		if errors.Is(results[i], errUndone) {
			return undone(results[i])
		}
	}
	return g.db.commit(begun.Commit)
}

// single runs and commits a write that shares its transaction with no other. It
// needs no savepoint, which would cost a copy of every changed page.
func (g *group) single(t *Tx, p *pending, result *error) (wrote bool, err error) {
	if *result = p.ctx.Err(); *result == nil {
		*result = protected(t, p.do)
	}
	if *result == nil {
		return t.wrote, g.db.commit(t.sql.Commit)
	}
	// SQLite rolls back a transaction itself on a full or failing disk. A second
	// rollback then fails.
	if failed := t.sql.Rollback(); failed != nil {
		*result = errors.Join(*result, failed, errUndone)
		return false, undone(*result)
	}
	return false, nil
}

// protected runs one write. It returns a panic as an error, because writes run in
// goroutines that serve several callers, and a panic there would end the process.
func protected(t *Tx, do func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a write: %v\n%s", p, debug.Stack())
		}
	}()
	return do(t)
}

// undone returns the error for the other writes of a transaction that SQLite
// rolled back. It contains SQLite's error but not the error of the write that
// caused it.
func undone(err error) error {
	var lite coded
	if errors.As(err, &lite) {
		return fmt.Errorf("%w: %w", errUndone, lite)
	}
	return errUndone
}

// savepoint runs one write so that its failure does not affect the others,
// except on a full or failing disk, where SQLite rolls back the whole
// transaction.
func (t *Tx) savepoint(do func(*Tx) error) error {
	if err := t.control(`SAVEPOINT one`); err != nil {
		return errors.Join(err, errUndone)
	}
	err := protected(t, do)
	var failed error
	if err != nil {
		failed = t.control(`ROLLBACK TO one`)
	}
	if failed = errors.Join(failed, t.control(`RELEASE one`)); failed != nil {
		err = errors.Join(err, failed, errUndone)
	}
	return err
}
