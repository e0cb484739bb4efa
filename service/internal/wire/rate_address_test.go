package wire_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// from sends a request with the given peer address and returns the remaining
// calls of its window and the address in the log.
func from(h *servicetest.Instance, peer string, forwarded ...string) (remaining, address string) {
	h.TB.Helper()
	r := httptest.NewRequest(http.MethodGet, "/v1/api/industries/", nil)
	r.RemoteAddr = peer
	for _, f := range forwarded {
		r.Header.Add("X-Forwarded-For", f)
	}
	w := httptest.NewRecorder()
	h.Service.Handler().ServeHTTP(w, r)
	_, line, _ := strings.Cut(h.Log.String(), `"request":"`+w.Header().Get("X-Request-ID")+`"`)
	_, rest, _ := strings.Cut(line, `"address":"`)
	address, _, _ = strings.Cut(rest, `"`)
	return servicetest.AsRead(w.Header()).Get("X-RateLimit-Remaining"), address
}

func trusting(prefixes ...string) func(*server.Config) {
	return func(c *server.Config) {
		c.Rates.IP = 100
		for _, p := range prefixes {
			c.TrustedProxies = append(c.TrustedProxies, netip.MustParsePrefix(p))
		}
	}
}

func TestInterface_8_AddressBehindProxies(t *testing.T) {
	t.Parallel()
	const proxy, inner = "10.0.0.1:4711", "10.0.0.2"
	cases := []struct {
		name      string
		trusted   []string
		peer      string
		forwarded []string
		want      string
	}{
		{"no proxy", nil, "203.0.113.9:1", nil, "203.0.113.9"},
		{"header without a proxy", nil, "203.0.113.9:1", []string{"198.51.100.7"}, "203.0.113.9"},
		{"header that does not come from the proxy", []string{"10.0.0.0/8"}, "203.0.113.9:1", []string{"198.51.100.7"}, "203.0.113.9"},
		{"a proxy", []string{"10.0.0.0/8"}, proxy, []string{"198.51.100.7"}, "198.51.100.7"},
		{"a proxy without a header", []string{"10.0.0.0/8"}, proxy, nil, "10.0.0.1"},
		{"two proxies", []string{"10.0.0.0/8"}, proxy, []string{"198.51.100.7, " + inner}, "198.51.100.7"},
		{"two proxies, a header each", []string{"10.0.0.0/8"}, proxy, []string{"198.51.100.7", inner}, "198.51.100.7"},
		{"client that sent a header itself", []string{"10.0.0.0/8"}, proxy, []string{"1.2.3.4", "198.51.100.7"}, "198.51.100.7"},
		{"client that claims to be a proxy", []string{"10.0.0.0/8"}, proxy, []string{"1.2.3.4, 10.9.9.9", "198.51.100.7"}, "198.51.100.7"},
		{"invalid entry before the client", []string{"10.0.0.0/8"}, proxy, []string{"' OR 1=1, 198.51.100.7"}, "198.51.100.7"},
		{"invalid entry for the client", []string{"10.0.0.0/8"}, proxy, []string{"unknown"}, "10.0.0.1"},
		{"an empty header", []string{"10.0.0.0/8"}, proxy, []string{""}, "10.0.0.1"},
		{"with a port", []string{"10.0.0.0/8"}, proxy, []string{"198.51.100.7:5555"}, "198.51.100.7"},
		{"IPv6", []string{"10.0.0.0/8"}, proxy, []string{"2001:db8:1:2::9"}, "2001:db8:1:2::9"},
		{"IPv6 with a port", []string{"10.0.0.0/8"}, proxy, []string{"[2001:db8:1:2::9]:5555"}, "2001:db8:1:2::9"},
		{"IPv4 in IPv6", []string{"10.0.0.0/8"}, "[::ffff:10.0.0.1]:4711", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"IPv6 with a zone", nil, "[fe80::1%eth0]:1", nil, "fe80::1"},
		{"an IPv6 proxy", []string{"fd00::/8"}, "[fd00::1]:1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"no address at all", nil, "@", []string{"198.51.100.7"}, "invalid IP"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := servicetest.Open(t, trusting(c.trusted...))
			if _, got := from(h, c.peer, c.forwarded...); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestInterface_8_WindowOfAnAddress(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, trusting("10.0.0.0/8"))
	steps := []struct{ name, peer, forwarded, remaining string }{
		{"the first", "203.0.113.9:1", "", "99"},
		{"from another port", "203.0.113.9:2", "", "98"},
		{"with a spoofed header", "203.0.113.9:3", "198.51.100.7", "97"},
		{"through the proxy", "10.0.0.1:1", "203.0.113.9", "96"},
		{"written in IPv6", "[::ffff:203.0.113.9]:1", "", "95"},
		{"another address", "203.0.113.10:1", "", "99"},
		{"an IPv6 network", "[2001:db8:1:2::1]:1", "", "99"},
		{"the same network", "[2001:db8:1:2:ffff:ffff:ffff:ffff]:1", "", "98"},
		{"the same network through the proxy", "10.0.0.1:1", "2001:db8:1:2:3::4", "97"},
		{"the next network", "[2001:db8:1:3::1]:1", "", "99"},
		{"the proxy itself", "10.0.0.1:1", "", "99"},
	}
	for _, s := range steps {
		var forwarded []string
		if s.forwarded != "" {
			forwarded = []string{s.forwarded}
		}
		if got, _ := from(h, s.peer, forwarded...); got != s.remaining {
			t.Errorf("%s: X-RateLimit-Remaining = %s, want %s", s.name, got, s.remaining)
		}
	}
}
