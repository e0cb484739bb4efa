package tools

import (
	"testing"
	"testing/synctest"

	"khatm/service/internal/capacity"
)

// TestOneLargeFileIsParsedAtATime checks that several small files are parsed at a
// time, but only one large one.
func TestOneLargeFileIsParsedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := capacity.New(capacity.Settings{Heap: 1 << 30, Cores: 8, Readers: 4})
		s := New(Config{Capacity: limits})
		var files []*slot
		for _, address := range []string{"192.0.2.1", "192.0.2.2"} {
			f, err := s.acquire(capacity.WithAddress(t.Context(), address), largeBytes)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		one, two := capacity.WithAddress(t.Context(), "192.0.2.1"), capacity.WithAddress(t.Context(), "192.0.2.2")
		for range 2 { // it has it already
			if err := files[0].acquireLarge(one); err != nil {
				t.Errorf("the first large file: %v", err)
			}
		}
		if err := files[1].acquireLarge(two); !capacity.IsBusy(err) {
			t.Errorf("the second large file: error %v, want that the server is busy", err)
		}
		if _, err := limits.Process(two, memory(largeBody+1)); !capacity.IsBusy(err) {
			t.Errorf("a large body: error %v, want that the server is busy", err)
		}
		job, err := limits.Process(two, memory(largeBody))
		if err != nil {
			t.Errorf("a small body: %v", err)
		}
		job.End()
		files[0].release()
		if err := files[1].acquireLarge(two); err != nil {
			t.Errorf("after the first large file: %v", err)
		}
		files[1].release()
		if u := limits.Memory.Usage(); u.Used != 0 {
			t.Errorf("%d bytes in use at the end, want 0", u.Used)
		}
	})
}

func TestMemoryOfABody(t *testing.T) {
	for _, c := range []struct {
		size            int
		always, ifLarge int64
	}{
		{1, smallMemory, 0},
		{largeBody, smallMemory, 0},
		{largeBody + 1, largeMemory, largeMemory},
	} {
		if a, b := memory(c.size), memoryIfLarge(c.size); a != c.always || b != c.ifLarge {
			t.Errorf("%d bytes need %d or %d, want %d or %d", c.size, a, b, c.always, c.ifLarge)
		}
	}
}
