package mood

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
)

const (
	draws    = 10_000
	testRate = Rate(300)
	testSeed = 20260101
)

// pinned is how often each fault applies in 10,000 clearance requests at 3%
// with testSeed. All knobs of the kind fault share one random source, so each
// of them alone has the same number.
var pinned = map[string]int{
	"fault": 288, "latency": 309, "shuffled_messages": 294, "unknown_fields": 321, "info_object": 330, "flat_results": 267,
}

// pinnedMoody is how often each fault applies in 10,000 reporting requests with
// the plan "moody". Moving a fault in the table changes the result of every
// seed.
var pinnedMoody = map[string]int{
	"latency": 10_000, "server_error": 297, "too_many": 43, "too_many_silent": 37, "drop_after": 192,
	"empty_body": 25, "truncated_body": 34, "html_body": 33, "wrong_type": 25, "duplicate_first": 497,
	"shuffled_messages": 10_000, "unknown_fields": 457, "info_object": 963,
}

// drawnIn returns how often each fault applies to the requests of an endpoint.
func drawnIn(seed uint64, e Endpoint, requests int, p Plan) map[string]int {
	counts := map[string]int{}
	positions := p.positions()
	var knobs []*knob
	for name := range p {
		knobs = append(knobs, find(name))
	}
	for n := range requests {
		d := draw(seed, e, uint64(n+1), positions)
		for _, k := range knobs {
			if d.has(k) {
				counts[k.Name]++
			}
		}
	}
	return counts
}

// withinFiveSigma reports whether a count is within five standard deviations of
// its expected value. A count of independent draws is outside once in 1.7
// million cases.
func withinFiveSigma(got, n int, rate Rate) bool {
	p := float64(rate) / float64(Always)
	return math.Abs(float64(got)-float64(n)*p) <= 5*math.Sqrt(float64(n)*p*(1-p))
}

func TestEveryKnobAtItsRate(t *testing.T) {
	for i := range table {
		k := &table[i]
		t.Run(k.Name, func(t *testing.T) {
			got := drawnIn(testSeed, Clearance, draws, Plan{k.Name: {Rate: testRate}})[k.Name]
			name := k.Name
			if k.kind == fault {
				name = "fault"
			}
			if got != pinned[name] {
				t.Errorf("applied %d times in %d requests, want %d", got, draws, pinned[name])
			}
			for seed := range uint64(2) {
				for _, e := range k.endpoints() {
					if got := drawnIn(seed, e, draws, Plan{k.Name: {Rate: testRate}})[k.Name]; !withinFiveSigma(got, draws, testRate) {
						t.Errorf("seed %d, %s: applied %d times in %d requests, want about %s", seed, e, got, draws, testRate)
					}
				}
			}
		})
	}
}

// TestEveryKnobAtItsRateOverTheWire checks with a real client that exactly the
// requests chosen by draw get the fault.
func TestEveryKnobAtItsRateOverTheWire(t *testing.T) {
	const rate = Rate(2_500)
	requests := testtool.Scale(50, 100, 400)
	for i := range table {
		k := &table[i]
		t.Run(k.Name, func(t *testing.T) {
			e := k.endpoints()[0]
			s := sights[k.Name][0]
			s.setting.Rate = rate
			plan := Plan{k.Name: s.setting}
			x := newFixture(t, Config{Seed: testSeed, Plan: plan})
			for n := range requests {
				before := x.Counts()[k.Name]
				r := x.ask(e)
				d := draw(testSeed, e, uint64(n+1), plan.positions())
				if drawn := d.has(k); drawn != (x.Counts()[k.Name] > before) {
					t.Fatalf("request %d: counted is %t, want %t as drawn", n+1, !drawn, drawn)
				}
				if d.empty() && r.body != goodBody(e) || !d.empty() && k.Name != "shuffled_messages" && !s.seen(e, r) {
					t.Fatalf("request %d: answer is %s, want one with the faults %q", n+1, r, d.String())
				}
			}
			if got := x.Counts()[k.Name]; !withinFiveSigma(int(got), requests, rate) || got == 0 {
				t.Errorf("applied %d times in %d requests, want about %s", got, requests, rate)
			}
		})
	}
}

