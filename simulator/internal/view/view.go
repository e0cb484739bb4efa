// Package view serves the web page of the simulator: its mood, its devices and
// certificates, and the last requests with their verdicts, in English and
// Arabic. The page is for a browser on the same machine. It contains no one-time
// passwords, secrets or tokens, loads nothing from elsewhere, and accepts a
// change only from itself.
package view

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"time"
)

// Base is the path of the page.
const Base = "/view/"

// Config connects the page to a simulator.
type Config struct {
	Recent       *Recent
	Mood         func() Mood
	SetMood      func(name string) error
	Force        func(fault string, times int) error
	Reject       func(code string, times int) error
	Set          func(setting, value string) error
	Certificates func() ([]Certificate, error) // oldest first
	Now          func() time.Time
}

// Mood is the mood of the simulator and its settings.
type Mood struct {
	Name     string            // "" for a plan of the user
	Forced   map[string]int    // forced faults that are not applied yet
	Struck   map[string]uint64 // faults applied so far
	Rejects  []Rejection       // forced rejections that are not applied yet, the next one first
	Settings map[string]string // value of each setting
}

// Rejection is a forced rejection of the next documents.
type Rejection struct {
	Codes []string // ids of rules
	Times int      // documents still to be rejected
}

// Certificate is an issued certificate, without its secret.
type Certificate struct {
	Environment string
	Kind        string // compliance or production
	RequestID   string
	VATNumber   string
	Serial      string // of the device
	Name        string // common name
	NotAfter    time.Time
	Revoked     time.Time // zero if it is not revoked
	Passed      int       // compliance checks passed
	Missing     int       // compliance checks that are still required
}

// Page serves the page.
type Page struct {
	Config
	templates *template.Template
	mux       *http.ServeMux
}

//go:embed *.html page.css page.js icon.svg
var files embed.FS

// New returns the page. It fails if a template cannot be parsed.
func New(c Config) (*Page, error) {
	templates, err := template.ParseFS(files, "*.html")
	if err != nil {
		return nil, fmt.Errorf("parse the page templates: %w", err)
	}
	p := &Page{Config: c, templates: templates, mux: http.NewServeMux()}
	for pattern, do := range map[string]http.HandlerFunc{
		"GET " + Base + "{$}":                    p.overview,
		"GET " + Base + "requests/{id}":          p.request,
		"GET " + Base + "requests/{id}/document": p.document,
		"POST " + Base + "mood":                  p.setMood,
		"POST " + Base + "force":                 p.force,
		"POST " + Base + "reject":                p.reject,
		"POST " + Base + "settings":              p.set,
		"GET " + Base + "page.css":               asset("page.css", "text/css; charset=utf-8"),
		"GET " + Base + "page.js":                asset("page.js", "text/javascript; charset=utf-8"),
		"GET " + Base + "icon.svg":               asset("icon.svg", "image/svg+xml"),
	} {
		p.mux.HandleFunc(pattern, do)
	}
	return p, nil
}

// policy allows only the style sheet, the script and the icon of the page
// itself, and requests to its own origin.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP serves the page. The caller has checked that the request's Host is a
// loopback name.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Language")
	if !sameOrigin(r) {
		http.Error(w, "This page accepts only requests from itself. Enter its address in the browser.", http.StatusForbidden)
		return
	}
	p.mux.ServeHTTP(w, r)
}

// sameOrigin reports whether a request comes from the page itself or, if it
// changes nothing, from the address bar of a browser or from a program. A
// browser sends Sec-Fetch-Site or, with every form, Origin.
func sameOrigin(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	origins, sites := r.Header.Values("Origin"), r.Header.Values("Sec-Fetch-Site")
	for _, origin := range origins {
		if origin != "http://"+r.Host {
			return false
		}
	}
	for _, site := range sites {
		if site != "same-origin" && !(reads && site == "none") {
			return false
		}
	}
	return reads || len(origins)+len(sites) > 0
}

// asset returns a handler for an embedded file.
func asset(name, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		text, err := files.ReadFile(name)
		if err != nil {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text) // an error means that the client has disconnected
	}
}

// render sends a page. With the query parameter "have" it sends 204 instead if
// the browser has exactly this page already.
func (p *Page) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, "the page cannot be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	sum := sha256.Sum256(page.Bytes())
	version := hex.EncodeToString(sum[:8])
	w.Header().Set("X-Version", version)
	if r.FormValue("have") == version {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // an error means that the client has disconnected
}
