package recording_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/simulator/recording"
)

// seen is a request as the upstream received it.
type seen struct {
	method, uri, host string
	header            http.Header
	body              []byte
}

// rig is a proxy in front of a test server.
type rig struct {
	t     *testing.T
	proxy *recording.Proxy
	url   string // of the proxy, with the path
	host  string // of the upstream

	mu     sync.Mutex
	seen   []seen
	stored []recording.Exchange
	refuse error // error of the store
}

func start(t *testing.T, answer http.HandlerFunc) *rig {
	t.Helper()
	g := &rig{t: t}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		g.mu.Lock()
		g.seen = append(g.seen, seen{r.Method, r.RequestURI, r.Host, r.Header.Clone(), body})
		g.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(upstream.Close)
	g.host = strings.TrimPrefix(upstream.URL, "http://")
	g.front(upstream.URL + "/e-invoicing/developer-portal")
	return g
}

// front starts the proxy.
func (g *rig) front(upstream string) {
	g.t.Helper()
	var err error
	g.proxy, err = recording.NewProxy(recording.Config{Upstream: upstream, Session: "s", Now: time.Now, Store: g.store})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(g.proxy.Close)
	front := httptest.NewServer(g.proxy)
	g.t.Cleanup(front.Close)
	g.url = front.URL + g.proxy.Path()
}

func (g *rig) store(e recording.Exchange) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stored = append(g.stored, e)
	return g.refuse
}

// last returns the last exchange and its text in the file.
func (g *rig) last() (recording.Exchange, string) {
	g.t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.stored) == 0 {
		g.t.Fatal("nothing was stored")
	}
	e := g.stored[len(g.stored)-1]
	text, err := json.Marshal(e)
	if err != nil {
		g.t.Fatal(err)
	}
	return e, string(text)
}

// reply is a complete response; its status is 0 if there was none.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// call sends a request and returns the response.
func (g *rig) call(method, path, body string, header http.Header) reply {
	g.t.Helper()
	request, err := http.NewRequest(method, g.url+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	request.Header = header
	client := http.Client{
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return reply{}
	}
	defer response.Body.Close() //nolint:errcheck // the body was read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}
	}
	return reply{response.StatusCode, response.Header, text}
}

// TestForwardedUnchanged compares what the upstream receives with what the client
// sent, and the response likewise.
func TestForwardedUnchanged(t *testing.T) {
	const page = `{"message":"see other"}`
	g := start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/elsewhere")
		w.Header().Set("X-Odd", "kept")
		w.WriteHeader(http.StatusSeeOther)
		_, _ = io.WriteString(w, page)
	})
	header := http.Header{
		"Accept-Version": {"V2", "v2"}, "Authorization": {"Basic dG9rZW46c2VjcmV0LWNhbmFyeQ=="}, "Otp": {"918273"},
		"X-Forwarded-For": {"10.0.0.1"}, "Cookie": {"session=cookie-canary"}, "User-Agent": {"client/1"}, "Accept-Encoding": {"br"},
	}
	response := g.call("PATCH", "/production/csids?a=query-canary;b", "not json \xff", header.Clone())
	if response.status != http.StatusSeeOther || string(response.body) != page || response.header.Get("X-Odd") != "kept" {
		t.Fatalf("response = %+v, want that of the upstream", response)
	}
	got := g.seen[0]
	if got.method != "PATCH" || got.uri != "/e-invoicing/developer-portal/production/csids?a=query-canary;b" || got.host != g.host || string(got.body) != "not json \xff" {
		t.Errorf("the upstream received %s %s for %s with body %q", got.method, got.uri, got.host, got.body)
	}
	got.header.Del("Content-Length")
	got.header.Del("Connection")
	for name := range got.header {
		if len(header[name]) == 0 {
			t.Errorf("the upstream received the header %s, which was not sent", name)
		}
	}
	for name, values := range header {
		if strings.Join(got.header[name], "|") != strings.Join(values, "|") {
			t.Errorf("header %s = %q, want %q", name, got.header[name], values)
		}
	}
	e, text := g.last()
	if e.Environment != "sandbox" || e.Path != "/production/csids" || e.Credential != "other-1" || e.Request.Base64 == "" || e.Response.Header.Get("Location") != "/elsewhere" {
		t.Errorf("exchange = %s, want the environment, path, credential, body and Location", text)
	}
	for _, secret := range []string{"canary", "dG9rZW4", "918273", "Basic "} {
		if strings.Contains(text, secret) {
			t.Errorf("the exchange contains %s: %s", secret, text)
		}
	}
}

