package paper

import (
	"fmt"

	"khatm/pdfa"
	"khatm/ubl"
)

// Version is the version of the rendering. Within one version, the same
// document, logo and options give the same bytes.
const Version = 4

// Language selects the languages of the labels on the page. Texts of the
// document itself are always printed as they are.
type Language string

// The languages. The zero value means Bilingual: Arabic first, then English.
const (
	Bilingual Language = "ar_en"
	Arabic    Language = "ar"
	English   Language = "en"
)

// Paper is a paper size.
type Paper string

// The paper sizes. The zero value means A4. Roll80 is a receipt roll, 80 mm wide
// and as long as necessary.
const (
	A4     Paper = "a4"
	Roll80 Paper = "80mm"
)

// Options control how a document is rendered.
type Options struct {
	Language Language
	Paper    Paper
	Logo     *Logo // logo of the seller; may be nil

	// Test marks each page as a test that is not a tax invoice.
	Test bool
	// Draft marks each page as a draft. The QR code, the time of issue and the
	// UUID are omitted, and the document is not embedded.
	Draft bool

	// Supplement is printed besides the document; the zero value adds nothing.
	Supplement Supplement
}

// Press renders documents. It is safe for concurrent use; one Press suffices for
// the whole process.
type Press struct{ fonts *pdfa.Fonts }

// cacheBytes is the size of the cache of shaped words.
const cacheBytes = 8 << 20

// New returns a Press. It loads the fonts, which takes a few milliseconds.
func New() (*Press, error) {
	fonts, err := pdfa.NewFonts(cacheBytes)
	if err != nil {
		return nil, fmt.Errorf("load the fonts: %w", err)
	}
	return &Press{fonts}, nil
}

// Logo is a seller's logo, decoded by [Press.Logo]. It can be used in any
// number of documents.
type Logo struct{ image *pdfa.Image }

// Logo decodes a PNG or JPEG image.
func (p *Press) Logo(data []byte) (*Logo, error) {
	image, err := p.fonts.DecodeImage(data)
	if err != nil {
		return nil, fmt.Errorf("read a logo: %w", err)
	}
	return &Logo{image}, nil
}

// Draw renders a UBL document and embeds it unchanged. It returns an error if
// [ubl.Read] does, or if the options or the document type are unknown.
func (p *Press) Draw(document []byte, o Options) ([]byte, error) {
	if o.Language == "" {
		o.Language = Bilingual
	}
	if o.Paper == "" {
		o.Paper = A4
	}
	if o.Language != Bilingual && o.Language != Arabic && o.Language != English {
		return nil, fmt.Errorf("draw an invoice: unknown language %q", o.Language)
	}
	inv, err := ubl.Read(document)
	if err != nil {
		return nil, fmt.Errorf("draw an invoice: %w", err)
	}
	c, err := newContent(inv, o)
	if err != nil {
		return nil, fmt.Errorf("draw invoice %s: %w", inv.ID, err)
	}
	l := newLayout(p.fonts, c, o)
	switch o.Paper {
	case A4:
		l = p.sheet(c, o)
	case Roll80:
		l.roll()
	default:
		return nil, fmt.Errorf("draw an invoice: unknown paper %q", o.Paper)
	}
	if !o.Draft {
		l.doc.Attach(pdfa.File{
			Name:         c.stem + ".xml",
			Description:  c.heading(),
			MIME:         "text/xml",
			Relationship: pdfa.Alternative,
			Data:         document,
		})
	}
	out, err := l.doc.Bytes()
	if err != nil {
		return nil, fmt.Errorf("draw invoice %s: %w", inv.ID, err)
	}
	return out, nil
}
