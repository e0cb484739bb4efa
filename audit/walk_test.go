package audit_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"testing"
	"time"

	"khatm/audit"
	"khatm/internal/testtool"
)

func TestCleanHistoryHasNoFault(t *testing.T) {
	seeds := uint64(8)
	if testtool.Torture() {
		seeds = 200
	}
	for seed := range seeds {
		h := made(t, seed)
		r := h.audited(t)
		for _, f := range r.Faults {
			t.Errorf("seed %d: unexpected fault of %s: %s", seed, f.Invariant, f)
		}
		if want := int64(madeOrganisations * madeDevices * madeDocuments); r.Documents != want || !r.Sound() {
			t.Errorf("seed %d: %d documents, sound %v, want %d and true", seed, r.Documents, r.Sound(), want)
		}
		if r.Entries != int64(len(h.trail)) || r.Authority.Records != int64(len(h.authority)) || r.Clients.Records != int64(len(h.clients)) {
			t.Errorf("seed %d: %s, want %d entries, %d and %d records", seed, r.Summary(), len(h.trail), len(h.authority), len(h.clients))
		}
	}
}

func TestStoreAloneCanBeAudited(t *testing.T) {
	h := made(t, 3)
	r, err := audit.Walk(context.Background(), h, audit.Options{})
	if err != nil || !r.Sound() || r.Authority != nil || r.Clients != nil {
		t.Errorf("error %v, %s, faults %v, want a sound report without journals", err, r.Summary(), r.Faults)
	}
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	h := made(t, 3)
	var steps int64
	var lastDone, lastTotal int64
	h.audited(t, func(o *audit.Options) {
		o.Progress = func(done, total int64) { steps, lastDone, lastTotal = steps+1, done, total }
	})
	if want := int64(madeOrganisations * madeDevices * madeDocuments); steps != want || lastDone != want || lastTotal != want {
		t.Errorf("%d steps, the last one %d of %d, want %d steps and all done", steps, lastDone, lastTotal, want)
	}
}

// failing is a source that fails after three documents.
type failing struct{ *history }

var errDisk = errors.New("disk failure")

func (f failing) Documents(ctx context.Context, of audit.Device) iter.Seq2[audit.Document, error] {
	return func(yield func(audit.Document, error) bool) {
		n := 0
		for d := range f.history.Documents(ctx, of) {
			if n++; n > 3 {
				yield(audit.Document{}, errDisk)
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

func TestFailingSourceReturnsErrorAndNoReport(t *testing.T) {
	before := runtime.NumGoroutine()
	r, err := audit.Walk(context.Background(), failing{made(t, 1)}, audit.Options{Workers: 3})
	if !errors.Is(err, errDisk) || r != nil {
		t.Errorf("report %v, error %v, want no report and %v", r, err, errDisk)
	}
	after := runtime.NumGoroutine()
	for end := time.Now().Add(10 * time.Second); after > before && time.Now().Before(end); after = runtime.NumGoroutine() {
		time.Sleep(time.Millisecond) // a goroutine that has returned may still be counted
	}
	if after > before {
		t.Errorf("%d goroutines before, %d after, want no more than before", before, after)
	}
}

func TestWalkStopsWhenCanceled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	_, err := audit.Walk(ctx, made(t, 1), audit.Options{Progress: func(done, _ int64) {
		if done == 5 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