// TestMoodyMix checks the documented rates of the plan "moody": 5% duplicates,
// 3% server errors, 2% accepted and dropped, 1% too many requests, 1% malformed
// answers, 5% unknown fields.
func TestMoodyMix(t *testing.T) {
	plan, err := Named("moody")
	if err != nil {
		t.Fatal(err)
	}
	sum := func(names ...string) (sum Rate) {
		for _, name := range names {
			sum += plan[name].Rate
		}
		return sum
	}
	for _, c := range []struct{ got, want Rate }{
		{sum("duplicate_first"), 500}, {sum("server_error"), 300}, {sum("drop_after"), 200},
		{sum("too_many", "too_many_silent"), 100},
		{sum("empty_body", "truncated_body", "html_body", "wrong_type"), 100},
		{sum("unknown_fields"), 500}, {sum("shuffled_messages"), Always}, {sum("latency"), Always},
	} {
		if c.got != c.want {
			t.Errorf("rate is %s, want %s", c.got, c.want)
		}
	}
	got := drawnIn(testSeed, Reporting, draws, plan)
	for name, s := range plan {
		if !withinFiveSigma(got[name], draws, s.Rate) {
			t.Errorf("%s was applied %d times in %d requests, want about %s", name, got[name], draws, s.Rate)
		}
	}
	if !maps.Equal(got, pinnedMoody) {
		t.Errorf("faults of %d reporting requests = %#v, want %#v", draws, got, pinnedMoody)
	}
	certificates := drawnIn(testSeed, Compliance, draws, plan)
	want := []string{"drop_after", "latency", "server_error", "too_many", "too_many_silent"}
	if names := slices.Sorted(maps.Keys(certificates)); !slices.Equal(names, want) {
		t.Errorf("certificate requests get %v, want %v", names, want)
	}
}

// TestKnobsAreIndependent checks that changing a shape or delay does not affect
// which requests get a fault.
func TestKnobsAreIndependent(t *testing.T) {
	with := func(p Plan) (numbers []int) {
		for n := range 2_000 {
			d := draw(1, Clearance, uint64(n), p.positions())
			if d.has(find("drop_after")) {
				numbers = append(numbers, n)
			}
		}
		return numbers
	}
	alone := with(Plan{"drop_after": {Rate: 300}})
	if beside := with(Plan{"drop_after": {Rate: 300}, "latency": {Rate: 5_000}, "info_object": {Rate: 5_000}}); !slices.Equal(alone, beside) {
		t.Error("drop_after applies to other requests if latency and info_object are on, want the same requests")
	}
}

// TestDrawsDoNotDependOnConcurrency checks that the n-th request of an endpoint
// gets the same fault, however many requests run at once.
func TestDrawsDoNotDependOnConcurrency(t *testing.T) {
	plan, err := Named("moody")
	if err != nil {
		t.Fatal(err)
	}
	alone := numbersOf(t, plan, 1)
	together := numbersOf(t, plan, 16)
	if !maps.Equal(alone, together) {
		t.Error("faults of 16 concurrent requests differ from those of requests one by one, want the same")
	}
	for _, applied := range alone {
		if strings.Contains(applied, "drop_after") {
			return
		}
	}
	t.Error("no request got drop_after, want at least one, so that the comparison is meaningful")
}

// numbersOf returns the applied faults of 640 requests, by endpoint and request
// number.
func numbersOf(t *testing.T, p Plan, together int) map[string]string {
	var mu sync.Mutex
	met := map[string]string{}
	x := newFixture(t, Config{Seed: 7, Plan: p, Observe: func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		met[fmt.Sprint(e.Endpoint, e.Number)] = fmt.Sprint(e.Applied, e.Ran)
	}})
	var wg sync.WaitGroup
	for range together {
		wg.Go(func() {
			for range 640 / 2 / together {
				x.ask(Clearance)
				x.ask(Reporting)
			}
		})
	}
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	return met
}
