package tools

import (
	"errors"
	"testing"
	"testing/synctest"

	"khatm/service/internal/fault"
)

// TestTurnsOfInvoicesAndFiles checks that four files or invoices are processed at a
// time, and only one large one.
func TestTurnsOfInvoicesAndFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{})
		file, err := s.slots.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var ends []func()
		for _, size := range []int{largeBody, largeBody + 1} {
			end, err := s.turn(t.Context(), size)
			if err != nil {
				t.Fatal(err)
			}
			ends = append(ends, end)
		}
		_, err = s.turn(t.Context(), largeBody+1)
		isBusy(t, "a second large one", err)
		_, err = s.turnIfLarge(t.Context(), largeBody+1)
		isBusy(t, "a large one of another tool", err)
		last, err := s.turn(t.Context(), 1)
		if err != nil {
			t.Fatalf("request after a refused one, which must release its slot: %v", err)
		}
		_, err = s.turn(t.Context(), 1)
		isBusy(t, "the fifth", err)
		if end, err := s.turnIfLarge(t.Context(), largeBody); err != nil {
			t.Errorf("small body, which does not wait: %v", err)
		} else {
			end()
		}
		file.release()
		for _, end := range append(ends, last) {
			end()
		}
		for range parseSlots {
			if _, err := s.turn(t.Context(), 1); err != nil {
				t.Errorf("after all requests have finished: %v", err)
			}
		}
	})
}

// isBusy checks that err leads to a 503 with a detail and no message.
func isBusy(t *testing.T, name string, err error) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind() != fault.Unavailable || e.Message != "" || e.Fields["detail"] == nil {
		t.Errorf("%s: error %v, want that the service is busy", name, err)
	}
}
