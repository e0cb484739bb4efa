// Package render produces the PDF/A-3 files of invoices, with the signed XML
// embedded. A PDF depends only on the document, the logo, the form and the
// version of the layout; it is drawn on first use and then stored. Accepted
// invoices have one, and simplified invoices from the moment they are issued.
package render

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/paper"
	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Keeper provides the invoices to draw.
type Keeper interface {
	Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error)
	ArchivedXML(ctx context.Context, of org.Tenant, id uuid.UUID) ([]byte, error)
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
}

// Files stores logos and finished PDFs.
type Files interface {
	Keep(ctx context.Context, key string, data []byte) error
	Read(ctx context.Context, key string) ([]byte, error)
}

// Config configures a Renderer.
type Config struct {
	Keeper Keeper
	Files  Files
	Test   func() bool // mark every page as not being a tax invoice
	Log    *slog.Logger

	Capacity *capacity.Limits // nil for no limits
}

// Renderer draws and stores PDFs.
type Renderer struct {
	Config
	press func() (*paper.Press, error) // created on first use: not every process draws
	logos logos
}

// New returns a Renderer.
func New(c Config) *Renderer {
	return &Renderer{Config: c, press: sync.OnceValues(paper.New)}
}

// Form selects how an invoice is drawn. The zero value is bilingual on A4.
type Form struct {
	Language string // ar_en, ar or en
	Paper    string // a4 or 80mm
}

// whole returns the form with defaults filled in.
func (f Form) whole() Form {
	return Form{Language: cmp.Or(f.Language, string(paper.Bilingual)), Paper: cmp.Or(f.Paper, string(paper.A4))}
}

// PDF is a PDF file with its name.
type PDF struct {
	Name string
	Data []byte
}

// PDF returns the PDF of an accepted invoice. For any other invoice it returns a
// not-found error.
func (r *Renderer) PDF(ctx context.Context, of org.Tenant, id uuid.UUID, f Form) (PDF, error) {
	return r.pdf(ctx, of, id, f, func(i ledger.Invoice) bool { return i.Status.Accepted() })
}

// Printed returns the PDF of an accepted invoice, and of a simplified one that
// the authority has not answered: a simplified invoice is valid when it is
// issued, so its receipt can be printed while the authority is unavailable. For
// any other invoice it returns a not-found error.
func (r *Renderer) Printed(ctx context.Context, of org.Tenant, id uuid.UUID, f Form) (PDF, error) {
	return r.pdf(ctx, of, id, f, ledger.Invoice.Printable)
}

func (r *Renderer) pdf(ctx context.Context, of org.Tenant, id uuid.UUID, f Form, allowed func(ledger.Invoice) bool) (PDF, error) {
	job, err := r.Capacity.ProcessBriefly(ctx, capacity.WholeInvoice)
	if err != nil {
		return PDF{}, err
	}
	defer job.End()
	ctx = job.Context(ctx)
	xml, err := r.Keeper.ArchivedXML(ctx, of, id)
	if err != nil {
		return PDF{}, err
	}
	if len(xml) > briefXML {
		if err := job.Enlarge(ctx, drawMemory(xml)); err != nil {
			return PDF{}, err
		}
	}
	i, err := r.Keeper.Invoice(ctx, of, id)
	if err != nil {
		return PDF{}, err
	}
	if !allowed(i) {
		return PDF{}, fault.Missing("Invoice PDF")
	}
	seller, err := r.Keeper.Organisation(ctx, of)
	if err != nil {
		return PDF{}, err
	}
	out := PDF{Name: paper.Stem(i.Record.Seller.VATNumber, i.IssueDate, i.IssueTime, i.Number) + ".pdf"}
	f = f.whole()
	options := r.options(f, i)
	key, err := r.key(of, xml, seller.Logo, f, options.Supplement)
	if err != nil {
		return PDF{}, err
	}
	if kept, err := r.Files.Read(ctx, key); err == nil {
		if data, isWhole := unsummed(kept); isWhole {
			out.Data = data
			return out, nil
		}
		r.Log.Warn("a stored PDF is damaged or has no digest; drawing it again", "invoice", id)
	}
	var whole bool
	if out.Data, whole, err = r.draw(ctx, xml, seller.Logo, options); err != nil {
		return PDF{}, fmt.Errorf("draw invoice %s: %w", i.Number, err)
	}
	if !whole {
		return out, nil
	}
	// If it cannot be stored, it is drawn again next time.
	if err := r.Files.Keep(ctx, key, summed(out.Data)); err != nil {
		r.Log.Error("a PDF could not be stored", "invoice", id, "cause", err.Error())
	}
	return out, nil
}

