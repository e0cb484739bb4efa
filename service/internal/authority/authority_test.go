package authority_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
)

func TestEveryEnvironmentButTheSimulatorHasAURL(t *testing.T) {
	seen := map[string]device.Environment{}
	for _, e := range device.Environments() {
		base := authority.Base(e)
		if e == device.Simulator {
			if base != "" {
				t.Errorf("Base(simulator) = %q, want \"\"", base)
			}
			continue
		}
		at, err := url.Parse(base)
		if err != nil || at.Scheme != "https" || at.Host == "" || at.Path == "" {
			t.Errorf("Base(%s) = %q, want an https URL with a path", e, base)
		}
		if other, twice := seen[base]; twice {
			t.Errorf("%s and %s have the same base URL %s", e, other, base)
		}
		seen[base] = e
	}
}

// clock returns the given times one after the other.
func clock(times ...time.Time) func() time.Time {
	return func() time.Time {
		now := times[0]
		times = times[1:]
		return now
	}
}

func TestProbe(t *testing.T) {
	start := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	var asked http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header
		w.Header().Set("Date", start.Add(30*time.Second).Format(http.TimeFormat))
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	got, err := authority.Probe(t.Context(), server.Client(), server.URL, clock(start, start.Add(time.Second)))
	if err != nil {
		t.Fatal(err)
	}
	want := authority.Answer{Status: http.StatusUnauthorized, Date: start.Add(30 * time.Second), Took: time.Second}
	if got.Status != want.Status || !got.Date.Equal(want.Date) || got.Took != want.Took {
		t.Errorf("Probe = %+v, want %+v", got, want)
	}
	if behind := got.Behind(start); behind != 30*time.Second {
		t.Errorf("Behind = %s, want 30s", behind)
	}
	if version := asked.Get("Accept-Version"); version != "V2" {
		t.Errorf("Accept-Version = %q, want V2", version)
	}
}

func TestProbeWithoutAServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := authority.Probe(context.Background(), http.DefaultClient, server.URL, time.Now)
	if err == nil {
		t.Error("Probe without a server returned no error")
	}
}

func TestProbeWithoutADate(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header()["Date"] = nil }))
	defer server.Close()
	got, err := authority.Probe(t.Context(), server.Client(), server.URL, time.Now)
	if err != nil || !got.Date.IsZero() {
		t.Errorf("Date = %v, %v; want the zero time", got.Date, err)
	}
}
