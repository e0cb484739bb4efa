package capacity_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"khatm/service/internal/capacity"
)

func TestProcessReleasesAllOrNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &capacity.Limits{Work: pool(2, 2), Memory: pool(100, 100)}
		job, err := l.Process(of(t, "a"), 100)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Process(of(t, "b"), 1); !capacity.IsBusy(err) {
			t.Errorf("without memory: error %v, want that the server is busy", err)
		}
		if used := l.Work.Usage().Used; used != 1 {
			t.Errorf("%d slots in use after a refusal, want 1", used)
		}
		job.End()
		idle(t, l)
	})
}

func idle(t *testing.T, l *capacity.Limits) {
	t.Helper()
	l.Each(func(name string, u capacity.Usage) {
		if u.Used != 0 {
			t.Errorf("%d units of %s in use at the end, want 0", u.Used, name)
		}
	})
}

// Two jobs that both need all memory get it one after the other.
func TestEnlargeDoesNotBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &capacity.Limits{Work: pool(2, 1), Memory: pool(100, 100)}
		var running sync.WaitGroup
		for _, subject := range []string{"a", "b"} {
			running.Go(func() {
				job, err := l.Process(of(t, subject), 40)
				if err != nil {
					t.Error(err)
					return
				}
				defer job.End()
				time.Sleep(time.Millisecond) // both have begun
				if err := job.Enlarge(of(t, subject), 100); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Millisecond)
			})
		}
		running.Wait()
		idle(t, l)
	})
}

func TestRefusedEnlargeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &capacity.Limits{Work: pool(2, 1), Memory: pool(100, 80)}
		held := claim(t, l.Memory, "other", 50)
		job, err := l.Process(of(t, "a"), 10)
		if err != nil {
			t.Fatal(err)
		}
		if err := job.Enlarge(of(t, "a"), 80); !capacity.IsBusy(err) {
			t.Errorf("error %v, want that the server is busy", err)
		}
		job.End()
		held.Release()
		idle(t, l)
	})
}

func TestProcessWithinAJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &capacity.Limits{Work: pool(1, 1), Memory: pool(100, 100)}
		outer, err := l.Process(of(t, "a"), 50)
		if err != nil {
			t.Fatal(err)
		}
		ctx := outer.Context(of(t, "a"))
		for _, c := range []struct{ bytes, used int64 }{{40, 50}, {70, 75}, {60, 75}} {
			inner, err := l.Process(ctx, c.bytes)
			if err != nil {
				t.Errorf("within a job: %v", err)
			}
			if err := inner.Enlarge(inner.Context(ctx), c.bytes+5); err != nil {
				t.Errorf("within a job: %v", err)
			}
			inner.End()
			if work, memory := l.Work.Usage().Used, l.Memory.Usage().Used; work != 1 || memory != c.used {
				t.Errorf("%d slots and %d bytes in use after an inner job of %d bytes, want 1 and %d", work, memory, c.bytes, c.used)
			}
		}
		outer.End()
		idle(t, l)
	})
}

// TestOneSubjectLeavesRoom checks that one subject cannot use up a pool, on any
// machine.
func TestOneSubjectLeavesRoom(t *testing.T) {
	for _, s := range []capacity.Settings{
		{Heap: 128 << 20, Cores: 1, Readers: 4}, {Heap: 400 << 20, Cores: 2, Readers: 4}, {Heap: 2 << 30, Cores: 64, Readers: 128},
	} {
		l := capacity.New(s)
		pools := map[string]*capacity.Pool{"calls": l.Calls, "buffers": l.Buffers, "brief": l.Brief, "memory": l.Memory, "readers": l.Readers, "streams": l.Streams}
		if s.Cores > 2 { // with fewer, one request at a time does long work
			pools["work"] = l.Work
		}
		for name, p := range pools {
			claim(t, p, "flood", 1<<40)
			if u := p.Usage(); u.Used >= u.Total || u.Used == 0 {
				t.Errorf("%+v: one subject has %d of %d %s", s, u.Used, u.Total, name)
			}
			claim(t, p, "other", 1)
		}
	}
}

func TestNoLimits(t *testing.T) {
	var none *capacity.Limits
	job, err := none.Process(of(t, "a"), 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Enlarge(job.Context(t.Context()), 1<<41); err != nil {
		t.Error(err)
	}
	job.End()
	end, err := none.Read(of(t, "a"))
	if err != nil {
		t.Fatal(err)
	}
	end()
}

// TestAloneWithAllCores checks that an organisation can use all cores while no other
// calls, and leaves one when another has called.
func TestAloneWithAllCores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := capacity.New(capacity.Settings{Heap: 1 << 30, Cores: 2, Readers: 4})
		call := func(subject string) {
			c, err := l.Call(of(t, subject))
			if err != nil {
				t.Fatal(err)
			}
			c.Release()
		}
		jobs := func() (n int) {
			var all []*capacity.Job
			for range 4 {
				job, err := l.Process(of(t, "a"), 1)
				if err != nil {
					break
				}
				all = append(all, job)
			}
			for _, job := range all {
				job.End()
			}
			return len(all)
		}
		call("a")
		if n := jobs(); n != 2 {
			t.Errorf("%d jobs while no other has called, want 2", n)
		}
		call("b")
		call("a")
		if n := jobs(); n != 1 {
			t.Errorf("%d jobs after another has called, want 1", n)
		}
		time.Sleep(11 * time.Second)
		call("a")
		if n := jobs(); n != 2 {
			t.Errorf("%d jobs when another has not called for long, want 2", n)
		}
	})
}

// TestBriefJobsDoNotWaitForLongOnes checks that a brief job begins while long jobs of
// others use all slots, and that it waits like them when it is enlarged.
func TestBriefJobsDoNotWaitForLongOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := capacity.New(capacity.Settings{Heap: 1 << 30, Cores: 2, Readers: 4})
		for _, subject := range []string{"a", "b"} { // neither is alone
			c, err := l.Call(of(t, subject))
			if err != nil {
				t.Fatal(err)
			}
			c.Release()
		}
		long, err := l.Process(of(t, "a"), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Process(of(t, "b"), 1); !capacity.IsBusy(err) {
			t.Errorf("a second long job: error %v, want that the server is busy", err)
		}
		brief, err := l.ProcessBriefly(of(t, "b"), 1)
		if err != nil {
			t.Fatalf("a brief job: %v", err)
		}
		if err := brief.Enlarge(of(t, "b"), 1); !capacity.IsBusy(err) {
			t.Errorf("a brief job that is enlarged: error %v, want that the server is busy", err)
		}
		long.End()
		if err := brief.Enlarge(of(t, "b"), 2); err != nil {
			t.Errorf("after the long job: %v", err)
		}
		if u := l.Work.Usage().Used; u != 1 {
			t.Errorf("%d long jobs after a brief one was enlarged, want 1", u)
		}
		brief.End()
		idle(t, l)
	})
}
