// Package site serves the files of the web app.
package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Mounter registers pages without rate limit, as *wire.Frame does.
type Mounter interface {
	Open(path string, page http.Handler)
	Missing(page http.Handler) // of addresses that do not exist
}

// pages are the first segments of the addresses of the app. The app itself shows the
// page of an address.
var pages = []string{"account", "attention", "clients", "company", "devices", "drafts", "earlier", "forgotten", "imports", "invitation", "invoices", "items", "keys", "letters", "login", "password", "payments", "plan", "reasons", "setup", "signup", "team", "tools", "trail"}

// policy allows nothing from other origins, no script in the page, and only the
// styles of injected. It cannot require Trusted Types: React Aria clears its
// announcements with innerHTML.
var policy = "default-src 'none'; script-src 'self'; style-src 'self'" + hashes(injected) + "; img-src 'self' blob:; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// injected are the style elements that React Aria adds to the page.
var injected = []string{
	"@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}",
	"@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}",
}

// hashes returns the sources of a policy that allow inline texts.
func hashes(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		digest := sha256.Sum256([]byte(text))
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'")
	}
	return b.String()
}

// file is a file as it is stored: compressed in both encodings, or plain.
type file struct {
	kind   string                 // content type
	tag    string                 // entity tag
	plain  func() ([]byte, error) // decompresses the file at the first call
	brotli []byte
	gzip   []byte
}

// Mount registers the app. Of compressed files it needs only the copies with the
// extensions .br and .gz. It returns an error if index.html is missing.
func Mount(on Mounter, files fs.FS) error {
	index, err := read(files, "index.html")
	if err != nil {
		return fmt.Errorf("the web app: %w", err)
	}
	page := guarded(index.serve("no-cache"))
	on.Open("/", page)
	on.Missing(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page.ServeHTTP(notFound{w}, r) // the app says that the page does not exist
	}))
	for _, name := range pages {
		on.Open("/"+name, page)
		on.Open("/"+name+"/*", page)
	}
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) == ".br" {
			return err
		}
		name = strings.TrimSuffix(name, ".gz")
		if name == "index.html" {
			return nil
		}
		keep := "no-cache"
		if strings.HasPrefix(name, "assets/") { // named after the content
			keep = "public, max-age=31536000, immutable"
		}
		on.Open("/"+name, guarded(onDemand(files, name, keep)))
		return nil
	})
}

// notFound replaces the status of a page.
type notFound struct{ http.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w notFound) WriteHeader(status int) {
	if status == http.StatusOK {
		status = http.StatusNotFound
	}
	w.ResponseWriter.WriteHeader(status)
}

// onDemand returns the handler of a file, which is read at the first request.
func onDemand(files fs.FS, name, keep string) http.Handler {
	load := sync.OnceValues(func() (file, error) { return read(files, name) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, err := load()
		if err != nil {
			unreadable(w)
			return
		}
		f.serve(keep).ServeHTTP(w, r)
	})
}

// read reads a file in both encodings, or plain if it is not compressed.
func read(files fs.FS, name string) (f file, err error) {
	f.kind = mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".woff2" {
		f.kind = "font/woff2"
	}
	content, err := fs.ReadFile(files, name+".gz")
	switch {
	case err == nil:
		f.gzip = content
		f.plain = sync.OnceValues(func() ([]byte, error) { return unpacked(content) })
		f.brotli, err = fs.ReadFile(files, name+".br")
	case errors.Is(err, fs.ErrNotExist):
		content, err = fs.ReadFile(files, name)
		f.plain = func() ([]byte, error) { return content, nil }
	}
	digest := sha256.Sum256(content)
	f.tag = base64.RawURLEncoding.EncodeToString(digest[:12])
	return f, err
}

func unpacked(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// content returns the file in an encoding, or plain.
func (f file) content(encoding string) ([]byte, error) {
	switch encoding {
	case "br":
		return f.brotli, nil
	case "gzip":
		return f.gzip, nil
	}
	return f.plain()
}

// serve returns the handler of a file with the given Cache-Control.
func (f file) serve(keep string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", f.kind)
		h.Set("Cache-Control", keep)
		encoding := ""
		if f.gzip != nil {
			h.Set("Vary", "Accept-Encoding")
			accepted := r.Header.Get("Accept-Encoding")
			switch {
			case accepts(accepted, "br"):
				encoding = "br"
			case accepts(accepted, "gzip"):
				encoding = "gzip"
			}
		}
		body, err := f.content(encoding)
		if err != nil {
			unreadable(w)
			return
		}
		if encoding != "" {
			h.Set("Content-Encoding", encoding)
			h.Set("ETag", `"`+f.tag+"-"+encoding+`"`)
		} else {
			h.Set("ETag", `"`+f.tag+`"`)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}

func unreadable(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, "The file cannot be read.", http.StatusInternalServerError)
}

// accepts reports whether an Accept-Encoding header names an encoding that it does
// not refuse.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			quality, weighted := strings.CutPrefix(strings.TrimSpace(weight), "q=")
			return !weighted || strings.Trim(quality, "0.") != ""
		}
	}
	return false
}

// guarded adds the headers that keep the app apart from other sites.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY") // for browsers that ignore frame-ancestors
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		next.ServeHTTP(w, r)
	})
}
