package paper

import (
	"fmt"

	"khatm/pdfa"
	"khatm/ubl"
)

// Version counts the changes of the drawing: the same document, logo and
// options give the same bytes as long as it stays.
const Version = 1

// Language says in which languages the page is written. What the document says
// in words of its own is printed in any case.
type Language string

// The languages. The zero value is Bilingual: Arabic first, English beside it.
const (
	Bilingual Language = "ar_en"
	Arabic    Language = "ar"
	English   Language = "en"
)

// Paper is what is printed on.
type Paper string

// The papers. The zero value is A4. Roll80 is the roll of a till, 80 mm wide:
// one page as long as it needs to be.
const (
	A4     Paper = "a4"
	Roll80 Paper = "80mm"
)

// Options say how a document is drawn.
type Options struct {
	Language Language
	Paper    Paper
	Logo     *Logo // of the seller; may be nil

	// Test marks each page as a test that is no tax invoice.
	Test bool
	// Draft marks each page as a draft; the QR code, the time of issue and the
	// identifier are left out, and the document is not embedded.
	Draft bool
}

// Press draws documents. One serves the whole process and any number of
// goroutines.
type Press struct{ fonts *pdfa.Fonts }

// cacheBytes is the memory for words that were shaped before.
const cacheBytes = 8 << 20

// New makes a press; it reads the fonts, which takes some milliseconds.
func New() (*Press, error) {
	fonts, err := pdfa.NewFonts(cacheBytes)
	if err != nil {
		return nil, fmt.Errorf("set up the press: %w", err)
	}
	return &Press{fonts}, nil
}

// Logo is a seller's logo, ready to be printed on any number of documents.
type Logo struct{ image *pdfa.Image }

// Logo reads a PNG or JPEG image.
func (p *Press) Logo(data []byte) (*Logo, error) {
	image, err := p.fonts.DecodeImage(data)
	if err != nil {
		return nil, fmt.Errorf("read a logo: %w", err)
	}
	return &Logo{image}, nil
}

// Draw draws a document and embeds it, byte for byte. The error is that of
// [ubl.Read], or says what cannot be drawn.
func (p *Press) Draw(document []byte, o Options) ([]byte, error) {
	if o.Language == "" {
		o.Language = Bilingual
	}
	if o.Paper == "" {
		o.Paper = A4
	}
	if o.Language != Bilingual && o.Language != Arabic && o.Language != English {
		return nil, fmt.Errorf("draw an invoice: no language %q", o.Language)
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
		l.sheet()
	case Roll80:
		l.roll()
	default:
		return nil, fmt.Errorf("draw an invoice: no paper %q", o.Paper)
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
