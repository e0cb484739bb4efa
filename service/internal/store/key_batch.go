package store

import (
	"context"
	"runtime"
	"sync"

	"khatm/service/internal/account"
)

// keyLookups combines concurrent lookups of the same key into one statement,
// because each statement that counts calls updates the same row. A lookup joins
// only a statement that has not started yet, so that it sees a key that was
// revoked before it.
type keyLookups struct {
	mu      sync.Mutex
	pending map[keyCall]*keyQueue
}

// keyCall identifies lookups that one statement can answer.
type keyCall struct {
	name, digest string
	from         int64
}

// keyQueue is the state of a key while a statement for it runs. next collects
// the lookups that arrived meanwhile.
type keyQueue struct{ next *keyBatch }

// keyBatch is a group of lookups that one statement answers.
type keyBatch struct {
	run    func() (account.KeyHolder, error)
	calls  int
	done   chan struct{}
	holder account.KeyHolder
	err    error
}

// counting is a statement that looks up a key and counts calls.
type counting func(ctx context.Context, calls int) (account.KeyHolder, error)

// do looks up a key with run, alone or together with other callers. The Calls of
// the result is the number of this call.
func (l *keyLookups) do(ctx context.Context, k keyCall, run counting) (account.KeyHolder, error) {
	l.mu.Lock()
	q, busy := l.pending[k]
	if !busy {
		q = &keyQueue{}
		if l.pending == nil {
			l.pending = map[keyCall]*keyQueue{}
		}
		l.pending[k] = q
		l.mu.Unlock()
		defer l.finish(k, q)
		return run(ctx, 1)
	}
	b := q.next
	if b == nil {
		b = &keyBatch{done: make(chan struct{})}
		b.run = func() (account.KeyHolder, error) { return run(context.WithoutCancel(ctx), b.calls) }
		q.next = b
	}
	b.calls++
	number := b.calls
	l.mu.Unlock()
	select {
	case <-b.done:
	case <-ctx.Done():
		return account.KeyHolder{}, ctx.Err()
	}
	holder := b.holder
	if holder.Calls > 0 {
		holder.Calls -= b.calls - number
	}
	return holder, b.err
}

// finish starts the next batch of a key after a statement has ended.
func (l *keyLookups) finish(k keyCall, q *keyQueue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q.next == nil {
		delete(l.pending, k)
		return
	}
	go func() {
		runtime.Gosched() // requests that are ready to run join the batch
		l.mu.Lock()
		b := q.next
		q.next = nil
		l.mu.Unlock()
		defer l.finish(k, q)
		defer close(b.done)
		b.holder, b.err = b.run()
	}()
}
