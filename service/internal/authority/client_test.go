package authority_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
)

func TestUnsafeURLsAreRefused(t *testing.T) {
	for _, c := range []struct {
		url  string
		good bool
	}{
		{authority.Base(device.Production), true},
		{authority.Base(device.Sandbox) + "/", true},
		{"https://gateway.example:8443/e-invoicing/core", true},
		{"http://127.0.0.1:9090/e-invoicing/core", true},
		{"http://localhost:9090", true},
		{"http://[::1]:9090/x", true},
		{"http://gw-fatoora.zatca.gov.sa/e-invoicing/core", false},
		{"http://169.254.169.254/latest/meta-data", false},
		{"http://127.0.0.1.example.com/", false},
		{"http://10.0.0.1/", false},
		{"ftp://127.0.0.1/", false},
		{"file:///etc/passwd", false},
		{"https://user:password@gateway.example/", false},
		{"https://gateway.example/?to=elsewhere", false},
		{"https://gateway.example/#x", false},
		{"https:///core", false},
		{"https://:443/core", false},
		{"gateway.example", false},
		{"", false},
		{"https://gate\nway.example", false},
	} {
		_, err := authority.New(authority.Config{URL: c.url, Now: time.Now})
		if (err == nil) != c.good {
			t.Errorf("New with URL %q: %v, want ok: %t", c.url, err, c.good)
		}
		if err != nil && strings.Contains(err.Error(), "password") {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

func TestRequestOfEachOperation(t *testing.T) {
	ctx := context.Background()
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("dG9rZW4=:secret-canary"))
	for _, c := range []struct {
		name, method, path string
		do                 func(*authority.Client)
		want               map[string]string // headers
	}{
		{"compliance", "POST", "/compliance",
			func(c *authority.Client) { _, _ = c.Compliance(ctx, "csr", otp) },
			map[string]string{"OTP": "739125", "Authorization": "", "Clearance-Status": ""}},
		{"sample", "POST", "/compliance/invoices",
			func(c *authority.Client) { c.CheckSample(ctx, credentials, paper) },
			map[string]string{"OTP": "", "Authorization": basic}},
		{"production", "POST", "/production/csids",
			func(c *authority.Client) { _, _ = c.Production(ctx, credentials, "17") },
			map[string]string{"OTP": "", "Authorization": basic}},
		{"renewal", "PATCH", "/production/csids",
			func(c *authority.Client) { _, _ = c.Renew(ctx, credentials, "csr", otp) },
			map[string]string{"OTP": "739125", "Authorization": basic}},
		{"clearance", "POST", "/invoices/clearance/single",
			func(c *authority.Client) { c.Clear(ctx, credentials, paper) },
			map[string]string{"OTP": "", "Authorization": basic, "Clearance-Status": "1"}},
		{"reporting", "POST", "/invoices/reporting/single",
			func(c *authority.Client) { c.Report(ctx, credentials, paper) },
			map[string]string{"OTP": "", "Authorization": basic, "Clearance-Status": "0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := hostile(t, http.StatusOK, nil, nil)
			c.do(g.client)
			asked := g.last()
			if asked.Method != c.method || asked.URL.Path != "/e-invoicing/simulation"+c.path || asked.URL.RawQuery != "" {
				t.Errorf("request was %s %s, want %s %s below the base URL", asked.Method, asked.URL, c.method, c.path)
			}
			c.want["Accept-Version"], c.want["Accept-Language"] = "V2", "en"
			c.want["Content-Type"], c.want["Accept"] = "application/json", "application/json"
			for name, want := range c.want {
				if got := asked.Header.Get(name); got != want {
					t.Errorf("header %s = %q, want %q", name, got, want)
				}
			}
		})
	}
}

// Following a redirect would send a document or a password to any host that the
// answer names.
func TestReliability_K13_RedirectsAreNotFollowed(t *testing.T) {
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		g := hostile(t, status, []byte(`{"message":"go there"}`), http.Header{"Location": {other.URL}})
		for _, to := range []string{"clearance", "reporting", "check"} {
			if v := g.send(to); v.Code != status {
				t.Errorf("%s redirected with %d: code %d, want the status of the redirect", to, status, v.Code)
			}
		}
		if _, err := g.client.Compliance(context.Background(), "csr", otp); err == nil {
			t.Errorf("status %d is accepted as a certificate", status)
		}
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("%d redirects were followed, want 0", n)
	}
}

func TestTLSIsVerified(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"reportingStatus":"REPORTED"}`)
	}))
	defer server.Close()
	v := client(t, authority.Config{URL: server.URL}).Report(context.Background(), credentials, paper)
	if v.Sent || v.Cause == nil {
		t.Errorf("unknown certificate: sent %v, cause %v; want a refusal", v.Sent, v.Cause)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	known := authority.Config{URL: server.URL, TLS: &tls.Config{RootCAs: trusted}}
	if v := client(t, known).Report(context.Background(), credentials, paper); v.Outcome != ledger.Accepted {
		t.Errorf("known certificate: outcome %v, cause %v; want accepted", v.Outcome, v.Cause)
	}
	old := httptest.NewUnstartedServer(http.NotFoundHandler())
	old.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	old.StartTLS()
	defer old.Close()
	trusted.AddCert(old.Certificate())
	known.URL = old.URL
	if v := client(t, known).Report(context.Background(), credentials, paper); v.Sent || v.Cause == nil {
		t.Errorf("TLS 1.1: sent %v, cause %v; want a refusal", v.Sent, v.Cause)
	}
}

// Hanging calls use at most 64 connections.
func TestReliability_U6_ConnectionsAreBounded(t *testing.T) {
	const callers = 200
	over := make(chan struct{})
	var mu sync.Mutex
	now, most := 0, 0
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		now += by
		most = max(most, now)
	}
	full := make(chan struct{}, callers)
	g := open(t, func(http.ResponseWriter, *http.Request) {
		count(1)
		defer count(-1)
		full <- struct{}{}
		<-over
	})
	var all sync.WaitGroup
	for range callers {
		all.Go(func() { g.send("reporting") })
	}
	for range 64 {
		<-full
	}
	close(over)
	all.Wait()
	if most != 64 {
		t.Errorf("%d connections at once, want 64", most)
	}
}
