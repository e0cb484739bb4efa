package mood

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestClientThatLeavesFreesTheServer checks that a request ends when its client
// disconnects, for every fault that waits. The sleep in this test ends only
// with its context.
func TestClientThatLeavesFreesTheServer(t *testing.T) {
	cases := map[string]Plan{
		"latency":                  only("latency", Setting{}),
		"latency before a refusal": {"latency": {Rate: Always}, "unauthorised": {Rate: Always}},
		"timeout":                  only("timeout", Setting{}),
		"timeout after":            only("timeout", Setting{Accepted: Always}),
		"slow_drip":                only("slow_drip", Setting{}),
		"endless_body":             only("endless_body", Setting{Bytes: maxBytes}),
	}
	for name, plan := range cases {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			const clients = 8
			waiting, ended := make(chan struct{}, clients), make(chan struct{}, clients)
			m, err := New(Config{Now: testNow, Plan: plan, Sleep: func(ctx context.Context, _ time.Duration) error {
				waiting <- struct{}{}
				<-ctx.Done()
				return ctx.Err()
			}})
			if err != nil {
				t.Fatal(err)
			}
			x := &fixture{body: goodBody}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer func() { ended <- struct{}{} }()
				m.Wrap(x).ServeHTTP(w, r)
			}))
			ctx, leave := context.WithCancel(t.Context())
			for range clients {
				go readAndWait(ctx, server, Clearance)
			}
			for range clients {
				<-waiting
			}
			leave()
			for range clients {
				select {
				case <-ended:
				case <-time.After(30 * time.Second):
					t.Fatal("a request is still running 30 s after its client disconnected, want it to end")
				}
			}
			server.Close()
			settles(t, before)
		})
	}
}

// readAndWait sends a request, reads the first byte of the answer if there is
// one, and waits until ctx ends.
func readAndWait(ctx context.Context, server *httptest.Server, e Endpoint) {
	req, err := request(ctx, server.URL, e, 1_000_000)
	if err != nil {
		return
	}
	res, err := server.Client().Do(req)
	if err != nil {
		return
	}
	defer func() { _ = res.Body.Close() }() // the body is only read
	_, _ = res.Body.Read(make([]byte, 1))
	<-ctx.Done()
}

// settles waits until there are no more goroutines than before.
func settles(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, want at most %d as before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		runtime.Gosched()
	}
}

// TestEndlessBodyEndsWithoutReader checks that the connection is closed
// after the hold time even if the client does not read.
func TestEndlessBodyEndsWithoutReader(t *testing.T) {
	over := make(chan struct{})
	m, err := New(Config{Now: testNow, Plan: only("endless_body", Setting{Bytes: maxBytes}),
		Sleep: func(ctx context.Context, _ time.Duration) error {
			select {
			case <-over:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	x := &fixture{body: goodBody}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		m.Wrap(x).ServeHTTP(w, r)
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // the connection is only read
	if _, err := io.WriteString(conn, "POST /invoices/reporting/single HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReaderSize(conn, 16).ReadByte(); err != nil {
		t.Fatal(err)
	}
	close(over)
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the body is still being sent 30 s after the hold time, want it to end")
	}
}
