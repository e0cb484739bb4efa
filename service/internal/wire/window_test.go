package wire_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/wire"
)

// The header names must be sent as docs/contract.md spells them, not in Go's
// canonical form.
func TestInterface_8_HeadersAreSpeltAsTheInterfaceSpellsThem(t *testing.T) {
	t.Parallel()
	f := frame(wire.Serve(wire.Route{Method: http.MethodGet, Path: "/cached/", Name: "cached", Summary: "Read", Access: wire.Anyone, Cache: time.Hour},
		func(context.Context, wire.Caller, *nothing) (*said, error) { return &said{Number: "1"}, nil }))
	f.Windows.IP = 3
	server := httptest.NewServer(f)
	defer server.Close()
	for _, c := range []struct {
		name, path, more, want, remaining, reset string
	}{
		{"success", "/v1/cached/", "", "200", "2", "60"},
		{"not modified", "/v1/cached/", "If-None-Match: *\r\n", "304", "1", "60"},
		{"unknown path", "/v1/nowhere/", "", "404", "0", "60"},
		{"too many", "/v1/cached/", "", "429", "0", ""},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "GET "+c.path+" HTTP/1.1\r\nHost: khatm\r\nConnection: close\r\n"+c.more+"\r\n"); err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(conn)
		_ = conn.Close()
		got := string(raw)
		if err != nil || !strings.HasPrefix(got, "HTTP/1.1 "+c.want+" ") {
			t.Errorf("%s: error %v; want status %s in the response\n%s", c.name, err, c.want, got)
		}
		for _, line := range []string{"X-RateLimit-Limit: 3\r\n", "X-RateLimit-Remaining: " + c.remaining + "\r\n", "X-RateLimit-Reset: " + c.reset} {
			if strings.Count(got, "\r\n"+line) != 1 {
				t.Errorf("%s: response lacks %q:\n%s", c.name, line, got)
			}
		}
		if n := strings.Count(strings.ToLower(got), "x-ratelimit-"); n != 3 {
			t.Errorf("%s: %d rate limit headers, want 3:\n%s", c.name, n, got)
		}
	}
}
