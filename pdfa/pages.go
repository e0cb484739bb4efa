package pdfa

import (
	"context"
	"errors"
	"fmt"
	"image"
)

// PageContent is what [ReadPages] reads from a page with text.
type PageContent struct {
	Number int // from 1
	// Text holds the text of the page: a line for each piece that is positioned
	// separately, as it is drawn. Most producers draw right-to-left letters from
	// left to right, so what is at the same height as such letters follows again
	// in reading order, with a zero width space (U+200B) between the pieces. If
	// there are ligatures, it follows twice, with their text in both orders.
	Text string
	// Pictures holds the images of the page, and drawings that consist of many
	// dark shapes, such as barcodes. All are shades of grey.
	Pictures []*image.Gray
	// Unread is the number of images that are too large or damaged, or have a
	// format that is not read, such as JBIG2 and JPEG 2000.
	Unread int
}

// ReadPages returns the content of the first pages of a PDF that have text. It does
// not render the pages: it ignores clipping, transparency, patterns, annotations
// and the shape of letters. If a limit is exceeded, it returns the pages that it
// could read and ErrLimit.
func ReadPages(ctx context.Context, data []byte, limits Limits) ([]PageContent, error) {
	r, err := open(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	err = r.readCrossReference()
	var pages []PageContent
	if err == nil {
		pages, err = r.pages()
	}
	if err != nil && !errors.Is(err, ErrMalformed) || len(pages) > 0 || err == nil && !r.broken {
		return pages, err
	}
	if rebuilt := r.rebuild(); rebuilt != nil {
		return nil, rebuilt
	}
	return r.pages()
}

// leaf is a page with the resources that it inherits.
type leaf struct {
	dict      pdfDict
	resources any
}

// pages reads the first pages.
func (r *reader) pages() ([]PageContent, error) {
	catalog, err := r.catalog()
	if err != nil {
		return nil, err
	}
	t := &pageTree{r: r, seen: map[int]bool{}}
	if err := t.visit(catalog.get("Pages"), nil, 0); err != nil {
		return nil, err
	}
	doc := &pagesReader{r: r, fonts: map[int]*readFont{}, images: map[int]bool{}}
	var all []PageContent
	for i, l := range t.leaves {
		one, has, err := doc.page(l)
		if has {
			one.Number = i + 1
			all = append(all, one)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// pageTree collects the first pages of a page tree.
type pageTree struct {
	r      *reader
	seen   map[int]bool
	leaves []leaf
}

func (t *pageTree) visit(v, resources any, depth int) error {
	if len(t.leaves) >= t.r.limits.Pages {
		return nil
	}
	if depth > t.r.limits.Depth {
		return fmt.Errorf("%w: tree is too deep", ErrLimit)
	}
	if ref, ok := v.(pdfRef); ok {
		if t.seen[ref.number] {
			return t.r.spend(1)
		}
		t.seen[ref.number] = true
	}
	node, err := t.r.dict(v)
	if err != nil || len(node) == 0 {
		return err
	}
	if own := node.get("Resources"); own != nil {
		resources = own
	}
	if node.get("Kids") == nil {
		t.leaves = append(t.leaves, leaf{node, resources})
		return nil
	}
	kids, err := t.r.array(node.get("Kids"))
	if err != nil {
		return err
	}
	for _, kid := range kids {
		if err := t.visit(kid, resources, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// pagesReader holds what the pages of a document share.
type pagesReader struct {
	r        *reader
	fonts    map[int]*readFont // by object number
	images   map[int]bool      // images that were read, by object number
	mapped   int               // codes in the ToUnicode maps of all fonts
	letters  int               // characters of the text of all pages
	pixels   int
	pictures int
}

// page reads one page. has is false if it has no text.
func (d *pagesReader) page(l leaf) (one PageContent, has bool, err error) {
	data, err := d.contents(l.dict.get("Contents"))
	if err != nil {
		return PageContent{}, false, err
	}
	resources, err := d.r.dict(l.resources)
	if err != nil {
		return PageContent{}, false, err
	}
	p := newInterpreter(d)
	err = p.run(data, resources, 0)
	p.text.flush()
	if !p.text.shown {
		return PageContent{}, false, err
	}
	one.Text = p.text.String()
	if err != nil {
		return one, true, err
	}
	if one.Pictures, err = d.drawings(&p.canvas); err != nil {
		return one, true, err
	}
	return one, true, d.addImages(&one, p.images)
}

// contents returns the decoded content of a page, which is one stream or several.
func (d *pagesReader) contents(v any) ([]byte, error) {
	parts, err := d.r.list(v)
	if err != nil {
		return nil, err
	}
	var all []byte
	for _, part := range parts {
		v, err := d.r.resolve(part)
		if err != nil {
			return nil, err
		}
		s, ok := v.(*pdfStream)
		if !ok {
			continue
		}
		data, err := d.r.decode(s, d.r.limits.Decoded)
		if errors.Is(err, ErrMalformed) {
			d.r.broken = true
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(append(all, data...), '\n')
	}
	return all, nil
}
