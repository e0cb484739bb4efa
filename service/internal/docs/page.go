// Package docs serves the browsable page of the OpenAPI document: Swagger UI
// with our own page, script and style sheet. It serves only a fixed list of files
// and does not depend on the routes of the API.
package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// Policy is the content security policy of the page and its files: same origin
// only, no inline script or style, no eval. The icons in Swagger UI's style
// sheet are data URLs.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed index.html init.js page.css
var own embed.FS

// asset is one file, stored gzipped as it is sent.
type asset struct {
	packed []byte
	kind   string
	tag    string
}

// Page serves the page and its files.
type Page struct {
	assets map[string]asset
}

// New returns the page with the bundle and the style sheet of Swagger UI, which are
// compressed and have the extension .gz.
func New(swagger fs.FS) (*Page, error) {
	assets := make(map[string]asset)
	for _, file := range []struct{ name, kind string }{
		{"index.html", "text/html; charset=utf-8"},
		{"init.js", "text/javascript; charset=utf-8"},
		{"page.css", "text/css; charset=utf-8"},
	} {
		plain, err := own.ReadFile(file.name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file.name, err)
		}
		assets[file.name] = newAsset(pack(plain), file.kind)
	}
	for _, file := range []struct{ name, kind string }{
		{"swagger-ui-bundle.js", "text/javascript; charset=utf-8"},
		{"swagger-ui.css", "text/css; charset=utf-8"},
	} {
		packed, err := fs.ReadFile(swagger, file.name+".gz")
		if err != nil {
			return nil, fmt.Errorf("read %s of swagger ui: %w", file.name, err)
		}
		assets[file.name] = newAsset(packed, file.kind)
	}
	return &Page{assets: assets}, nil
}

func newAsset(packed []byte, kind string) asset {
	sum := sha256.Sum256(packed)
	return asset{packed: packed, kind: kind, tag: base64.RawURLEncoding.EncodeToString(sum[:12])}
}

func pack(plain []byte) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(plain) // writing to a bytes.Buffer cannot fail
	_ = w.Close()
	return packed.Bytes()
}

// Open registers the page at path and its files below it. The path must have no
// trailing slash, because the page refers to its files by relative URLs.
func (p *Page) Open(open func(path string, page http.Handler), path string) {
	for name := range p.assets {
		at := path + "/" + name
		if name == "index.html" {
			at = path
		}
		open(at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, name) }))
	}
	open(path+"/", http.RedirectHandler("../docs", http.StatusPermanentRedirect))
}

func (p *Page) serve(w http.ResponseWriter, r *http.Request, name string) {
	a := p.assets[name]
	body, tag := a.packed, `"`+a.tag+`-gz"`
	packed := acceptsGzip(r.Header.Values("Accept-Encoding"))
	if !packed {
		tag = `"` + a.tag + `"`
	}
	h := w.Header()
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache") // revalidate each time, so that an upgrade shows at once
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", tag)
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	if packed {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
		return
	}
	plain, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		http.Error(w, "internal", http.StatusInternalServerError)
		return
	}
	_, _ = io.Copy(w, plain)
}

// acceptsGzip reports whether the values of Accept-Encoding allow gzip;
// "gzip;q=0" does not.
func acceptsGzip(values []string) bool {
	for coding := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(coding), ";")
		weight = strings.TrimSpace(weight)
		if strings.TrimSpace(name) == "gzip" && weight != "q=0" && !strings.HasPrefix(weight, "q=0.000") {
			return true
		}
	}
	return false
}
