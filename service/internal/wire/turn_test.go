package wire_test

import (
	"context"
	"net/http"
	"net/http/httptest"
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
	return &capacity.Limits{Calls: pool(10), Buffers: pool(1 << 20), Brief: pool(1), Work: pool(1), Memory: pool(1 << 20)}
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
	large, medium := strings.Repeat(" ", 129<<10), strings.Repeat(" ", 17<<10)
	ok := func() (*said, error) { return &said{Number: "1"}, nil }
	for _, c := range []struct {
		name, body string
		busy       bool
		verb       func() (*said, error)
		status     int
		used       int64 // slots for long work in the handler
		brief      int64 // slots for brief work
	}{
		{"success", `{"text":"a"}` + large, false, ok, http.StatusOK, 1, 0},
		{"invalid body", `{"text":1}` + large, false, nil, http.StatusBadRequest, 0, 0},
		{"not JSON", `{` + large, false, nil, http.StatusBadRequest, 0, 0},
		{"refused", `{}` + large, false, func() (*said, error) { return nil, fault.Missing("Tea") }, http.StatusNotFound, 1, 0},
		{"a response that cannot be encoded", `{}` + large, false, func() (*said, error) { return &said{Number: "x"}, nil }, http.StatusInternalServerError, 1, 0},
		{"panic", `{}` + large, false, func() (*said, error) { panic("tea") }, http.StatusInternalServerError, 1, 0},
		{"busy", `{}` + large, true, nil, http.StatusServiceUnavailable, 0, 0},
		{"small body on a busy server", `{}`, true, ok, http.StatusOK, 1, 0},
		{"small body", `{}`, false, ok, http.StatusOK, 0, 0},
		{"medium body", `{}` + medium, false, ok, http.StatusOK, 0, 1},
		{"medium body on a busy server", `{}` + medium, true, ok, http.StatusOK, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := limits()
			f := frame(wire.Serve(wire.Route{Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Anyone, MaxBody: 1 << 20},
				func(ctx context.Context, _ wire.Caller, _ *heard) (*said, error) {
					if used, brief := l.Work.Usage().Used, l.Brief.Usage().Used; used != c.used || brief != c.brief {
						t.Errorf("handler ran with %d slots and %d brief ones in use, want %d and %d", used, brief, c.used, c.brief)
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

// A route that reads whole invoices is a job without a body too.
func TestWholeInvoiceIsAJob(t *testing.T) {
	t.Parallel()
	l := limits()
	l.Memory = capacity.NewPool(capacity.Bounds{Total: 64 << 20, Each: 64 << 20, Queue: 10, Wait: time.Millisecond})
	f := frame(wire.Serve(wire.Route{Method: http.MethodGet, Path: "/tea/", Name: "tea", Summary: "Tea", Access: wire.Anyone, Whole: true},
		func(context.Context, wire.Caller, *struct{}) (*said, error) {
			if brief, memory := l.Brief.Usage().Used, l.Memory.Usage().Used; brief != 1 || memory != 16<<20 {
				t.Errorf("handler ran with %d slots and %d bytes, want 1 and 16 MiB", brief, memory)
			}
			return &said{Number: "1"}, nil
		}))
	f.Capacity = l
	get := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/tea/", nil))
		return w
	}
	if w := get(); w.Code != http.StatusOK {
		t.Errorf("status %d, body %s; want 200", w.Code, w.Body)
	}
	nothingInUse(t, l)
	job, err := l.ProcessBriefly(capacity.WithAddress(t.Context(), "another"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer job.End()
	if w := get(); w.Code != http.StatusServiceUnavailable {
		t.Errorf("on a busy server: status %d, body %s; want 503", w.Code, w.Body)
	}
}

// TestLongCallIsLongWork checks that calls without a body that need much memory, or
// are declared as long, do not run among the brief ones.
func TestLongCallIsLongWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		memory      int64
		long        bool
		work, brief int64 // slots in use in the handler
	}{
		{"brief", 16 << 20, false, 0, 1},
		{"much memory", 16<<20 + 1, false, 1, 0},
		{"long", 1 << 20, true, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := limits()
			f := frame(wire.Serve(wire.Route{
				Method: http.MethodGet, Path: "/tea/", Name: "tea", Summary: "Tea", Access: wire.Anyone,
				Whole: true, Long: c.long, Memory: func(int) int64 { return c.memory },
			}, func(context.Context, wire.Caller, *struct{}) (*said, error) {
				if work, brief := l.Work.Usage().Used, l.Brief.Usage().Used; work != c.work || brief != c.brief {
					t.Errorf("handler ran with %d slots and %d brief ones in use, want %d and %d", work, brief, c.work, c.brief)
				}
				return &said{Number: "1"}, nil
			}))
			f.Capacity = l
			w := httptest.NewRecorder()
			f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/tea/", nil))
			if w.Code != http.StatusOK {
				t.Errorf("status %d, body %s; want 200", w.Code, w.Body)
			}
			nothingInUse(t, l)
		})
	}
}

// heardForm is a form with a JSON part.
type heardForm struct {
	Heard struct {
		Text string `json:"text" optional:"true"`
	} `form:"heard"`
}

// TestLargePartIsAJob checks that the JSON part of a form is decoded in a job like a
// JSON body.
func TestLargePartIsAJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		size        int
		work, brief int64 // slots in use in the handler
	}{
		{"small", 1 << 10, 0, 0},
		{"medium", 17 << 10, 0, 1},
		{"large", 129 << 10, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := limits()
			f := frame(wire.Serve(wire.Route{Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Anyone},
				func(context.Context, wire.Caller, *heardForm) (*said, error) {
					if work, brief := l.Work.Usage().Used, l.Brief.Usage().Used; work != c.work || brief != c.brief {
						t.Errorf("handler ran with %d slots and %d brief ones in use, want %d and %d", work, brief, c.work, c.brief)
					}
					return &said{Number: "1"}, nil
				}))
			f.Capacity = l
			media, body := form(t, piece{"heard", "", "{}" + strings.Repeat(" ", c.size)})
			r := httptest.NewRequest(http.MethodPost, "/v1/hear/", strings.NewReader(body))
			r.Header.Set("Content-Type", media)
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				t.Errorf("status %d, body %s; want 200", w.Code, w.Body)
			}
			nothingInUse(t, l)
		})
	}
}

// TestCallsInProgress checks that calls count for the address until the caller is
// known, and then for the organisation.
func TestCallsInProgress(t *testing.T) {
	t.Parallel()
	l := limits()
	l.Calls = capacity.NewPool(capacity.Bounds{Total: 2, Each: 1, Queue: 10, Wait: time.Millisecond})
	came, leave := make(chan struct{}), make(chan struct{})
	f := frame(wire.Serve(wire.Route{Method: http.MethodPost, Path: "/wait/", Name: "wait", Summary: "Wait"},
		func(context.Context, wire.Caller, *heard) (*said, error) {
			came <- struct{}{}
			<-leave
			return &said{Number: "1"}, nil
		}))
	f.Capacity, f.Identities, f.Windows.Key = l, byLetter{}, 1<<30
	call := func(organisation string) int {
		r := httptest.NewRequest(http.MethodPost, "/v1/wait/", strings.NewReader(`{}`))
		r.Header.Set("Authorization", "Bearer svc_"+organisation)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Code
	}
	first := make(chan int)
	go func() { first <- call("a") }()
	<-came
	if status := call("a"); status != http.StatusServiceUnavailable {
		t.Errorf("a second call of the organisation: status %d, want 503", status)
	}
	second := make(chan int)
	go func() { second <- call("b") }() // from the same address
	<-came
	close(leave)
	if a, b := <-first, <-second; a != http.StatusOK || b != http.StatusOK {
		t.Errorf("statuses %d and %d, want 200", a, b)
	}
	nothingInUse(t, l)
}

// A public route answers with a detail and the code of the tools.
func TestBusyPublicRoute(t *testing.T) {
	t.Parallel()
	l := limits()
	f := frame(wire.Serve(wire.Route{
		Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Public, Memory: func(int) int64 { return 1 },
	}, hear))
	f.Capacity, f.Visits.Daily = l, 100
	job, err := l.ProcessBriefly(capacity.WithAddress(t.Context(), "another"), 1)
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
