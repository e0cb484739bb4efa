package mood

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestLargeAnswers checks that an answer above the limit is passed on
// unchanged, but faults that do not need the body still apply.
func TestLargeAnswers(t *testing.T) {
	large := `{` + results + `,"clearedInvoice":"` + strings.Repeat("QUFB", 3<<20) + `"}`
	cases := map[string]struct {
		struck bool
		check  func(reply) bool
	}{
		"drop_after":      {true, func(r reply) bool { return r.err != nil }},
		"empty_body":      {true, func(r reply) bool { return r.err == nil && r.body == "" }},
		"duplicate_first": {false, func(r reply) bool { return r.status == 202 && r.body == large }},
		"truncated_body":  {false, func(r reply) bool { return r.body == large }},
		"unknown_fields":  {false, func(r reply) bool { return r.body == large }},
		"latency":         {true, func(r reply) bool { return r.body == large }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			x := newFixture(t, Config{Plan: only(name, Setting{})})
			x.body = func(Endpoint) string { return large }
			if r := x.ask(Clearance); !c.check(r) {
				t.Errorf("answer has %d bytes and is not as wanted for %s: %s", len(r.body), name, r)
			}
			if got := x.Counts()[name] == 1; got != c.struck {
				t.Errorf("applied is %t, want %t", got, c.struck)
			}
		})
	}
}

// TestRecorderIsBounded checks the limit on the size of a kept answer, however
// the handler writes it.
func TestRecorderIsBounded(t *testing.T) {
	w := httptest.NewRecorder()
	a := newAnswer()
	rec := &recorder{answer: a, to: w, overflow: func() { a.start(w) }}
	piece := make([]byte, 1<<20)
	for range 20 {
		if n, err := rec.Write(piece); n != len(piece) || err != nil {
			t.Fatalf("Write = %d, %v; want %d", n, err, len(piece))
		}
		if len(a.body) > keptAnswer {
			t.Fatalf("%d bytes are kept, want at most %d", len(a.body), keptAnswer)
		}
	}
	if got := w.Body.Len(); got != 20<<20 {
		t.Errorf("%d bytes were passed on, want 20 MiB", got)
	}
}

// TestUnseenRequestsAreBounded checks the limit on reading the body of a
// request that the handler does not see.
func TestUnseenRequestsAreBounded(t *testing.T) {
	m, err := New(Config{Now: testNow, Plan: only("too_large", Setting{})})
	if err != nil {
		t.Fatal(err)
	}
	var read atomic.Int64
	body := countingReader{&read}
	w := httptest.NewRecorder()
	m.Wrap(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/invoices/clearance/single", body))
	if got := read.Load(); got > readUnseen+1<<20 || w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d bytes were read, status is %d; want at most 9 MiB and 413", got, w.Code)
	}
}

// countingReader is an endless reader that counts the bytes read.
type countingReader struct{ n *atomic.Int64 }

func (r countingReader) Read(b []byte) (int, error) {
	r.n.Add(int64(len(b)))
	return len(b), nil
}

// TestDropWithoutConnection checks that closing a connection that cannot be
// hijacked panics with http.ErrAbortHandler.
func TestDropWithoutConnection(t *testing.T) {
	m, err := New(Config{Now: testNow, Plan: only("drop_before", Setting{})})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got, ok := recover().(error); !ok || !errors.Is(got, http.ErrAbortHandler) {
			t.Errorf("panic is %v, want http.ErrAbortHandler", got)
		}
	}()
	r := &http.Request{Method: http.MethodGet, URL: httptest.NewRequest(http.MethodGet, "/", nil).URL}
	m.Wrap(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
}

// TestLatencyIsLogNormal checks the distribution of the delays with a fake
// clock: half are above the median and one in a hundred is above p99.
func TestLatencyIsLogNormal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := New(Config{Seed: testSeed, Now: time.Now, Plan: only("latency", Setting{})})
		if err != nil {
			t.Fatal(err)
		}
		h := m.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") }))
		var times []time.Duration
		for range draws {
			begun := time.Now()
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/invoices/reporting/single", nil))
			times = append(times, time.Since(begun))
		}
		above := func(d time.Duration) (n int) {
			for _, x := range times {
				if x > d {
					n++
				}
			}
			return n
		}
		if got := above(150 * time.Millisecond); !withinFiveSigma(got, draws, 5_000) {
			t.Errorf("%d of %d delays are above the median, want about half", got, draws)
		}
		if got := above(2 * time.Second); !withinFiveSigma(got, draws, 100) {
			t.Errorf("%d of %d delays are above p99, want about 1%%", got, draws)
		}
		if got := slices.Max(times); got > 20*time.Second {
			t.Errorf("the longest delay is %s, want at most ten times p99", got)
		}
	})
}

// TestSlowDripTakesItsTime checks that the pauses add up to the expected time,
// and that the hold time limits it.
func TestSlowDripTakesItsTime(t *testing.T) {
	cases := []struct {
		setting Setting
		want    time.Duration
	}{
		{Setting{Bytes: 10, Pause: time.Second}, 9 * time.Second},
		{Setting{Bytes: 7, Pause: time.Second}, 14 * time.Second},
		{Setting{Bytes: 1, Pause: time.Second, Hold: 5 * time.Second}, 5 * time.Second},
		{Setting{Bytes: 100, Pause: time.Second}, 0},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			m, err := New(Config{Now: time.Now, Plan: only("slow_drip", c.setting)})
			if err != nil {
				t.Fatal(err)
			}
			body := strings.Repeat("x", 100)
			h := m.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
			begun, w := time.Now(), httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/compliance", nil))
			if got := time.Since(begun); got != c.want || w.Body.String() != body {
				t.Errorf("%+v: %d bytes took %s, want %s", c.setting, w.Body.Len(), got, c.want)
			}
		})
	}
}
