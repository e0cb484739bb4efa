package database

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// group gathers the writes that wait into one commit. SQLite has one writer,
// and what a commit costs is its fsync: sixty writes that share it are not
// much slower than one.
type group struct {
	db      *DB
	waiting chan *pending
	ended   sync.WaitGroup
	writer  *writer // of the goroutine that commits
	halted  error   // why nothing is written any more; of the same goroutine

	mu     sync.RWMutex // held for reading while a write is handed in
	closed bool
}

// pending is one write that waits for its commit.
type pending struct {
	ctx  context.Context
	do   func(*Tx) error
	done chan error
}

// groupSize bounds a commit, so that the first of it does not wait for ever.
const groupSize = 128

var (
	errClosed = errors.New("the database is being closed")
	errUndone = errors.New("SQLite has undone the whole transaction")
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

// run waits until the write is committed or refused. It waits even if the
// caller leaves: whether a write happened must not be a guess.
func (g *group) run(ctx context.Context, do func(*Tx) error) error {
	p := &pending{ctx: ctx, do: do, done: make(chan error, 1)}
	if !g.handIn(p) {
		return errClosed
	}
	return <-p.done
}

func (g *group) handIn(p *pending) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if !g.closed {
		g.waiting <- p
	}
	return !g.closed
}

// close lets what waits be written, and ends.
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

// commit runs each write of the batch in a savepoint of one transaction.
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

// checkpoint keeps the log short. A log that cannot be copied now is copied
// after another commit, unless the copy could not be made durable.
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
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = begun.Rollback() }()
	t := &Tx{sql: begun, ctx: ctx, writer: g.writer}
	for i, p := range batch {
		if results[i] = p.ctx.Err(); results[i] == nil {
			t.wrote = false
			results[i] = t.savepoint(p.do)
		}
		wrote = wrote || t.wrote && results[i] == nil
		// What comes after would be committed by itself, and told as failed.
		if errors.Is(results[i], errUndone) {
			return undone(results[i])
		}
	}
	return g.db.commit(begun)
}

// undone is what the other writes of a transaction are told that SQLite has
// undone: its own error, and nothing of the write that met with it.
func undone(err error) error {
	var lite coded
	if errors.As(err, &lite) {
		return fmt.Errorf("%w: %w", errUndone, lite)
	}
	return errUndone
}

// savepoint runs one write so that its failure undoes nothing of the others,
// unless the disk is full or fails: then SQLite undoes them all by itself.
func (t *Tx) savepoint(do func(*Tx) error) (err error) {
	if err := t.control(`SAVEPOINT one`); err != nil {
		return errors.Join(err, errUndone)
	}
	defer func() {
		// The writer serves everybody: a write that panics is refused alone.
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a write: %v\n%s", p, debug.Stack())
		}
		var failed error
		if err != nil {
			failed = t.control(`ROLLBACK TO one`)
		}
		if failed = errors.Join(failed, t.control(`RELEASE one`)); failed != nil {
			err = errors.Join(err, failed, errUndone)
		}
	}()
	return do(t)
}
