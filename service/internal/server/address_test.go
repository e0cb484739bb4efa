package server_test

import (
	"net/netip"
	"strings"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// Addresses that are probably mistakes are logged at the start.
func TestAddressWarnings(t *testing.T) {
	t.Parallel()
	const plain, links = "plain HTTP on an address", "--url is not set"
	for name, c := range map[string]struct {
		change func(*server.Config)
		want   []string
	}{
		"loopback":                {nil, nil},
		"loopback behind a proxy": {func(c *server.Config) { c.BehindProxy = true }, []string{links}},
		"all addresses":           {func(c *server.Config) { c.Address = ":0" }, []string{plain, links}},
		"all addresses, with the URL": {func(c *server.Config) {
			c.Address, c.URL = "0.0.0.0:0", "https://invoices.example.sa"
		}, []string{plain}},
		"behind a proxy": {func(c *server.Config) {
			c.Address, c.URL, c.BehindProxy = ":0", "https://invoices.example.sa", true
		}, nil},
		"with trusted proxies": {func(c *server.Config) {
			c.Address, c.URL, c.TrustedProxies = ":0", "https://invoices.example.sa", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := servicetest.Run(t, c.change)
			log := r.Log.String()
			for _, want := range c.want {
				if !strings.Contains(log, want) {
					t.Errorf("the log lacks %q: %s", want, log)
				}
			}
			if strings.Count(log, plain)+strings.Count(log, links) != len(c.want) {
				t.Errorf("log %s, want the warnings %q", log, c.want)
			}
			if strings.Contains(log, links) && !strings.Contains(log, `"links":"http://127.0.0.1:0/…"`) {
				t.Errorf("log %s, want the links that the server makes", log)
			}
		})
	}
}
