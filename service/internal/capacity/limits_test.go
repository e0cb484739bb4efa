package capacity_test

import (
	"testing"
	"testing/synctest"

	"khatm/service/internal/capacity"
)

func TestProcessReleasesAllOrNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &capacity.Limits{Work: pool(2, 2), Memory: pool(100, 100)}
		end, err := l.Process(of(t, "a"), 100)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Process(of(t, "b"), 1); !capacity.IsBusy(err) {
			t.Errorf("without memory: error %v, want that the server is busy", err)
		}
		if used := l.Work.Usage().Used; used != 1 {
			t.Errorf("%d slots in use after a refusal, want 1", used)
		}
		end()
		l.Each(func(name string, u capacity.Usage) {
			if u.Used != 0 {
				t.Errorf("%d units of %s in use at the end, want 0", u.Used, name)
			}
		})
	})
}

// TestOneSubjectLeavesRoom checks that one subject cannot use up a pool, on any
// machine.
func TestOneSubjectLeavesRoom(t *testing.T) {
	for _, s := range []capacity.Settings{
		{Heap: 128 << 20, Cores: 1, Readers: 4}, {Heap: 400 << 20, Cores: 2, Readers: 4}, {Heap: 2 << 30, Cores: 64, Readers: 128},
	} {
		l := capacity.New(s)
		for name, p := range map[string]*capacity.Pool{"calls": l.Calls, "buffers": l.Buffers, "work": l.Work, "memory": l.Memory, "readers": l.Readers} {
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
	for name, acquire := range map[string]func() (func(), error){
		"process": func() (func(), error) { return none.Process(of(t, "a"), 1<<40) },
		"read":    func() (func(), error) { return none.Read(of(t, "a")) },
	} {
		end, err := acquire()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		end()
	}
}
