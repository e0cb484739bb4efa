// Package guest serves shared links: pages and public endpoints on which people
// view an invoice or a draft, download its PDF, and approve or decline the draft. The pages
// are in Arabic and English, work without scripts and set no cookies. Package
// share decides what may be seen and done.
package guest

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/render"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Links opens links and handles the approval of drafts.
type Links interface {
	Find(ctx context.Context, token string) (share.Link, error)
	Open(ctx context.Context, token string) (share.View, error)
	AskCode(ctx context.Context, token string, from share.From) (share.Asked, error)
	Approve(ctx context.Context, token, name, code string, from share.From) (share.Approval, error)
	Decline(ctx context.Context, token, name, code, comment string, from share.From) (share.Decline, error)
}

// Renderer renders documents as PDF.
type Renderer interface {
	PDF(ctx context.Context, of org.Tenant, invoice uuid.UUID, f render.Form) (render.PDF, error)
	Draft(ctx context.Context, of org.Tenant, shown ledger.Invoice, xml []byte, f render.Form) (render.PDF, error)
}

// Frame registers the pages and counts their visitors.
type Frame interface {
	Page(method, path, name string, page http.Handler)
	Spend(ctx context.Context, h http.Header, a wire.Allowance, subject string) error
	CountAddress(w http.ResponseWriter, r *http.Request) error
	Origin(r *http.Request) (address, request string)
	Blame(r *http.Request, cause error)
}

// Config configures the pages and the endpoints.
type Config struct {
	Links    Links
	Renderer Renderer
	Frame    Frame          // used by the pages only
	URL      string         // public base URL of the service, without a trailing slash
	Link     wire.Allowance // allowance of calls per link, shared by its page and its endpoints
	Mail     bool           // e-mails are sent by a mail server; otherwise the sender passes them on
	Test     func() bool    // documents issued here are not tax invoices, and every page says so

	Capacity *capacity.Limits // for reading documents; nil for no limits
}

// pdf renders the document of a link.
func (c Config) pdf(ctx context.Context, v share.View) (render.PDF, error) {
	if v.Draft != nil {
		return c.Renderer.Draft(ctx, v.Of, v.Draft.Shown.Invoice, v.Draft.Shown.XML, render.Form{})
	}
	return c.Renderer.PDF(ctx, v.Of, v.Issued.ID, render.Form{})
}

// Pages serves the HTML pages of shared links.
type Pages struct {
	Config
	design
}

// design is what all pages share. It depends on nothing but this program.
type design struct {
	templates *template.Template
	refusals  map[string][]byte // error pages by their key in ownWords
	style     template.CSS
	policy    string
}

// Base is the path of the pages. The token follows.
const Base = "/s/"

//go:embed *.html page.css
var files embed.FS

// New returns the pages. It fails if a template cannot be parsed.
func New(c Config) (*Pages, error) {
	made, err := designed()
	if err != nil {
		return nil, err
	}
	return &Pages{Config: c, design: made}, nil
}

// designed returns the design. Parsing the templates takes longer than the rest of New.
var designed = sync.OnceValues(func() (design, error) {
	templates, err := template.ParseFS(files, "*.html")
	if err != nil {
		return design{}, fmt.Errorf("parse the page templates: %w", err)
	}
	style, err := files.ReadFile("page.css")
	if err != nil {
		return design{}, fmt.Errorf("read page.css: %w", err)
	}
	drawn, err := refusals(templates, template.CSS(style))
	if err != nil {
		return design{}, err
	}
	digest := sha256.Sum256(style)
	return design{
		templates: templates, refusals: drawn, style: template.CSS(style),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) +
			"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	}, nil
})

// Mount registers the pages.
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
		{http.MethodGet, "{token}/code", "ask-link-code", p.redirectToPage},
		{http.MethodPost, "{token}/approve", "approve-link", p.approve},
		{http.MethodGet, "{token}/approve", "approve-link", p.redirectToPage},
		{http.MethodPost, "{token}/decline", "decline-link", p.decline},
		{http.MethodGet, "{token}/decline", "decline-link", p.redirectToPage},
		{http.MethodGet, "*", "no-link", p.unknownPath},
		{http.MethodHead, "*", "no-link", p.unknownPath},
		{http.MethodPost, "*", "no-link", p.unknownPath},
	} {
		page := p.guarded(row.page)
		if row.method == http.MethodPost && row.path != "*" {
			page = p.received(page)
		}
		p.Frame.Page(row.method, Base+row.path, row.name, p.private(page))
	}
}

// private adds headers that keep the link and the page private.
func (p *Pages) private(page http.HandlerFunc) http.Handler {
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
