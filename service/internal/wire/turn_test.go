package wire_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// limits returns limits under which one large body is processed at a time.
func limits() *capacity.Limits {
	pool := func(total int64) *capacity.Pool {
		return capacity.NewPool(capacity.Bounds{Total: total, Each: total, Queue: 10, Wait: time.Millisecond})
	}
	return &capacity.Limits{Calls: pool(10), Buffers: pool(1 << 20), Work: pool(1), Memory: pool(1 << 20)}
}

// nothingInUse checks that all claims were released.
func nothingInUse(t *testing.T, l *capacity.Limits) {
	t.Helper()
	l.Each(func(name string, u capacity.Usage) {
		if u.Used != 0 {
			t.Errorf("%d units of %s are in use after the call, want 0", u.Used, name)
		}
	})
}

// TestLargeBodyIsAJob checks that the job of a large body begins after the body was
// read and ends in any case, that a busy server refuses the body, and that a small
// body needs no job.
func TestLargeBodyIsAJob(t *testing.T) {
	t.Parallel()
	large := strings.Repeat(" ", 17<<10)
	ok := func() (*said, error) { return &said{Number: "1"}, nil }
	for _, c := range []struct {
		name, body string
		busy       bool
		verb       func() (*said, error)
		status     int
		used       int64 // slots in the handler
	}{
		{"success", `{"text":"a"}` + large, false, ok, http.StatusOK, 1},
		{"invalid body", `{"text":1}` + large, false, nil, http.StatusBadRequest, 0},
		{"not JSON", `{` + large, false, nil, http.StatusBadRequest, 0},
		{"refused", `{}` + large, false, func() (*said, error) { return nil, fault.Missing("Tea") }, http.StatusNotFound, 1},
		{"a response that cannot be encoded", `{}` + large, false, func() (*said, error) { return &said{Number: "x"}, nil }, http.StatusInternalServerError, 1},
		{"panic", `{}` + large, false, func() (*said, error) { panic("tea") }, http.StatusInternalServerError, 1},
		{"busy", `{}` + large, true, nil, http.StatusServiceUnavailable, 0},
		{"small body on a busy server", `{}`, true, ok, http.StatusOK, 1},
		{"small body", `{}`, false, ok, http.StatusOK, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := limits()
			f := frame(wire.Serve(wire.Route{Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Anyone},
				func(ctx context.Context, _ wire.Caller, _ *heard) (*said, error) {
					if used := l.Work.Usage().Used; used != c.used {
						t.Errorf("handler ran with %d slots in use, want %d", used, c.used)
					}
					if c.used > 0 && !c.busy {
						if _, err := l.Process(ctx, 1); err != nil {
							t.Errorf("a job within the job: %v", err)
						}
					}
					return c.verb()
				}))
			f.Capacity = l
			if c.busy {
				job, err := l.Process(capacity.WithAddress(t.Context(), "another"), 1)
				if err != nil {
					t.Fatal(err)
				}
				defer job.End()
			}
			w := f.post("/v1/hear/", c.body)
			if w.Code != c.status {
				t.Errorf("status = %d, want %d; body %s", w.Code, c.status, w.Body)
			}
			if w.Code == http.StatusServiceUnavailable && (w.Header().Get("Retry-After") != "5" || !strings.Contains(w.Body.String(), `"code":"server_busy"`)) {
				t.Errorf("headers %v, body %s; want Retry-After 5 and the code server_busy", w.Header(), w.Body)
			}
			if !c.busy {
				nothingInUse(t, l)
			}
		})
	}
}

// A public route answers with a detail and the code of the tools.
func TestBusyPublicRoute(t *testing.T) {
	t.Parallel()
	l := limits()
	f := frame(wire.Serve(wire.Route{
		Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Public, Memory: func(int) int64 { return 1 },
	}, hear))
	f.Capacity, f.Visits.Daily = l, 100
	job, err := l.Process(capacity.WithAddress(t.Context(), "another"), 1)
	if err != nil {
		t.Fatal(err)
	}
	w := f.post("/v1/hear/", `{}`)
	if body := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(body, `"detail":`) || !strings.Contains(body, `"code":"tools_busy"`) || w.Header().Get("Retry-After") != "5" {
		t.Errorf("status %d, headers %v, body %s; want 503 with a detail and the code tools_busy", w.Code, w.Header(), body)
	}
	job.End()
	nothingInUse(t, l)
	if w := f.post("/v1/hear/", `{}`); w.Code != http.StatusOK {
		t.Errorf("afterwards: status %d, body %s; want 200", w.Code, w.Body)
	}
}
