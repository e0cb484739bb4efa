// Package render gives invoices out as PDF/A-3: the page, and in it the signed
// document. A PDF is a function of the document, the logo, the form and the
// version of the drawing; it is drawn when it is first asked for, and kept. It
// decides nothing about the invoice and never draws one that is not valid.
package render

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"khatm/paper"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Keeper is where the renderer finds what it draws.
type Keeper interface {
	Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error)
	ArchivedXML(ctx context.Context, of org.Tenant, id uuid.UUID) ([]byte, error)
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
}

// Files is where logos are, and what was drawn is kept.
type Files interface {
	Keep(ctx context.Context, key string, data []byte) error
	Read(ctx context.Context, key string) ([]byte, error)
}

// Config is what a renderer is made of.
type Config struct {
	Keeper Keeper
	Files  Files
	Test   bool // what is issued here is no tax invoice, and every page says so
	Log    *slog.Logger
}

// Renderer draws and keeps PDFs.
type Renderer struct {
	Config
	press func() (*paper.Press, error) // set up when the first is asked for: not every process draws
	turns chan struct{}                // taken while a page is drawn
	logos logos
}

// New makes a renderer.
func New(c Config) *Renderer {
	return &Renderer{Config: c, press: sync.OnceValues(paper.New), turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Form is how an invoice is to be drawn. The zero value is Arabic and English on
// A4.
type Form struct {
	Language string // ar_en, ar or en
	Paper    string // a4 or 80mm
}

// whole is the form with what it leaves open.
func (f Form) whole() Form {
	return Form{Language: cmp.Or(f.Language, string(paper.Bilingual)), Paper: cmp.Or(f.Paper, string(paper.A4))}
}

// PDF is a file to be saved under a name.
type PDF struct {
	Name string
	Data []byte
}

// PDF gives an invoice that the authority has accepted; of any other there is
// none.
func (r *Renderer) PDF(ctx context.Context, of org.Tenant, id uuid.UUID, f Form) (PDF, error) {
	i, err := r.Keeper.Invoice(ctx, of, id)
	if err != nil {
		return PDF{}, err
	}
	if !i.Status.Accepted() {
		return PDF{}, fault.Missing("Invoice PDF")
	}
	xml, err := r.Keeper.ArchivedXML(ctx, of, id)
	if err != nil {
		return PDF{}, err
	}
	seller, err := r.Keeper.Organisation(ctx, of)
	if err != nil {
		return PDF{}, err
	}
	out := PDF{Name: paper.Stem(i.Record.Seller.VATNumber, i.IssueDate, i.IssueTime, i.Number) + ".pdf"}
	f = f.whole()
	key := r.key(of, xml, seller.Logo, f)
	if kept, err := r.Files.Read(ctx, key); err == nil {
		if data, isWhole := unsummed(kept); isWhole {
			out.Data = data
			return out, nil
		}
		r.Log.Warn("a kept PDF is damaged or from before they had digests, and is drawn again", "invoice", id)
	}
	var whole bool
	if out.Data, whole, err = r.draw(ctx, xml, seller.Logo, r.options(f)); err != nil {
		return PDF{}, fmt.Errorf("draw invoice %s: %w", i.Number, err)
	}
	if !whole {
		return out, nil
	}
	// One that cannot be kept is drawn again the next time.
	if err := r.Files.Keep(ctx, key, summed(out.Data)); err != nil {
		r.Log.Error("a PDF could not be kept", "invoice", id, "cause", err.Error())
	}
	return out, nil
}

// summed is a PDF as it is kept, with its SHA-256 after its end.
func summed(pdf []byte) []byte {
	sum := sha256.Sum256(pdf)
	return append(slices.Clip(pdf), sum[:]...)
}

// unsummed is a kept PDF without its SHA-256, and whether that fits.
func unsummed(kept []byte) (pdf []byte, whole bool) {
	if len(kept) < sha256.Size {
		return nil, false
	}
	pdf = kept[:len(kept)-sha256.Size]
	return pdf, sha256.Sum256(pdf) == [sha256.Size]byte(kept[len(pdf):])
}

// key names a PDF by everything that it is made of.
func (r *Renderer) key(of org.Tenant, xml []byte, logo string, f Form) string {
	document := sha256.Sum256(xml)
	whole := sha256.Sum256([]byte(strings.Join([]string{
		string(document[:]), logo, f.Language, f.Paper, fmt.Sprint(r.Test), fmt.Sprint(paper.Version),
	}, "\x00")))
	return "pdf/" + of.ID().String() + "/" + hex.EncodeToString(whole[:]) + ".pdf"
}

// options is how an invoice is drawn in a form.
func (r *Renderer) options(f Form) paper.Options {
	return paper.Options{Language: paper.Language(f.Language), Paper: paper.Paper(f.Paper), Test: r.Test}
}

// draw draws as many pages at a time as there are cores. Without the logo that
// belongs to it a page is not whole.
func (r *Renderer) draw(ctx context.Context, xml []byte, logo string, o paper.Options) (pdf []byte, whole bool, err error) {
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	press, err := r.press()
	if err != nil {
		return nil, false, err
	}
	whole = true
	if logo != "" {
		// An invoice without its logo is better than none.
		if o.Logo, err = r.logo(ctx, press, logo); err != nil {
			r.Log.Error("a logo cannot be drawn", "file", logo, "cause", err.Error())
			whole = false
		}
	}
	pdf, err = press.Draw(xml, o)
	return pdf, whole, err
}

// logos keeps the logos that were used lately: to read one can take longer than
// to draw an invoice.
type logos struct {
	mu   sync.Mutex
	kept map[string]*paper.Logo
}

// mostLogos bounds what is kept. When there are more, all are read anew.
const mostLogos = 64

func (r *Renderer) logo(ctx context.Context, press *paper.Press, key string) (*paper.Logo, error) {
	r.logos.mu.Lock()
	kept := r.logos.kept[key]
	r.logos.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	data, err := r.Files.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	logo, err := press.Logo(data)
	if err != nil {
		return nil, err
	}
	r.logos.mu.Lock()
	defer r.logos.mu.Unlock()
	if r.logos.kept == nil || len(r.logos.kept) >= mostLogos {
		r.logos.kept = map[string]*paper.Logo{}
	}
	r.logos.kept[key] = logo
	return logo, nil
}
