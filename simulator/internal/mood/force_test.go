package mood

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

func TestForce(t *testing.T) {
	x := newFixture(t, Config{})
	force := func(name string, n int) {
		t.Helper()
		if err := x.Force(name, n); err != nil {
			t.Fatal(err)
		}
	}
	force("unauthorised", 2)
	force("too_large", 1)
	force("wrong_type", 5)
	force("wrong_type", 0)
	force("info_object", 4)
	if got, want := x.Forced(), map[string]int{"unauthorised": 2, "too_large": 1, "info_object": 4}; !maps.Equal(got, want) {
		t.Errorf("Forced() = %v, want %v", got, want)
	}
	if r := x.ask(Production); r.status != http.StatusOK {
		t.Errorf("endpoint outside the scope of the forced faults: got %s, want status 200", r)
	}
	for i, want := range []int{401, 401, 413, 202, 202} {
		if r := x.ask(Clearance); r.status != want {
			t.Errorf("request %d: status is %d, want %d", i+1, r.status, want)
		} else if reshaped := strings.Contains(r.body, `"infoMessages":{`); reshaped != (i == 3) {
			t.Errorf("request %d: infoMessages is an object: %t, want %t", i+1, reshaped, i == 3)
		}
	}
	if got := x.Forced(); len(got) != 0 {
		t.Errorf("Forced() = %v, want none left", got)
	}
	want := map[string]uint64{"unauthorised": 2, "too_large": 1, "info_object": 1}
	for name, n := range x.Counts() {
		if n != want[name] {
			t.Errorf("%s is counted %d times, want %d", name, n, want[name])
		}
	}
}

// TestForceOverridesThePlan checks that a forced fault replaces a drawn one and
// does not affect later draws.
func TestForceOverridesThePlan(t *testing.T) {
	x := newFixture(t, Config{Plan: only("unauthorised", Setting{})})
	if err := x.Force("too_large", 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{413, 401} {
		if r := x.ask(Reporting); r.status != want {
			t.Errorf("status is %d, want %d", r.status, want)
		}
	}
}

func TestForceRefuses(t *testing.T) {
	x := newFixture(t, Config{})
	for _, c := range []struct {
		name string
		n    int
	}{{"rudeness", 1}, {"timeout", -1}, {"timeout", MaxForced + 1}} {
		if err := x.Force(c.name, c.n); err == nil {
			t.Errorf("Force(%q, %d) succeeded, want an error", c.name, c.n)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("New without a clock succeeded, want an error")
	}
	if _, err := New(Config{Now: testNow, Plan: Plan{"rudeness": {}}}); err == nil {
		t.Error("New with an unknown fault succeeded, want an error")
	}
}

func TestPlanChangesAtRunTime(t *testing.T) {
	x := newFixture(t, Config{})
	steps := []struct {
		plan Plan
		want int
		ok   bool
	}{
		{only("unauthorised", Setting{}), 401, true},
		{Plan{"rudeness": {Rate: 1}}, 401, false}, // refused; the old plan is kept
		{Plan{"timeout": {Rate: 10_001}}, 401, false},
		{Plan{"too_large": {Rate: Always, Bytes: 1}}, 401, false},
		{only("too_large", Setting{}), 413, true},
		{nil, 202, true},
	}
	for i, s := range steps {
		if err := x.SetPlan(s.plan); (err == nil) != s.ok {
			t.Errorf("step %d: SetPlan returned error %v, want success: %t", i, err, s.ok)
		}
		if r := x.ask(Clearance); r.status != s.want {
			t.Errorf("step %d: status is %d, want %d", i, r.status, s.want)
		}
	}
	if err := x.SetPlan(only("server_error", Setting{Statuses: []int{503}})); err != nil {
		t.Fatal(err)
	}
	x.Plan()["server_error"].Statuses[0] = 500
	if got := x.Plan()["server_error"].Statuses[0]; got != 503 {
		t.Errorf("status after changing the result of Plan() = %d, want 503", got)
	}
}

func TestReset(t *testing.T) {
	moody, err := Named("moody")
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	x := newFixture(t, Config{Seed: 5, Plan: moody, Observe: func(e Event) { events = append(events, e.Applied) }})
	round := func() string {
		for range 50 {
			x.ask(Clearance)
		}
		all := strings.Join(events, "\n")
		events = nil
		return all
	}
	first := round()
	if err := x.Force("timeout", 3); err != nil {
		t.Fatal(err)
	}
	x.Reset()
	for name, n := range x.Counts() {
		if n != 0 {
			t.Errorf("%s is counted %d times after a reset, want 0", name, n)
		}
	}
	if again := round(); again != first {
		t.Error("faults of the same requests differ after a reset, want the same")
	}
}

// TestAppliedAndObserved checks that the handler sees the drawn faults and that
// the observer sees those that took effect, whether or not the handler ran.
func TestAppliedAndObserved(t *testing.T) {
	var mu sync.Mutex
	var drawn string
	var events []Event
	m, err := New(Config{Now: testNow, Sleep: noWait, Plan: Plan{"latency": {Rate: Always}, "flat_results": {Rate: Always}},
		Observe: func(e Event) { mu.Lock(); defer mu.Unlock(); events = append(events, e) }})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(m.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		drawn = Applied(r.Context())
		_, _ = io.WriteString(w, "not JSON")
	})))
	defer server.Close()
	x := &fixture{url: server.URL, client: server.Client()}
	if r := x.ask(Reporting); r.body != "not JSON" || r.status != http.StatusOK {
		t.Errorf("answer is %s, want 200 with the body not JSON", r)
	}
	if err := m.Force("unauthorised", 1); err != nil {
		t.Fatal(err)
	}
	x.ask(Reporting)
	mu.Lock()
	defer mu.Unlock()
	if drawn != "latency,flat_results" {
		t.Errorf("Applied in the handler = %q, want latency,flat_results", drawn)
	}
	if len(events) != 2 || events[0].Applied != "latency" || !events[0].Ran || events[0].Number != 1 ||
		events[1].Applied != "latency,unauthorised" || events[1].Ran || events[1].Number != 2 || events[1].Endpoint != Reporting {
		t.Errorf("events = %+v, want latency with the handler and latency,unauthorised without it", events)
	}
	if got := Applied(t.Context()); got != "" {
		t.Errorf("Applied without a mood = %q, want \"\"", got)
	}
}