// TestCredentialsAreRecognised checks the names of credentials: issued ones, and
// the same token with another secret.
func TestCredentialsAreRecognised(t *testing.T) {
	g := start(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"requestID":7,"binarySecurityToken":"dG9rZW4tMQ==","secret":"secret\/one"}`)
	})
	basic := func(token, secret string) http.Header {
		r := httptest.NewRequest("GET", "/", nil)
		r.SetBasicAuth(token, secret)
		return http.Header{"Authorization": r.Header["Authorization"]}
	}
	for _, c := range []struct {
		header           http.Header
		credential, made string
	}{
		{http.Header{}, "", "issued-1"},
		{basic("dG9rZW4tMQ==", "secret/one"), "issued-1", "issued-1"},
		{basic("dG9rZW4tMQ==", "secret/two"), "other-1", "issued-1"},
		{http.Header{"Authorization": {"Bearer secret/one"}}, "", "issued-1"},
	} {
		g.call("POST", "/compliance", "{}", c.header)
		e, text := g.last()
		if e.Credential != c.credential || e.Issued != c.made {
			t.Errorf("credential %q, issued %q; want %q, %q", e.Credential, e.Issued, c.credential, c.made)
		}
		for _, secret := range []string{"dG9rZW4", "secret/", `secret\/`} {
			if strings.Contains(text, secret) {
				t.Errorf("the exchange contains %s: %s", secret, text)
			}
		}
	}
}

// TestLongBodies checks that long bodies are forwarded whole and stored in part.
func TestLongBodies(t *testing.T) {
	long := `{"message":"` + strings.Repeat("x", 5<<20) + `","secret":"secret-canary"}`
	g := start(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) })
	body := g.call("POST", "/compliance", long, http.Header{}).body
	if string(body) != long || string(g.seen[0].body) != long {
		t.Fatalf("%d bytes sent, %d received by the upstream, %d returned", len(long), len(g.seen[0].body), len(body))
	}
	e, text := g.last()
	if e.Request.Bytes != int64(len(long)) || e.Request.Cut == "" || e.Response.Cut == "" || len(text) > 9<<20 {
		t.Errorf("request of %d bytes, cut %q, response cut %q, line of %d bytes; want both cut", e.Request.Bytes, e.Request.Cut, e.Response.Cut, len(text))
	}
}

// TestCompressedResponse checks that secrets in a compressed response are found.
func TestCompressedResponse(t *testing.T) {
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, err := io.WriteString(zip, `{"binarySecurityToken":"token-canary","secret":"secret-canary","n":1}`)
	if err := errors.Join(err, zip.Close()); err != nil {
		t.Fatal(err)
	}
	coding := "gzip"
	g := start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", coding)
		_, _ = w.Write(zipped.Bytes())
	})
	body := g.call("POST", "/compliance", "{}", http.Header{"Accept-Encoding": {"gzip"}}).body
	e, _ := g.last()
	if want := `{"binarySecurityToken":"[removed]","secret":"[removed]","n":1}`; e.Response.Text != want || !bytes.Equal(body, zipped.Bytes()) {
		t.Errorf("stored %s, want %s; returned %d bytes, want %d", e.Response.Text, want, len(body), zipped.Len())
	}
	coding = "br"
	g.call("POST", "/compliance", "{}", http.Header{})
	if e, text := g.last(); e.Response.Cut == "" || e.Response.Text+e.Response.Base64 != "" {
		t.Errorf("unknown coding: exchange = %s, want no body", text)
	}
}

// TestIncompleteAnswers checks an authority that does not answer or stops in the
// middle.
func TestIncompleteAnswers(t *testing.T) {
	g := start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"secret":"secret-can`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	if response := g.call("POST", "/compliance", "{}", http.Header{}); response.status != 0 {
		t.Error("the client received a complete response, want none")
	}
	if e, text := g.last(); e.Error == "" || strings.Contains(text, "canary") || strings.Contains(text, "secret-can") {
		t.Errorf("exchange = %s, want an error and no secret", text)
	}
	g = start(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	response := g.call("POST", "/compliance", "{}", http.Header{})
	if response.status != http.StatusBadGateway {
		t.Errorf("response = %+v, want 502", response)
	}
	if e, text := g.last(); e.Response != nil || e.Error == "" {
		t.Errorf("exchange = %s, want no response and an error", text)
	}
}

// TestNotForwarded checks other paths, and calls after a failed write.
func TestNotForwarded(t *testing.T) {
	g := start(t, func(http.ResponseWriter, *http.Request) {})
	base := g.url
	for _, path := range []string{"/e-invoicing/core/compliance", "/", "/e-invoicing/developer-portalx/compliance", "/e-invoicing/developer-portal/../core/compliance", "/e-invoicing/developer-portal/%2e%2e/core/compliance"} {
		g.url = strings.TrimSuffix(base, g.proxy.Path())
		if response := g.call("POST", path, "{}", http.Header{}); response.status != http.StatusNotFound {
			t.Errorf("%s: response = %+v, want 404", path, response)
		}
	}
	g.url, g.refuse = base, errors.New("disk full")
	g.call("POST", "/compliance", "{}", http.Header{})
	if response := g.call("POST", "/compliance", "{}", http.Header{}); response.status != http.StatusServiceUnavailable {
		t.Errorf("after a failed write: response = %+v, want 503", response)
	}
	if g.proxy.Err() == nil || len(g.seen) != 1 {
		t.Errorf("Err = %v, %d calls forwarded; want an error and one call", g.proxy.Err(), len(g.seen))
	}
}

func TestUpstreamMustBeSafe(t *testing.T) {
	for _, upstream := range []string{
		"http://gw-fatoora.zatca.gov.sa/e-invoicing/core", "https://user:password@host/core", "https://host/core?x", "core",
		"https://host/e-invoicing", "ftp://host/core", "",
	} {
		if _, err := recording.NewProxy(recording.Config{Upstream: upstream}); err == nil {
			t.Errorf("NewProxy(%q) succeeded, want an error", upstream)
		}
	}
	if _, err := recording.NewProxy(recording.Config{Upstream: recording.Sandbox + "/"}); err != nil {
		t.Error(err)
	}
}
