package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// detail is a text that only the log may contain.
const detail = "password=swordfish"

type said struct {
	Text   string      `json:"text"`
	Number json.Number `json:"number"`
}

type heard struct {
	Body struct {
		Text string `json:"text" optional:"true"`
	} `body:"json"`
}

// mishap returns a public route whose handler calls verb.
func mishap(name string, verb func() (*said, error)) wire.Route {
	return wire.Serve(wire.Route{Method: http.MethodPost, Path: "/" + name + "/", Name: name, Summary: name, Access: wire.Anyone},
		func(context.Context, wire.Caller, *nothing) (*said, error) { return verb() })
}

func hear(_ context.Context, _ wire.Caller, in *heard) (*said, error) {
	return &said{Text: in.Body.Text, Number: "1"}, nil
}

// framed is a frame with routes, its log and its observations.
type framed struct {
	*wire.Frame
	mu   sync.Mutex
	log  bytes.Buffer
	seen []wire.Observation
}

func (f *framed) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log.Write(p)
}

func frame(rows ...wire.Route) *framed {
	f := &framed{}
	n := 0
	f.Frame = wire.New(wire.Config{
		Limiter:     limit.New(limit.NewMemory(), time.Now),
		Windows:     wire.Windows{IP: 1 << 30},
		Environment: func() string { return "" },
		NewID: func() string {
			f.mu.Lock()
			defer f.mu.Unlock()
			n++
			return fmt.Sprintf("request-%d", n)
		},
		Now: time.Now,
		Log: slog.New(slog.NewJSONHandler(f, nil)),
		Observe: func(_ context.Context, o wire.Observation) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.seen = append(f.seen, o)
		},
	})
	f.Surface("/v1", rows)
	return f
}

func (f *framed) post(path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w
}

func TestInterface_7_1_OurOwnFaultsTellNothing(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		verb func() (*said, error)
	}{
		{"panic-with-a-string", func() (*said, error) { panic(detail) }},
		{"panic-with-an-error", func() (*said, error) { panic(errors.New(detail)) }},
		{"panic-of-the-runtime", func() (*said, error) { var s *said; return s, errors.New(s.Text) }},
		{"an-error-without-a-kind", func() (*said, error) { return nil, errors.New(detail) }},
		{"an-error-that-wraps", func() (*said, error) { return nil, fmt.Errorf("read: %w", io.ErrUnexpectedEOF) }},
		{"a-fault-called-internal", func() (*said, error) { return nil, fault.New(fault.InternalError, detail) }},
		{"a-response-that-cannot-be-encoded", func() (*said, error) { return &said{Number: detail}, nil }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := frame(mishap(c.name, c.verb))
			w := f.post("/v1/"+c.name+"/", "")
			want := `{"message":"Something went wrong on our side. Quote the request id request-1 when you ask about it."}` + "\n"
			if w.Code != http.StatusInternalServerError || servicetest.Plain(w.Body.String()) != want {
				t.Errorf("status %d, body %s; want 500 without detail", w.Code, w.Body)
			}
			if w.Header().Get("X-Request-ID") != "request-1" || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("headers = %v, want X-Request-ID request-1 and Content-Type application/json", w.Header())
			}
			if log := f.log.String(); !strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, `"cause":`) || !strings.Contains(log, "request-1") {
				t.Errorf("the log lacks an error with the cause and the request id:\n%s", log)
			}
			if len(f.seen) != 1 || f.seen[0].Status != http.StatusInternalServerError || f.seen[0].Operation != c.name {
				t.Errorf("observations = %+v, want one of %s with status 500", f.seen, c.name)
			}
		})
	}
}

func TestInterface_7_2_EveryKindHasItsStatus(t *testing.T) {
	t.Parallel()
	cases := []struct {
		code fault.Code
		want int
	}{
		{fault.InvalidValue, 400}, {fault.InvalidKey, 401}, {fault.PermissionDenied, 403}, {fault.BuyerNotFound, 404},
		{fault.MethodNotAllowed, 405}, {fault.InvoiceQueued, 409}, {fault.RateLimited, 429}, {fault.DatabaseUnavailable, 503},
	}
	for _, c := range cases {
		e := fault.New(c.code, "In a sentence.")
		e.Cause = errors.New(detail)
		f := frame(mishap("refuse", func() (*said, error) { return nil, fmt.Errorf("while %s: %w", detail, e.With("limit", 7)) }))
		w := f.post("/v1/refuse/", "")
		want := `{"code":"` + string(c.code) + `","errors":` + wire.Errors(e) + `,"limit":7,"message":"In a sentence."}` + "\n"
		if c.want == http.StatusUnauthorized {
			want = strings.Replace(want, `"}`+"\n", `","status":"false"}`+"\n", 1)
		}
		if w.Code != c.want || w.Body.String() != want {
			t.Errorf("%s: status %d, body %s; want %d, %s", c.code, w.Code, w.Body, c.want, want)
		}
		if again := w.Header().Get("Retry-After"); (again == "2") != (c.want == http.StatusServiceUnavailable) {
			t.Errorf("%s: Retry-After = %q, want 2 only for status 503", c.code, again)
		}
		if told := strings.Contains(f.log.String(), "swordfish"); told != (c.want >= 500) {
			t.Errorf("%s: unexpected log\n%s", c.code, f.log.String())
		}
	}
}

// After a response has begun, a panic can only be logged.
func TestPanicAfterResponseBegan(t *testing.T) {
	t.Parallel()
	f := frame()
	f.Open("/page", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "begun")
		panic(detail)
	}))
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/page", nil))
	if w.Body.String() != "begun" || !strings.Contains(f.log.String(), `"msg":"panic"`) {
		t.Errorf("body = %q, want %q; the log must report the panic:\n%s", w.Body, "begun", f.log.String())
	}
}

// A body that arrives too slowly or incomplete is the client's fault.
func TestA5_SlowOrIncompleteBody(t *testing.T) {
	t.Parallel()
	f := frame(wire.Serve(wire.Route{Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Anyone}, hear))
	server := httptest.NewUnstartedServer(f)
	server.Config.ReadTimeout = 200 * time.Millisecond
	server.Start()
	defer server.Close()
	head := "POST /v1/hear/ HTTP/1.1\r\nHost: khatm\r\nContent-Type: application/json\r\n"
	for name, request := range map[string]string{
		"slow":               head + "Content-Length: 100\r\n\r\n{",
		"slow in chunks":     head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"broken chunks":      head + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n{\r\n",
		"wrong length":       head + "Content-Length: 3\r\n\r\n{\"text\":\"more than was said\"}",
		"compressed":         head + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
		"other media type":   strings.Replace(head, "application/json", "text/plain", 1) + "Content-Length: 2\r\n\r\n{}",
		"invalid media type": strings.Replace(head, "application/json", ";;;", 1) + "Content-Length: 2\r\n\r\n{}",
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		answered, err := io.ReadAll(conn)
		_ = conn.Close()
		if !strings.HasPrefix(string(answered), "HTTP/1.1 400 ") || !strings.Contains(string(answered), `"message":"`) {
			t.Errorf("%s: response %s, %v; want 400", name, answered, err)
		}
	}
}
