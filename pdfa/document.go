package pdfa

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Meta is the metadata of a document. Title and Lang are required. Created is set
// by the caller, so that the same document has the same bytes.
type Meta struct {
	Title    string
	Author   string
	Subject  string
	Creator  string // program that created the content
	Producer string // program that wrote the PDF
	Lang     string // BCP 47 tag of the default language
	Created  time.Time
}

// Document is a PDF under construction. It is not safe for concurrent use.
type Document struct {
	fonts    *Fonts
	meta     Meta
	pages    []*Page
	used     []*usedFont
	images   []*Image
	files    []File
	root     *Element
	elements [][]Element // in blocks, so that pointers to them stay valid
	tables   []*Table
	heading  int // level of the last heading
	err      error
}

// New returns an empty document.
func New(f *Fonts, m Meta) *Document {
	for _, s := range []*string{&m.Title, &m.Author, &m.Subject, &m.Creator, &m.Producer, &m.Lang} {
		*s = cleanString(*s)
	}
	d := &Document{fonts: f, meta: m}
	d.root = d.element()
	*d.root = Element{doc: d, tag: "Document", lang: m.Lang}
	if m.Title == "" || !isLanguageTag(m.Lang) {
		d.fail(errors.New("document has no title or no valid language"))
	}
	return d
}

// Root returns the root of the structure tree.
func (d *Document) Root() *Element { return d.root }

// Fonts returns the fonts that were passed to [New].
func (d *Document) Fonts() *Fonts { return d.fonts }

// AddPage adds a page with the given width and height in points.
func (d *Document) AddPage(width, height float64) *Page {
	p := &Page{doc: d, width: width, height: height, content: make([]byte, 0, 8<<10), stroke: Stroke{Width: 1}}
	p.check()
	d.pages = append(d.pages, p)
	return p
}

// Pages returns the pages added so far.
func (d *Document) Pages() []*Page { return d.pages }

// fail records the first error, which Bytes returns.
func (d *Document) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// element allocates an element.
func (d *Document) element() *Element {
	const block = 64
	n := len(d.elements)
	if n == 0 || len(d.elements[n-1]) == block {
		d.elements = append(d.elements, make([]Element, 0, block))
		n++
	}
	last := &d.elements[n-1]
	*last = append(*last, Element{})
	return &(*last)[len(*last)-1]
}

func (d *Document) useFont(f *face) *usedFont {
	for _, u := range d.used {
		if u.face == f {
			return u
		}
	}
	u := newUsedFont(f, len(d.used))
	d.used = append(d.used, u)
	return u
}

func (d *Document) useImage(i *Image) string {
	for n, known := range d.images {
		if known == i {
			return "I" + strconv.Itoa(n)
		}
	}
	d.images = append(d.images, i)
	return "I" + strconv.Itoa(len(d.images)-1)
}

// Bytes returns the PDF file. If something was drawn or tagged in a way that
// PDF/A-3A or PDF/UA-1 does not allow, it returns the first such error.
func (d *Document) Bytes() ([]byte, error) {
	for _, t := range d.tables {
		if err := t.check(); err != nil {
			d.fail(err)
		}
	}
	if len(d.pages) == 0 {
		d.fail(errors.New("document has no pages"))
	}
	if d.err != nil {
		return nil, fmt.Errorf("write document %q: %w", d.meta.Title, d.err)
	}
	o := newObjects(d.fonts)
	pages := d.writePages(o)
	profile := o.next()
	o.raw(profile, "/N 3/Filter/FlateDecode", d.fonts.profile)
	metadata := o.next()
	o.raw(metadata, "/Type/Metadata/Subtype/XML", d.meta.xmp())
	files := d.writeFiles(o)
	structure := d.writeStructure(o)
	catalog, info := o.next(), o.next()
	o.putf(catalog, "<</Type/Catalog/Pages %d 0 R/Metadata %d 0 R/Lang%s/ViewerPreferences<</DisplayDocTitle true>>"+
		"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB IEC61966-2.1)/DestOutputProfile %d 0 R>>]"+
		"/StructTreeRoot %d 0 R/MarkInfo<</Marked true>>%s>>", pages, metadata, textString(d.meta.Lang), profile, structure, files)
	o.put(info, d.meta.info())
	return o.finish(catalog, info), nil
}

// writePages writes the pages with their fonts and images, and returns the object
// number of the page tree. All pages share one resource dictionary.
func (d *Document) writePages(o *objects) int {
	tree, resources := o.next(), o.next()
	for _, p := range d.pages {
		p.id = o.next()
	}
	var kids, body []byte
	for i, p := range d.pages {
		p.leave()
		content := o.next()
		body = append(body[:0], "1 0 0 1 0 "...) // move the origin to the upper edge
		body = append(number(body, p.height), " cm\n"...)
		o.stream(content, "", append(body, p.content...))
		o.putf(p.id, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Resources %d 0 R/Contents %d 0 R/StructParents %d/Tabs/S>>",
			tree, number(nil, p.width), number(nil, p.height), resources, content, i)
		kids = append(ref(kids, p.id), ' ')
	}
	o.putf(tree, "<</Type/Pages/Kids[%s]/Count %d>>", kids, len(d.pages))
	dict := []byte("<<")
	if len(d.used) > 0 {
		dict = append(dict, "/Font<<"...)
		for _, u := range d.used {
			u.id = o.next()
			dict = fmt.Appendf(dict, "/%s %d 0 R", u.name, u.id)
			u.write(o)
		}
		dict = append(dict, ">>"...)
	}
	if len(d.images) > 0 {
		dict = append(dict, "/XObject<<"...)
		for n, i := range d.images {
			dict = fmt.Appendf(dict, "/I%d %d 0 R", n, i.write(o))
		}
		dict = append(dict, ">>"...)
	}
	o.put(resources, append(dict, ">>"...))
	return tree
}
