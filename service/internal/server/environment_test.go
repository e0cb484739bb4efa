package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

// withoutEnvironment returns settings without an environment, and counts how often
// the simulator is opened.
func withoutEnvironment(t *testing.T) (c server.Config, opened *atomic.Int32) {
	opened = &atomic.Int32{}
	answers := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(answers.Close)
	c = server.Defaults()
	c.Data, c.Authority = t.TempDir(), ""
	c.Simulator = func(context.Context) (string, error) {
		opened.Add(1)
		return answers.URL, nil
	}
	return c, opened
}

func startedWith(t *testing.T, c server.Config) *server.Server {
	t.Helper()
	s, err := server.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func environmentHeader(s *server.Server) string {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/api/plans/", nil))
	return w.Header().Get("X-Khatm-Environment")
}

func operator() org.Actor { return org.Operator(org.Tenant{}, "test") }

func TestEnvironment_APlainServerFixesNothing(t *testing.T) {
	t.Parallel()
	c, opened := withoutEnvironment(t)
	s := startedWith(t, c)
	kept, err := s.Store().Environment(t.Context())
	if got := environmentHeader(s); err != nil || kept != "" || got != "unset" || opened.Load() != 0 {
		t.Errorf("stored %q, header %q, %d simulators, %v; want none, unset, 0", kept, got, opened.Load(), err)
	}
	s.Close()
	c.Authority = "sandbox"
	s = startedWith(t, c)
	defer s.Close()
	if got := environmentHeader(s); got != "sandbox" {
		t.Errorf("header after a start with --authority sandbox = %q", got)
	}
}

func TestEnvironment_IsChosenOnce(t *testing.T) {
	t.Parallel()
	c, opened := withoutEnvironment(t)
	s := startedWith(t, c)
	wanted := []device.Environment{device.Simulator, device.Simulation, device.Production}
	results := make([]error, len(wanted))
	var all sync.WaitGroup
	for i, e := range wanted {
		all.Go(func() { results[i] = s.Choose(context.Background(), operator(), e) })
	}
	all.Wait()
	kept, err := s.Store().Environment(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range wanted {
		if chosen := results[i] == nil; chosen != (e == kept) || !chosen && fault.CodeOf(results[i]) != fault.EnvironmentFixed {
			t.Errorf("choosing %s = %v, and %s is stored", e, results[i], kept)
		}
	}
	if err := s.Choose(t.Context(), operator(), kept); err != nil {
		t.Errorf("choosing the same environment again = %v", err)
	}
	if got := environmentHeader(s); got != string(kept) {
		t.Errorf("header = %q, want %s", got, kept)
	}
	s.Close()
	if kept != device.Simulator && opened.Load() != 0 {
		t.Errorf("the simulator was opened for %s", kept)
	}
	c.Authority = string(wanted[0])
	if kept == wanted[0] {
		c.Authority = string(wanted[1])
	}
	if _, err := server.New(t.Context(), c); err == nil || !strings.Contains(err.Error(), "belongs to the authority's "+string(kept)) {
		t.Errorf("a start for another environment = %v", err)
	}
}

func TestEnvironment_AServerFollowsAChoiceElsewhere(t *testing.T) {
	t.Parallel()
	c, opened := withoutEnvironment(t)
	s := startedWith(t, c)
	defer s.Close()
	if err := s.Store().Stamp(t.Context(), device.Simulator); err != nil { // as the operator's commands do
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); opened.Load() == 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if got := environmentHeader(s); opened.Load() != 1 || got != "simulator" {
		t.Errorf("the simulator was opened %d times and the header is %q, want 1 and simulator", opened.Load(), got)
	}
}

func TestEnvironment_AURLNeedsItsEnvironment(t *testing.T) {
	t.Parallel()
	for _, kept := range []device.Environment{"", device.Production} {
		c, _ := withoutEnvironment(t)
		if kept != "" {
			s := startedWith(t, c)
			if err := s.Store().Stamp(t.Context(), kept); err != nil {
				t.Fatal(err)
			}
			s.Close()
		}
		c.AuthorityURL = "http://127.0.0.1:9/e-invoicing/simulation"
		if _, err := server.New(t.Context(), c); err == nil || !strings.Contains(err.Error(), "--authority-url is given without --authority") {
			t.Errorf("a start with a URL and environment %q = %v", kept, err)
		}
	}
}
