package docs_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"khatm/service/internal/docs"
	"khatm/web"
)

func serve(t *testing.T) http.Handler {
	t.Helper()
	page, err := docs.New(web.SwaggerUI())
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	mux := chi.NewRouter()
	page.Open(func(path string, page http.Handler) { mux.Method(http.MethodGet, path, page) }, "/v1/api/integrations/docs")
	return mux
}

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestFiles(t *testing.T) {
	h := serve(t)
	const at = "/v1/api/integrations/docs"
	cases := []struct {
		path, kind, holds string
		status            int
	}{
		{at, "text/html; charset=utf-8", "<title>Khatm API</title>", 200},
		{at + "/init.js", "text/javascript; charset=utf-8", "persistAuthorization: false", 200},
		{at + "/page.css", "text/css; charset=utf-8", "unicode-bidi", 200},
		{at + "/swagger-ui.css", "text/css; charset=utf-8", ".swagger-ui", 200},
		{at + "/swagger-ui-bundle.js", "text/javascript; charset=utf-8", "SwaggerUIBundle", 200},
		{at + "/", "", "", 308},
		{at + "/index.html", "", "", 404},
		{at + "/swagger-ui-standalone-preset.js", "", "", 404},
		{at + "/oauth2-redirect.html", "", "", 404},
		{at + "/swagger-ui.css.gz", "", "", 404},
	}
	for _, c := range cases {
		for _, coding := range []string{"gzip, br", "identity", "gzip;q=0"} {
			t.Run(c.path+" "+coding, func(t *testing.T) {
				res := get(h, c.path, "Accept-Encoding", coding)
				if res.Code != c.status {
					t.Fatalf("status: got %d, want %d", res.Code, c.status)
				}
				if c.status != 200 {
					return
				}
				if got := res.Header().Get("Content-Type"); got != c.kind {
					t.Errorf("type: got %q, want %q", got, c.kind)
				}
				if got := res.Header().Get("Content-Security-Policy"); got != docs.Policy {
					t.Errorf("policy: got %q, want %q", got, docs.Policy)
				}
				if got, want := res.Header().Get("Content-Encoding") == "gzip", coding == "gzip, br"; got != want {
					t.Errorf("packed: got %t, want %t", got, want)
				}
				if text := plain(t, res); !strings.Contains(text, c.holds) {
					t.Errorf("body does not contain %q", c.holds)
				}
			})
		}
	}
}

func plain(t *testing.T, res *httptest.ResponseRecorder) string {
	t.Helper()
	var body io.Reader = res.Body
	if res.Header().Get("Content-Encoding") == "gzip" {
		r, err := gzip.NewReader(res.Body)
		if err != nil {
			t.Fatalf("decompress: %v", err)
		}
		body = r
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatalf("read the response: %v", err)
	}
	return string(b)
}

func TestUnchangedFileIsNotSentAgain(t *testing.T) {
	h := serve(t)
	const path = "/v1/api/integrations/docs/swagger-ui-bundle.js"
	tag := get(h, path, "Accept-Encoding", "gzip").Header().Get("ETag")
	res := get(h, path, "Accept-Encoding", "gzip", "If-None-Match", tag)
	if res.Code != http.StatusNotModified {
		t.Errorf("gzip: got %d, want 304", res.Code)
	}
	res = get(h, path, "Accept-Encoding", "identity", "If-None-Match", tag)
	if res.Code != http.StatusOK {
		t.Errorf("other coding: got %d, want 200", res.Code)
	}
}

// The policy forbids inline code, so the page must contain no inline script or
// style, and refer to no other host.
func TestPageKeepsItsPolicy(t *testing.T) {
	text := plain(t, get(serve(t), "/v1/api/integrations/docs"))
	for _, bad := range []string{"<style", "style=", "<script>", "onclick", "http:", "https:", "<base"} {
		if strings.Contains(text, bad) {
			t.Errorf("page contains %q", bad)
		}
	}
}