// summed returns a PDF with its SHA-256 appended.
func summed(pdf []byte) []byte {
	sum := sha256.Sum256(pdf)
	return append(slices.Clip(pdf), sum[:]...)
}

// unsummed returns a stored PDF without its SHA-256, and reports whether the
// SHA-256 matches.
func unsummed(kept []byte) (pdf []byte, whole bool) {
	if len(kept) < sha256.Size {
		return nil, false
	}
	pdf = kept[:len(kept)-sha256.Size]
	return pdf, sha256.Sum256(pdf) == [sha256.Size]byte(kept[len(pdf):])
}

// key returns the storage key of a PDF, a digest of everything it depends on.
func (r *Renderer) key(of org.Tenant, xml []byte, logo string, f Form, s paper.Supplement) (string, error) {
	document := sha256.Sum256(xml)
	supplement, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("encode the supplement: %w", err)
	}
	whole := sha256.Sum256([]byte(strings.Join([]string{
		string(document[:]), logo, f.Language, f.Paper, fmt.Sprint(r.Test()), fmt.Sprint(paper.Version), string(supplement),
	}, "\x00")))
	return "pdf/" + of.ID().String() + "/" + hex.EncodeToString(whole[:]) + ".pdf", nil
}

// options returns the drawing options of a form and an invoice.
func (r *Renderer) options(f Form, i ledger.Invoice) paper.Options {
	return paper.Options{Language: paper.Language(f.Language), Paper: paper.Paper(f.Paper), Test: r.Test(), Supplement: supplement(i)}
}

// Memory that drawing needs, in bytes.
const (
	pageMemory = 4 << 20 // for any document
	xmlMemory  = 12      // for each byte of its XML
)

// briefXML is the size in bytes of a document that is drawn in about ten
// milliseconds.
const briefXML = 32 << 10

func drawMemory(xml []byte) int64 { return pageMemory + xmlMemory*int64(len(xml)) }

// draw draws a document. whole is false if the logo could not be drawn.
func (r *Renderer) draw(ctx context.Context, xml []byte, logo string, o paper.Options) (pdf []byte, whole bool, err error) {
	begin := r.Capacity.Process
	if len(xml) <= briefXML {
		begin = r.Capacity.ProcessBriefly
	}
	job, err := begin(ctx, drawMemory(xml))
	if err != nil {
		return nil, false, err
	}
	defer job.End()
	press, err := r.press()
	if err != nil {
		return nil, false, err
	}
	whole = true
	if logo != "" {
		// An invoice without its logo is better than no invoice.
		if o.Logo, err = r.logo(ctx, press, logo); err != nil {
			r.Log.Error("a logo cannot be drawn", "file", logo, "cause", err.Error())
			whole = false
		}
	}
	pdf, err = press.Draw(xml, o)
	return pdf, whole, err
}

// logos caches recently used logos: reading one can take longer than drawing an
// invoice.
type logos struct {
	mu   sync.Mutex
	kept map[string]*paper.Logo
}

// mostLogos is the capacity of the cache. When it is full, it is emptied.
const mostLogos = 64

// logoTime limits the time to read a logo, which may be in S3, because other work waits
// meanwhile.
const logoTime = 2 * time.Second

func (r *Renderer) logo(ctx context.Context, press *paper.Press, key string) (*paper.Logo, error) {
	r.logos.mu.Lock()
	kept := r.logos.kept[key]
	r.logos.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	short, cancel := context.WithTimeout(ctx, logoTime)
	defer cancel()
	data, err := r.Files.Read(short, key)
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
