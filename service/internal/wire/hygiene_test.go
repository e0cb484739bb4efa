package wire_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
)

// served returns the methods of every served path. The ids in the paths do not
// exist.
func served(h *servicetest.Instance) map[string][]string {
	const id = "00000000-0000-4000-8000-000000000000"
	paths := map[string][]string{}
	rows := slices.Concat(h.Service.KeyRows(), h.Service.AppRows())
	for _, row := range rows {
		path := servicetest.WithID(row, id)
		for _, other := range rows {
			if servicetest.Fits(other.Address(), path) {
				paths[path] = append(paths[path], other.Method)
			}
		}
	}
	for _, page := range []string{"openapi.json", "openapi-3.0.json", "docs", "docs/"} {
		for _, folder := range []string{"/v1/api/integrations/", "/app/"} {
			paths[folder+page] = []string{"GET", "HEAD"}
		}
	}
	return paths
}

func TestA5_MethodsOnEveryPath(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	asked := 0
	for path, knows := range served(r.Instance) {
		for _, method := range []string{"HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH", "CONNECT", "BREW", "get"} {
			if slices.Contains(knows, method) {
				continue
			}
			for _, authorization := range []string{"", "\nAuthorization: Bearer " + r.Key} {
				got := r.Say(method + " " + path + " HTTP/1.1\nHost: khatm\nConnection: close" + authorization + "\n\n")
				asked++
				if len(got) != 1 || got[0].Status != http.StatusMethodNotAllowed || got[0].Header.Get("Allow") == "" {
					t.Errorf("%s %s: responses %+v; want one with status 405 and Allow", method, path, got)
				} else if method != "HEAD" && servicetest.Shaped(got[0]) != nil {
					t.Errorf("%s %s: %v", method, path, servicetest.Shaped(got[0]))
				}
			}
		}
	}
	wantNo5xx(r)
	t.Logf("tried %d wrong methods", asked)
}

// wantNo5xx checks that no response in the log has status 5xx.
func wantNo5xx(r *servicetest.Running) {
	r.TB.Helper()
	for line := range strings.Lines(r.Log.String()) {
		if strings.Contains(line, `"status":5`) || strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "panic") {
			r.TB.Errorf("the log has an error or a 5xx status: %.400s", line)
		}
	}
}

func TestA5_OddPaths(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	for _, target := range []string{
		"/v1/api/buyers", "/v1//api/buyers/", "//v1/api/buyers/", "/v1/api/buyers//", "/v1/api/buyers/./", "/v1/api/buyers/../items/",
		"/v1/api/buyers/%2e%2e/items/", "/%2e%2e/%2e%2e/etc/passwd", "/v1/api/buyers/%2e%2e%2fitems/", "/v1/api/buyers/..%5c..%5c/",
		`/v1/api/buyers/\..\items/`, "/v1/api/buyers/%00/", "/v1/api/buyers/%ff%fe/", "/v1/api/buyers/%zz/", "/v1/api/buyers/%", "/v1/api/buyers/\xff/",
		"/v1/api/buyers/عميل/", "/v1/api/buyers/;/", "/v1/api/buyers/?page=%zz", "/v1/api/buyers/?a;b=c", "/v1/api/buyers/?page=1&page=x", "/v1/api/buyers/?" + strings.Repeat("a&", 4000),
		"/" + strings.Repeat("a", 8000), strings.Repeat("/", 8000), "/v1/api/buyers/" + strings.Repeat("../", 2000),
		"*", "http://elsewhere.example/v1/api/buyers/x/", "http:///v1/api/", "v1/api/buyers/", "?", "/v1/api/integrations/docs/../../buyers/x/", "/v1/api/integrations/docs/%2e%2e/x",
	} {
		for _, authorization := range []string{"", "\nAuthorization: Bearer " + r.Key} {
			got := r.Say("GET " + target + " HTTP/1.1\nHost: khatm\nConnection: close" + authorization + "\n\n")
			if len(got) != 1 || got[0].Status >= 500 || got[0].Status < 400 && got[0].Status != http.StatusOK {
				t.Errorf("path %.80q: responses %+v; want one with status 200 or 4xx", target, got)
			}
		}
	}
	wantNo5xx(r)
}

func TestA5_Headers(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	bearer := "\nAuthorization: Bearer " + r.Key
	cases := []struct {
		name, more string
		want       int
	}{
		{"ordinary headers", bearer, 200},
		{"15 KiB", bearer + "\nX-More: " + strings.Repeat("a", 15<<10), 200},
		{"24 KiB", bearer + "\nX-More: " + strings.Repeat("a", 24<<10), 431},
		{"a megabyte", bearer + "\nX-More: " + strings.Repeat("a", 1<<20), 431},
		{"a thousand headers", bearer + strings.Repeat("\nX-More: "+strings.Repeat("a", 20), 1000), 431},
		{"a key of 10 KiB", "\nAuthorization: Bearer svc_" + strings.Repeat("a", 10<<10), 401},
		{"a cookie of 10 KiB", "\nCookie: accessToken=" + strings.Repeat("a", 10<<10), 401},
		{"two credentials, the first is used", "\nAuthorization: Basic eA==" + bearer, 401},
		{"two Host headers", bearer + "\nHost: other", 400},
		{"a header without colon", bearer + "\nnonsense", 400},
		{"a NUL byte in a header", bearer + "\nX-More: a\x00b", 400},
		{"an offer to upgrade to HTTP/2", bearer + "\nConnection: Upgrade, HTTP2-Settings, close\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQ", 200},
		{"an unknown expectation", bearer + "\nExpect: the-inquisition", 417},
	}
	for _, c := range cases {
		got := r.Say("GET " + servicetest.UsagePath + " HTTP/1.1\nHost: khatm\nConnection: close" + c.more + "\n\n")
		if len(got) != 1 || got[0].Status != c.want {
			t.Errorf("%s: responses %.300v, want status %d", c.name, got, c.want)
		}
	}
	wantNo5xx(r)
}

