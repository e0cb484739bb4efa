package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"khatm/service/internal/account"
)

// lookupTrial runs lookups of one key whose statements wait for release. Its
// fields are read while all goroutines are blocked or done.
type lookupTrial struct {
	lookups keyLookups
	release chan struct{}
	batches []int // calls counted by each statement
	mu      sync.Mutex
	numbers []int
	errs    []error
}

// lookUp starts a lookup and waits until it is blocked.
func (r *lookupTrial) lookUp(ctx context.Context) {
	go func() {
		h, err := r.lookups.do(ctx, keyCall{name: "svc_1234567"}, r.run)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.numbers, r.errs = append(r.numbers, h.Calls), append(r.errs, err)
	}()
	synctest.Wait()
}

func (r *lookupTrial) run(ctx context.Context, calls int) (h account.KeyHolder, err error) {
	<-r.release
	r.batches = append(r.batches, calls)
	for _, n := range r.batches {
		h.Calls += n
	}
	return h, ctx.Err()
}

// finish lets all statements end, one after another.
func (r *lookupTrial) finish() {
	for len(r.lookups.pending) > 0 {
		r.release <- struct{}{}
		synctest.Wait()
	}
	slices.Sort(r.numbers)
}

func TestKeyLookupsShareOneStatement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &lookupTrial{release: make(chan struct{})}
		for range 6 {
			r.lookUp(t.Context())
		}
		r.finish()
		if want := []int{1, 5}; !slices.Equal(r.batches, want) {
			t.Errorf("calls of the statements = %v, want %v", r.batches, want)
		}
		if want := []int{1, 2, 3, 4, 5, 6}; !slices.Equal(r.numbers, want) || errors.Join(r.errs...) != nil {
			t.Errorf("numbers of the calls = %v (%v), want %v", r.numbers, errors.Join(r.errs...), want)
		}
	})
}

// A lookup that arrives while a statement runs does not use its result: the key
// may have been revoked after the statement started.
func TestKeyLookupStartsItsOwnStatement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &lookupTrial{release: make(chan struct{})}
		for range 3 {
			r.lookUp(t.Context())
			r.lookUp(t.Context())
			r.release <- struct{}{}
			synctest.Wait()
		}
		r.finish()
		if want := []int{1, 1, 2, 2}; !slices.Equal(r.batches, want) {
			t.Errorf("calls of the statements = %v, want %v", r.batches, want)
		}
	})
}

// A caller that leaves does not disturb those who still wait or come later.
func TestKeyLookupOfACallerThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &lookupTrial{release: make(chan struct{})}
		r.lookUp(t.Context())
		for range 2 {
			leaving, leave := context.WithCancel(t.Context())
			r.lookUp(leaving)
			leave()
			synctest.Wait()
		}
		r.lookUp(t.Context())
		r.finish()
		if want := []int{1, 3}; !slices.Equal(r.batches, want) {
			t.Errorf("calls of the statements = %v, want %v", r.batches, want)
		}
		failed := slices.DeleteFunc(slices.Clone(r.errs), func(err error) bool { return errors.Is(err, context.Canceled) })
		if len(r.errs) != 4 || len(failed) != 2 || errors.Join(failed...) != nil {
			t.Errorf("errors = %v, want two of callers that left and two results", r.errs)
		}
	})
}
