package site_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"khatm/service/internal/site"
)

// mux is a site.Mounter that matches whole paths, and prefixes that end with /*.
type mux map[string]http.Handler

func (m mux) Open(path string, page http.Handler) { m[path] = page }

func (m mux) Missing(page http.Handler) { m["/missing"] = page }

func mounted(t *testing.T) mux {
	t.Helper()
	m := mux{}
	err := site.Mount(m, fstest.MapFS{
		"index.html.br":    {Data: []byte("brotli")},
		"index.html.gz":    {Data: packed(t, "<!doctype html>")},
		"icon.svg":         {Data: []byte("<svg/>")},
		"assets/a-1.woff2": {Data: []byte("font")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// packed returns a text as gzip.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	_, _ = w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

func get(t *testing.T, m mux, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	m[path].ServeHTTP(w, r)
	return w
}

func TestMissingPage(t *testing.T) {
	w := httptest.NewRecorder()
	mounted(t)["/missing"].ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/nothing", nil))
	if w.Code != http.StatusNotFound || w.Body.String() != "<!doctype html>" || w.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("missing page: got %d %q, want 404 with the app", w.Code, w.Body)
	}
}

func TestEncodings(t *testing.T) {
	m := mounted(t)
	zipped := string(packed(t, "<!doctype html>"))
	for _, c := range []struct{ accept, encoding, body string }{
		{"", "", "<!doctype html>"},
		{"gzip, deflate, br, zstd", "br", "brotli"},
		{"gzip;q=1.0, *;q=0", "gzip", zipped},
		{"br;q=0, gzip", "gzip", zipped},
		{"br;q=0.0, gzip;q=0", "", "<!doctype html>"},
		{"BR", "br", "brotli"},
		{"identity", "", "<!doctype html>"},
	} {
		got := get(t, m, "/", "Accept-Encoding", c.accept)
		h := got.Header()
		if h.Get("Content-Encoding") != c.encoding || got.Body.String() != c.body || h.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: got %q in encoding %q, Vary %q; want %q in %q", c.accept, got.Body, h.Get("Content-Encoding"), h.Get("Vary"), c.body, c.encoding)
		}
	}
}

func TestCaching(t *testing.T) {
	m := mounted(t)
	for path, want := range map[string]string{"/": "no-cache", "/icon.svg": "no-cache", "/assets/a-1.woff2": "public, max-age=31536000, immutable"} {
		if got := get(t, m, path).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control = %q, want %q", path, got, want)
		}
	}
	tag := get(t, m, "/", "Accept-Encoding", "br").Header().Get("ETag")
	if got := get(t, m, "/", "Accept-Encoding", "br", "If-None-Match", tag); got.Code != http.StatusNotModified {
		t.Errorf("with the entity tag of the last response: status %d, want 304", got.Code)
	}
	if got := get(t, m, "/", "Accept-Encoding", "gzip", "If-None-Match", tag); got.Code != http.StatusOK {
		t.Errorf("with the entity tag of another encoding: status %d, want 200", got.Code)
	}
	if got := get(t, m, "/assets/a-1.woff2").Header().Get("Content-Type"); got != "font/woff2" {
		t.Errorf("Content-Type of a font = %q", got)
	}
}

// unreadable contains a file that cannot be read.
type unreadable struct {
	fstest.MapFS
	name string
}

func (u unreadable) ReadFile(name string) ([]byte, error) {
	if name == u.name {
		return nil, fs.ErrPermission
	}
	return u.MapFS.ReadFile(name)
}

func TestUnreadableFile(t *testing.T) {
	files := fstest.MapFS{"index.html": {}, "icon.svg": {}}
	if err := site.Mount(mux{}, unreadable{files, "index.html"}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Mount without index.html returned %v, want %v", err, fs.ErrPermission)
	}
	m := mux{}
	if err := site.Mount(m, unreadable{files, "icon.svg"}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, m, "/icon.svg"); got.Code != http.StatusInternalServerError {
		t.Errorf("status of an unreadable file is %d, want 500", got.Code)
	}
	if err := site.Mount(mux{}, fstest.MapFS{"index.html.gz": {Data: packed(t, "page")}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Mount without a Brotli copy returned %v, want %v", err, fs.ErrNotExist)
	}
	if err := site.Mount(m, fstest.MapFS{"index.html.gz": {Data: []byte("damaged")}, "index.html.br": {}}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, m, "/"); got.Code != http.StatusInternalServerError || got.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("status of a damaged file is %d with Cache-Control %q, want 500 with no-store", got.Code, got.Header().Get("Cache-Control"))
	}
}

func TestPolicy(t *testing.T) {
	m := mounted(t)
	for path := range m {
		policy := get(t, m, path).Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: policy %q lacks %q", path, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q allows unsafe code", path, policy)
		}
	}
}

// TestPages checks that compressed copies have no address and that every page of the
// app is the index.
func TestPages(t *testing.T) {
	m := mounted(t)
	for _, path := range []string{"/index.html.br", "/index.html.gz", "/index.html"} {
		if m[path] != nil {
			t.Errorf("%s can be requested", path)
		}
	}
	for _, path := range []string{"/", "/login", "/invoices", "/invoices/*", "/plan"} {
		if m[path] == nil {
			t.Errorf("%s is not served", path)
			continue
		}
		if got := get(t, m, path).Header().Get("Content-Type"); got != "text/html; charset=utf-8" {
			t.Errorf("%s: Content-Type = %q, want HTML", path, got)
		}
	}
	if err := site.Mount(mux{}, fstest.MapFS{}); err == nil {
		t.Error("an app without index.html is mounted")
	}
}
