// Package guest serves people with a link: they look at an invoice or a draft,
// download its PDF, and approve the draft, on pages or through endpoints. The
// pages are in Arabic and in English, need no script, and set no cookie. What
// may be seen and done is for [share] to decide; here it is only said.
package guest

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/render"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Links is what a link opens, and what can be done with it.
type Links interface {
	Find(ctx context.Context, token string) (share.Link, error)
	Open(ctx context.Context, token string) (share.View, error)
	AskCode(ctx context.Context, token string, from share.From) (share.Asked, error)
	Approve(ctx context.Context, token, name, code string, from share.From) (share.Approval, error)
}

// Renderer gives documents out as PDFs.
type Renderer interface {
	PDF(ctx context.Context, of org.Tenant, invoice uuid.UUID, f render.Form) (render.PDF, error)
	Draft(ctx context.Context, of org.Tenant, xml []byte, f render.Form) (render.PDF, error)
}

// Frame is where the pages stand, and who counts their callers.
type Frame interface {
	Page(method, path, name string, page http.Handler)
	Spend(ctx context.Context, h http.Header, a wire.Allowance, subject string) error
	CountAddress(w http.ResponseWriter, r *http.Request) error
	Origin(r *http.Request) (address, request string)
	Blame(r *http.Request, cause error)
}

// Config is what the pages and the endpoints are made of.
type Config struct {
	Links    Links
	Renderer Renderer
	Frame    Frame          // of the pages
	URL      string         // where this service is reached, without a slash at the end
	Link     wire.Allowance // of calls on one link, on its page and at its endpoints together
	Mail     bool           // letters are handed to a mail server; without one they wait for the sender
	Test     bool           // what is issued here is no tax invoice, and every page says so
}

// pdf draws what a link shows.
func (c Config) pdf(ctx context.Context, v share.View) (render.PDF, error) {
	if v.Draft != nil {
		return c.Renderer.Draft(ctx, v.Of, v.Draft.Shown.XML, render.Form{})
	}
	return c.Renderer.PDF(ctx, v.Of, v.Issued.ID, render.Form{})
}

// Pages are the pages of links.
type Pages struct {
	Config
	templates *template.Template
	refusals  map[string][]byte // pages that show nothing, by what they say
	style     template.CSS
	policy    string
}

// Base is where the pages stand: a token follows.
const Base = "/s/"

//go:embed *.html page.css
var files embed.FS

// New reads the pages.
func New(c Config) (*Pages, error) {
	templates, err := template.ParseFS(files, "*.html")
	if err != nil {
		return nil, fmt.Errorf("read the pages of links: %w", err)
	}
	style, err := files.ReadFile("page.css")
	if err != nil {
		return nil, fmt.Errorf("read the style of the pages of links: %w", err)
	}
	drawn, err := refusals(templates, template.CSS(style))
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(style)
	return &Pages{
		Config: c, templates: templates, refusals: drawn, style: template.CSS(style),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) +
			"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	}, nil
}

// Mount puts the pages into the frame.
func (p *Pages) Mount() {
	for _, row := range []struct {
		method, path, name string
		page               http.HandlerFunc
	}{
		{http.MethodGet, "{token}", "show-link", p.show},
		{http.MethodHead, "{token}", "show-link", p.show},
		{http.MethodGet, "{token}/pdf", "download-link", p.download},
		{http.MethodHead, "{token}/pdf", "download-link", p.download},
		{http.MethodPost, "{token}/code", "ask-link-code", p.askCode},
		{http.MethodGet, "{token}/code", "ask-link-code", p.elsewhere},
		{http.MethodPost, "{token}/approve", "approve-link", p.approve},
		{http.MethodGet, "{token}/approve", "approve-link", p.elsewhere},
		{http.MethodGet, "*", "no-link", p.nothing},
		{http.MethodHead, "*", "no-link", p.nothing},
		{http.MethodPost, "*", "no-link", p.nothing},
	} {
		p.Frame.Page(row.method, Base+row.path, row.name, p.guarded(row.page))
	}
}

// guarded puts the headers on a page that keep the link to whoever has it.
func (p *Pages) guarded(page http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", p.policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Vary", "Accept-Language")
		page(w, r)
	})
}
