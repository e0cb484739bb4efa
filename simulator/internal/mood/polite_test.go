package mood

import (
	"sync"
	"testing"

	"khatm/internal/testtool"
)

func TestPoliteNeverMisbehaves(t *testing.T) {
	for name, requests := range map[string]int{"polite": testtool.Scale(500, 2_000, draws), "nod": 400} {
		t.Run(name, func(t *testing.T) {
			plan, err := Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			x := newFixture(t, Config{Seed: testSeed, Plan: plan, Observe: func(e Event) { t.Errorf("got the fault %+v, want none", e) }})
			const at = 4
			var wg sync.WaitGroup
			for range at {
				wg.Go(func() {
					for n := range requests / at {
						e := everyEndpoint[n%len(everyEndpoint)]
						r := x.ask(e)
						if r.err != nil || r.status != goodStatus(e) || r.body != goodBody(e) || r.header.Get("Content-Type") != "application/json" {
							t.Errorf("%s: answer is %s, want %d %s", e, r, goodStatus(e), goodBody(e))
							return
						}
					}
				})
			}
			wg.Wait()
			if got := int(x.ran.Load()); got != requests {
				t.Errorf("the handler ran %d times, want %d", got, requests)
			}
			for knob, n := range x.Counts() {
				if n != 0 {
					t.Errorf("%s is counted %d times, want 0", knob, n)
				}
			}
		})
	}
}

// TestOutage checks that in an outage no request is answered normally.
func TestOutage(t *testing.T) {
	plan, err := Named("outage")
	if err != nil {
		t.Fatal(err)
	}
	x := newFixture(t, Config{Seed: testSeed, Plan: plan})
	const requests = 210
	for n := range requests {
		if r := x.ask(everyEndpoint[n%len(everyEndpoint)]); r.err == nil && r.status != 503 {
			t.Fatalf("answer in the outage is %s, want 503 or none", r)
		}
	}
	got := x.Counts()
	if got["server_error"]+got["timeout"] != requests || got["server_error"] == 0 || got["timeout"] == 0 || x.ran.Load() != 0 {
		t.Errorf("counts are %v and the handler ran %d times, want %d server_error and timeout in total and 0 runs", got, x.ran.Load(), requests)
	}
}