// The server and a proxy in front of it must agree on where a request ends, even if
// it has two lengths or an encoding that hides its length.
func TestA5_Smuggling(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	head := "POST /v1/api/onboarding/organizations/clients/ HTTP/1.1\nHost: khatm\nAuthorization: Bearer " + r.Key + "\nContent-Type: application/json"
	hidden := "GET /v1/api/nowhere/ HTTP/1.1\r\nHost: khatm\r\nConnection: close\r\n\r\n"
	cases := []struct {
		name, length string
		body         string
		most         int // maximum number of responses
	}{
		{"length before coding", "\nContent-Length: 4\nTransfer-Encoding: chunked", "0\r\n\r\n" + hidden, 2},
		{"coding before length", "\nTransfer-Encoding: chunked\nContent-Length: 4", "0\r\n\r\n" + hidden, 2},
		{"two lengths", "\nContent-Length: 4\nContent-Length: 5", "{}  " + hidden, 1},
		{"two lengths in one", "\nContent-Length: 4, 5", "{}  " + hidden, 1},
		{"a length with a sign", "\nContent-Length: +4", "{}  " + hidden, 1},
		{"a length below zero", "\nContent-Length: -1", "{}  " + hidden, 1},
		{"a length in hexadecimal", "\nContent-Length: 0x4", "{}  " + hidden, 1},
		{"a length that overflows", "\nContent-Length: 99999999999999999999", "{}  " + hidden, 1},
		{"a space before the colon", "\nTransfer-Encoding : chunked\nContent-Length: 4", "0\r\n\r\n" + hidden, 1},
		{"a chunk with a negative size", "\nTransfer-Encoding: chunked", "-1\r\n\r\n" + hidden, 1},
		{"a chunk size that overflows", "\nTransfer-Encoding: chunked", "fffffffffffffffff\r\n\r\n" + hidden, 1},
		{"a trailer with a credential", "\nTransfer-Encoding: chunked\nTrailer: Authorization", "0\r\nAuthorization: x\r\n\r\n" + hidden, 2},
	}
	for _, c := range cases {
		got := r.Say(head + c.length + "\n\n" + c.body)
		if len(got) == 0 || len(got) > c.most {
			t.Errorf("%s: %d responses, want 1 to %d", c.name, len(got), c.most)
		}
		for _, a := range got {
			if a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s: status %d, body %s; want 4xx", c.name, a.Status, a.Body)
			}
		}
	}
	// net/http returns 501 for unknown codings, as RFC 9112 6.1 requires.
	for _, coding := range []string{"xchunked", "chunked, identity", "identity", "gzip, chunked", "chunked\nTransfer-Encoding: chunked"} {
		got := r.Say(head + "\nTransfer-Encoding: " + coding + "\n\n0\r\n\r\n" + hidden)
		if len(got) != 1 || got[0].Status != http.StatusNotImplemented && got[0].Status != http.StatusBadRequest {
			t.Errorf("Transfer-Encoding %q: responses %+v; want one with status 400 or 501", coding, got)
		}
	}
	wantNo5xx(r)
	if strings.Contains(r.Log.String(), `"status":2`) {
		t.Error("a smuggled request changed data")
	}
}

// A connection whose header arrives too slowly is closed. Calls succeed while many
// idle connections are open.
func TestA5_SlowAndIdleConnections(t *testing.T) {
	r := servicetest.Run(t, nil)
	began := time.Now()
	slow := r.Dial()
	if _, err := io.WriteString(slow, "GET "+servicetest.UsagePath+" HTTP/1.1\r\nHost: kh"); err != nil {
		t.Fatal(err)
	}
	var refusal []servicetest.Answer
	var took time.Duration
	refused := make(chan struct{})
	go func() { // at once, because the calls below may take long on a busy machine
		defer close(refused)
		refusal = r.Hear(slow, "GET")
		took = time.Since(began)
	}()
	const idle = 1000
	for range idle {
		r.Dial()
	}
	for i := range 20 {
		got := r.Say(fmt.Sprintf("GET %s?%d HTTP/1.1\nHost: khatm\nConnection: close\nAuthorization: Bearer %s\n\n", servicetest.UsagePath, i, r.Key))
		if len(got) != 1 || got[0].Status != http.StatusOK {
			t.Fatalf("with %d idle connections: responses %+v; want one with status 200", idle, got)
		}
	}
	t.Logf("20 calls with %d idle connections took %s", idle, time.Since(began))
	<-refused
	if len(refusal) > 0 && refusal[0].Status >= 500 {
		t.Errorf("slow header: responses %+v; want none with 5xx", refusal)
	}
	if took < 4*time.Second || took > 10*time.Second {
		t.Errorf("a slow header was refused after %s, want 4 to 10 seconds", took)
	}
	wantNo5xx(r)
}
