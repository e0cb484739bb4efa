package wire_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// line is the log line of one request.
type line struct {
	Level, Path, Actor, Cause string
	Status                    int
}

// only returns the only line of the log.
func (f *framed) only(t *testing.T) line {
	t.Helper()
	var l line
	if err := json.Unmarshal(f.log.Bytes(), &l); err != nil {
		t.Fatalf("the log does not have exactly one line: %v\n%s", err, f.log.String())
	}
	return l
}

func TestClientDisconnectIsNotAnError(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		verb   func() (*said, error)
		leaves bool
		level  string
		want   int // status in the log
		sent   int
	}{
		{"canceled read", func() (*said, error) { return nil, context.Canceled }, true, "INFO", 499, 500},
		{"unavailable", func() (*said, error) { return nil, fault.New(fault.DatabaseUnavailable, "busy") }, true, "INFO", 499, 503},
		{"canceled although the client is connected", func() (*said, error) { return nil, context.Canceled }, false, "ERROR", 500, 500},
		{"refusal", func() (*said, error) { return nil, fault.Missing("Tea") }, true, "INFO", 404, 404},
		{"success", func() (*said, error) { return &said{Number: "1"}, nil }, true, "INFO", 200, 200},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			f := frame(mishap("stay", func() (*said, error) {
				if c.leaves {
					leave()
				}
				return c.verb()
			}))
			w := httptest.NewRecorder()
			f.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/stay/", nil))
			if w.Code != c.sent {
				t.Errorf("status sent = %d, want %d", w.Code, c.sent)
			}
			if got := f.only(t); got.Level != c.level || got.Status != c.want || (got.Cause != "") != (c.want >= 499) {
				t.Errorf("log line = %+v, want level %s and status %d", got, c.level, c.want)
			}
			if len(f.seen) != 1 || f.seen[0].Status != c.want {
				t.Errorf("observations = %+v, want one with status %d", f.seen, c.want)
			}
		})
	}
}

// A panic is an error even if the client has disconnected.
func TestPanicWhileClientDisconnects(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	f := frame(mishap("stay", func() (*said, error) { leave(); panic(detail) }))
	f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/stay/", nil))
	if f.seen[0].Status != http.StatusInternalServerError || strings.Count(f.log.String(), `"level":"ERROR"`) != 2 {
		t.Errorf("observations = %+v, want status 500; log, which must have two errors:\n%s", f.seen, f.log.String())
	}
}

// leaving is a rate counter that makes the client disconnect.
type leaving struct{ leave func() }

func (leaving) Sub(context.Context, string, time.Time) error { return nil }

func (l leaving) Add(ctx context.Context, _ string, _, _ time.Time) (int, error) {
	l.leave()
	return 0, ctx.Err()
}

// If the client disconnects while its call is counted, nothing is done and no
// counter failure is logged.
func TestClientDisconnectsWhileCallIsCounted(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	done := false
	f := frame(mishap("stay", func() (*said, error) { done = true; return &said{Number: "1"}, nil }))
	f.Limiter = limit.New(leaving{leave}, f.Now)
	f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/stay/", nil))
	if got := f.only(t); done || got.Level != "INFO" || got.Status != 499 {
		t.Errorf("handler ran: %t; log line = %+v, want level INFO and status 499", done, got)
	}
}

// strangers accepts no key.
type strangers struct{ everybody }

func (strangers) Key(context.Context, string, time.Time, time.Time) (org.Holder, error) {
	return org.Holder{}, fault.New(fault.InvalidKey, "Invalid or revoked API key")
}

func TestInterface_5_1_LogNamesTheKeyOfEveryCall(t *testing.T) {
	t.Parallel()
	const name = "svc_ab12cd3_"
	key := name + strings.Repeat("s", 43)
	cases := []struct {
		name, method, path, token string
		who                       wire.Identities
		window                    int
		status                    int
		want                      string
	}{
		{"served", "POST", "/v1/write/", key, everybody{}, 9, 200, name},
		{"unknown path", "POST", "/v1/nowhere/", key, everybody{}, 9, 404, name},
		{"another method", "PUT", "/v1/write/", key, everybody{}, 9, 405, name},
		{"too many", "POST", "/v1/write/", key, everybody{}, 0, 429, name},
		{"revoked", "POST", "/v1/write/", key, strangers{}, 9, 401, name},
		{"revoked, unknown path", "POST", "/v1/nowhere/", key, strangers{}, 9, 404, name},
		{"malformed key", "POST", "/v1/write/", name + "s", strangers{}, 9, 401, ""},
		{"expired session", "POST", "/v1/write/", strings.Repeat("t", 43), everybody{}, 9, 401, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			row := mishap("write", func() (*said, error) { return &said{Number: "1"}, nil })
			row.Access = wire.Members
			f := frame(row)
			f.Identities, f.Windows.Key = c.who, c.window
			r := httptest.NewRequest(c.method, c.path, nil)
			r.Header.Set("Authorization", "Bearer "+c.token)
			f.ServeHTTP(httptest.NewRecorder(), r)
			if got := f.only(t); got.Status != c.status || got.Actor != c.want {
				t.Errorf("log line = %+v, want status %d and actor %q", got, c.status, c.want)
			}
		})
	}
}
