package server_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// encrypted is a server with a certificate for localhost.
type encrypted struct {
	*servicetest.Running
	trust     *tls.Config
	until     time.Time // end of the certificate
	cert, key string    // files
	ca        *testtool.CA
}

func runTLS(t *testing.T, change func(*server.Config)) *encrypted {
	t.Helper()
	dir := t.TempDir()
	e := &encrypted{ca: testtool.NewCA(t), cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	e.renew(t, 60)
	e.Running = servicetest.Run(t, func(c *server.Config) {
		c.URL, c.TLS = "https://localhost", server.TLS{Cert: e.cert, Key: e.key}
		if change != nil {
			change(c)
		}
	})
	e.trust = e.ca.Client()
	e.trust.ServerName = "localhost"
	return e
}

// renew replaces the certificate by one that is valid for the given days.
func (e *encrypted) renew(t *testing.T, days int) {
	t.Helper()
	e.until = time.Now().AddDate(0, 0, days).Truncate(time.Second)
	cert, key := e.ca.Issue(e.until, "localhost")
	for name, data := range map[string][]byte{e.cert: cert, e.key: key} {
		if err := os.WriteFile(name+".new", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(name+".new", name); err != nil {
			t.Fatal(err)
		}
	}
}

// client returns a client that uses HTTP/2, or only HTTP/1.
func (e *encrypted) client(t *testing.T, two bool) *http.Client {
	t.Helper()
	var protocols http.Protocols
	protocols.SetHTTP1(!two)
	protocols.SetHTTP2(two)
	transport := &http.Transport{TLSClientConfig: e.trust.Clone(), Protocols: &protocols}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport, Timeout: servicetest.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Both versions of HTTP work over TLS: with rate limits by address, secure cookies,
// https links and the header that keeps browsers there.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	e := runTLS(t, nil)
	email := "noura@example.sa"
	person, err := e.Keys.AddPerson(t.Context(), org.Operator(org.Tenant{}, "test"), email, "Noura", "correct horse battery", org.Admin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Keys.Join(t.Context(), e.Operator(e.Org), person.Email, org.Accountant); err != nil {
		t.Fatal(err)
	}
	for _, two := range []bool{false, true} {
		response, err := e.client(t, two).Post("https://"+e.Address+"/app/api/session/", "application/json", strings.NewReader(`{"email":"`+email+`","password":"correct horse battery"}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated || (response.ProtoMajor == 2) != two {
			t.Fatalf("HTTP/2 %t: sign-in over %s: %s %s", two, response.Proto, response.Status, body)
		}
		if got := response.Header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
			t.Errorf("HTTP/2 %t: Strict-Transport-Security %q", two, got)
		}
		if cookies := response.Cookies(); len(cookies) != 1 || !cookies[0].Secure || !cookies[0].HttpOnly {
			t.Errorf("HTTP/2 %t: cookies %v, want a secure one", two, cookies)
		}
	}
	want := fmt.Sprintf("khatm_tls_certificate_expiry_timestamp_seconds %g\n", float64(e.until.Unix()))
	if metrics := e.Ask("/metrics").Body; !strings.Contains(metrics, want) {
		t.Errorf("the metrics lack %s", want)
	}
	if log := e.Log.String(); strings.Contains(log, "plain HTTP") || strings.Contains(log, "certificate is not valid") {
		t.Errorf("log %s, want no warning", log)
	}
}

// Clients that are slow at any stage of a connection are disconnected as without TLS:
// in the handshake, in the header, and in the body.
func TestA5_SlowClientsOverTLS(t *testing.T) {
	t.Parallel()
	e := runTLS(t, nil)
	path := "/v1/api/buyers/" + e.Client(e.Org, "Al Noor").ID.String() + "/"
	t.Run("group", func(t *testing.T) {
		for name, c := range map[string]struct {
			run         func(t *testing.T) error
			least, most time.Duration
		}{
			"no byte of the handshake": {func(t *testing.T) error {
				return ends(e.Dial())
			}, 4 * time.Second, 8 * time.Second},
			"half of the handshake": {func(t *testing.T) error {
				conn := e.Dial()
				_, err := conn.Write([]byte{0x16, 0x03, 0x01, 0x02, 0x00, 0x01})
				return errors.Join(err, ends(conn))
			}, 4 * time.Second, 8 * time.Second},
			"half of the header": {func(t *testing.T) error {
				conn := tls.Client(e.Dial(), e.trust)
				_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: ")
				return errors.Join(err, ends(conn))
			}, 4 * time.Second, 8 * time.Second},
			"half of the body": {func(t *testing.T) error {
				conn := tls.Client(e.Dial(), e.trust)
				_, err := io.WriteString(conn, "PATCH "+path+" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+e.Key+"\r\nContent-Length: 20\r\n\r\n{")
				if err != nil {
					return err
				}
				got, err := servicetest.ReadAnswer(bufio.NewReader(conn), http.MethodPatch)
				return errors.Join(err, refusedBody(got.Status, got.Body))
			}, 9 * time.Second, 15 * time.Second},
			"half of the body over HTTP/2": {func(t *testing.T) error {
				body, more := io.Pipe()
				defer func() { _ = more.Close() }()
				go func() { _, _ = io.WriteString(more, "{") }()
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, "https://"+e.Address+path, body)
				if err != nil {
					return err
				}
				request.ContentLength = 20
				request.Header.Set("Authorization", "Bearer "+e.Key)
				response, err := e.client(t, true).Do(request)
				if err != nil {
					return err
				}
				text, err := io.ReadAll(response.Body)
				return errors.Join(err, response.Body.Close(), refusedBody(response.StatusCode, string(text)))
			}, 9 * time.Second, 15 * time.Second},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				err := c.run(t)
				if took := time.Since(began); err != nil || took < c.least || took > c.most {
					t.Errorf("ended after %s with %v, want after %s to %s", took, err, c.least, c.most)
				}
			})
		}
	})
}

// ends waits until the server closes a connection.
func ends(conn net.Conn) error {
	_, err := io.Copy(io.Discard, conn)
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return err
	}
	return nil // closed or reset
}

func refusedBody(status int, body string) error {
	if status != http.StatusBadRequest || !strings.Contains(body, "could not be read to its end") {
		return fmt.Errorf("response %d %s, want 400 for the body", status, body)
	}
	return nil
}

// A server with ten seconds of drain answers over HTTP/2 to the end, and tells the
// client to open another connection.
func TestR11_StopOverHTTP2(t *testing.T) {
	t.Parallel()
	second := make(chan struct{})
	e := runTLS(t, func(c *server.Config) { c.Drain, c.EndDrain = 10*time.Minute, second })
	client := e.client(t, true)
	for _, stopping := range []bool{false, true, true} {
		response, err := client.Get("https://" + e.Address + "/v1-3/api/public/health/")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK || response.ProtoMajor != 2 {
			t.Errorf("stopping %t: %s over %s, want 200 over HTTP/2", stopping, response.Status, response.Proto)
		}
		e.Stop()
		for !strings.Contains(e.Log.String(), `"msg":"stopping"`) {
			time.Sleep(time.Millisecond)
		}
	}
	close(second)
	if err := e.Wait(); err != nil {
		t.Error(err)
	}
}

// Plain HTTP is redirected to the public URL, except for requests of programs.
func TestRedirectHTTP(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", testtool.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	e := runTLS(t, func(c *server.Config) { c.URL, c.TLS.Redirect = "https://invoices.example.sa", at })
	client := e.client(t, false)
	for _, c := range []struct {
		method, key, location string
		status                int
	}{
		{http.MethodGet, "", "https://invoices.example.sa/s/abc?lang=en", http.StatusMovedPermanently},
		{http.MethodHead, "", "https://invoices.example.sa/s/abc?lang=en", http.StatusMovedPermanently},
		{http.MethodPost, "", "", http.StatusBadRequest},
		{http.MethodGet, "Bearer " + e.Key, "", http.StatusBadRequest},
	} {
		request, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+at+"/s/abc?lang=en", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "other.example"
		if c.key != "" {
			request.Header.Set("Authorization", c.key)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got := response.Header.Get("Location"); response.StatusCode != c.status || got != c.location {
			t.Errorf("%s with the key %q: %d to %q, want %d to %q", c.method, c.key, response.StatusCode, got, c.status, c.location)
		}
	}
	servicetest.Eventually(t, "a warning about the host", func() bool {
		return strings.Contains(e.Log.String(), "certificate is not valid for the host of the links")
	})
}

func TestTLSSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		url  string
		tls  server.TLS
		want string
	}{
		"a certificate without a key":         {"", server.TLS{Cert: "cert.pem"}, "--tls-cert and --tls-key are needed together"},
		"a key without a certificate":         {"", server.TLS{Key: "key.pem"}, "--tls-cert and --tls-key are needed together"},
		"a certificate and ACME":              {"", server.TLS{Cert: "cert.pem", Key: "key.pem", ACME: "a.example.sa"}, "use one or the other"},
		"a directory without ACME":            {"", server.TLS{ACMEDirectory: "https://acme.example"}, "need --acme HOST"},
		"a redirect without TLS":              {"", server.TLS{Redirect: ":80"}, "--redirect-http needs"},
		"a plain URL":                         {"http://a.example.sa", server.TLS{ACME: "a.example.sa"}, "must begin with https://"},
		"a host that cannot have certificate": {"", server.TLS{ACME: "localhost"}, "not a host name"},
		"a file that does not exist":          {"", server.TLS{Cert: "missing.pem", Key: "missing.pem"}, "missing.pem"},
	} {
		config := server.Defaults()
		config.Data, config.URL, config.TLS = t.TempDir(), c.url, c.tls
		s, err := server.New(t.Context(), config)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: New returned %v, want %q", name, err, c.want)
		}
	}
}

func TestPublicURL(t *testing.T) {
	t.Parallel()
	files, acme := server.TLS{Cert: "a", Key: "b"}, server.TLS{ACME: "a.example.sa"}
	for _, c := range []struct {
		address, url string
		tls          server.TLS
		want         string
	}{
		{"127.0.0.1:8080", "", server.TLS{}, "http://127.0.0.1:8080"},
		{":8080", "", server.TLS{}, "http://127.0.0.1:8080"},
		{"[::]:8080", "", server.TLS{}, "http://127.0.0.1:8080"},
		{"192.0.2.1:80", "", server.TLS{}, "http://192.0.2.1"},
		{"[2001:db8::1]:80", "", server.TLS{}, "http://[2001:db8::1]"},
		{"[2001:db8::1]:443", "", files, "https://[2001:db8::1]"},
		{"0.0.0.0:8443", "", files, "https://127.0.0.1:8443"},
		{":443", "", acme, "https://a.example.sa"},
		{":8443", "", acme, "https://a.example.sa:8443"},
		{":8443", "https://b.example.sa/", acme, "https://b.example.sa"},
		{"nowhere", "", server.TLS{}, "http://nowhere"},
	} {
		got := server.Config{Address: c.address, URL: c.url, TLS: c.tls}.PublicURL()
		if _, err := url.Parse(got); err != nil || got != c.want {
			t.Errorf("the URL of %s %+v is %s, %v; want %s", c.address, c.tls, got, err, c.want)
		}
	}
}
