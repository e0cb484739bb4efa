package wire_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/limit"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// A window without a limit would refuse every call, so a route that names one is
// refused when it is added.
func TestRouteNamesWindowWithoutLimit(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(*wire.Route)
		want   string
	}{
		{"known windows", func(r *wire.Route) { r.Window, r.Hourly = "minute", []string{"hour"} }, ""},
		{"unknown window", func(r *wire.Route) { r.Window = "hour" }, `POST /try/: the rate window "hour" has no limit in Windows.More`},
		{"unknown hourly window", func(r *wire.Route) { r.Hourly = []string{"hour", "minute"} }, `POST /try/: the rate window "minute" has no limit in Windows.Hourly`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if got := recover(); (got != nil) != (c.want != "") || got != nil && fmt.Sprint(got) != c.want {
					t.Errorf("Surface panics with %v, want %q", got, c.want)
				}
			}()
			row := mishap("try", func() (*said, error) { return &said{Number: "1"}, nil })
			c.change(&row)
			f := frame()
			f.Windows.More, f.Windows.Hourly = map[string]int{"minute": 1}, map[string]int{"hour": 1}
			f.Surface("/v1", []wire.Route{row})
		})
	}
}

// signedIn accepts any session token.
type signedIn struct{ everybody }

func (signedIn) Session(context.Context, string) (org.Visitor, error) {
	return org.Visitor{Person: org.Person{ID: uuid.Max, Email: "noura@example.sa"}, Until: time.Now().Add(time.Hour)}, nil
}

func TestVisitorsAreCountedByTheHour(t *testing.T) {
	t.Parallel()
	wrong := true
	row := wire.Serve(wire.Route{Method: http.MethodPost, Path: "/try/", Name: "try", Summary: "Try", Access: wire.Visitors, Hourly: []string{"wrong code"}},
		func(ctx context.Context, c wire.Caller, _ *nothing) (*said, error) {
			back, err := c.Count(ctx, "wrong code", c.Network)
			if err != nil {
				return nil, err
			}
			if !wrong {
				back()
			}
			return &said{Text: c.Network, Number: "1"}, nil
		})
	other := wire.Serve(wire.Route{Method: http.MethodPost, Path: "/other/", Name: "other", Summary: "Other", Access: wire.Visitors},
		func(ctx context.Context, c wire.Caller, _ *nothing) (*said, error) {
			_, err := c.Count(ctx, "wrong code", c.Network)
			return nil, err
		})
	f := frame()
	now := time.Now()
	f.Limiter = limit.New(limit.NewMemory(), func() time.Time { return now })
	f.Identities, f.Windows.Person, f.Windows.Hourly = signedIn{}, 100, map[string]int{"wrong code": 2}
	f.Surface("/v1", []wire.Route{row, other})
	post := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, nil)
		r.RemoteAddr = "192.0.2.7:1234"
		r.Header.Set("Authorization", "Bearer token")
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w
	}
	for i, want := range []int{200, 200, 200, 200, 429} {
		wrong = i > 1 // the first two are removed from the window
		w := post("/v1/try/")
		if w.Code != want || want == 200 && !strings.Contains(w.Body.String(), `"text":"192.0.2.7"`) {
			t.Errorf("call %d: status %d, body %s; want %d and the address", i+1, w.Code, w.Body, want)
		}
	}
	if w := post("/v1/other/"); w.Code != http.StatusInternalServerError || !strings.Contains(f.log.String(), "which its route does not name") {
		t.Errorf("a window that the route does not name: status %d, log %s; want 500 with the cause", w.Code, f.log.String())
	}
}
