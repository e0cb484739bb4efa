package pdfa

import (
	"fmt"
	"strconv"
	"strings"
)

// Element is a node of the structure tree: what a reader who does not see the
// page is told. Its methods make the elements that may stand inside it.
type Element struct {
	doc    *Document
	parent *Element
	tag    string
	lang   string
	alt    string
	attrs  string
	box    *Box // of a figure
	page   *Page
	kids   []kid
	id     int
}

// kid is a child element, or a piece of marked content.
type kid struct {
	element *Element
	page    *Page
	mark    int
}

// Box is a rectangle on a page, in points from its left and upper edge.
type Box struct{ X, Y, W, H float64 }

// Table is a table in the structure tree.
type Table struct {
	e    *Element
	rows []*Row
}

// Row is a row of a table.
type Row struct {
	e     *Element
	cells int
}

// Scope says which cells a head cell speaks for.
type Scope string

// The scopes of a head cell.
const (
	ColumnHead Scope = "Column"
	RowHead    Scope = "Row"
)

func (e *Element) child(tag string) *Element {
	c := e.doc.element()
	*c = Element{doc: e.doc, parent: e, tag: tag}
	e.kids = append(e.kids, kid{element: c})
	return c
}

// Section groups elements; nothing is drawn in it directly.
func (e *Element) Section() *Element { return e.child("Sect") }

// Heading is a heading of level 1 to 6. The first of a document has level 1,
// and a level may be only one deeper than the heading before it.
func (e *Element) Heading(level int) *Element {
	d := e.doc
	if level < 1 || level > 6 || level > d.heading+1 {
		d.fail(fmt.Errorf("heading of level %d after one of level %d", level, d.heading))
		level = max(1, min(level, 6))
	}
	d.heading = level
	return e.child("H" + strconv.Itoa(level))
}

// Paragraph is a paragraph.
func (e *Element) Paragraph() *Element { return e.child("P") }

// Span is a part of a paragraph, a heading or a cell.
func (e *Element) Span() *Element { return e.child("Span") }

// Figure is a drawing or an image. Alt says in words what it shows.
func (e *Element) Figure(page *Page, box Box, alt string) *Element {
	f := e.child("Figure")
	if f.alt = cleanString(alt); f.alt == "" {
		e.doc.fail(fmt.Errorf("figure without alternative text"))
	}
	f.box, f.page = &box, page
	return f
}

// Table is a table. All its rows must be equally wide.
func (e *Element) Table() *Table {
	t := &Table{e: e.child("Table")}
	e.doc.tables = append(e.doc.tables, t)
	return t
}

// Row begins a new row.
func (t *Table) Row() *Row {
	r := &Row{e: t.e.child("TR")}
	t.rows = append(t.rows, r)
	return r
}

// Head is the next cell of a row, one that names a column or a row.
func (r *Row) Head(s Scope) *Element { return r.WideHead(s, 1) }

// Cell is the next cell of a row.
func (r *Row) Cell() *Element { return r.WideCell(1) }

// WideHead is a head cell over some columns.
func (r *Row) WideHead(s Scope, columns int) *Element {
	return r.cell("TH", "/Scope/"+string(s), columns)
}

// WideCell is a cell over some columns.
func (r *Row) WideCell(columns int) *Element { return r.cell("TD", "", columns) }

func (r *Row) cell(tag, attrs string, columns int) *Element {
	c := r.e.child(tag)
	if columns < 1 {
		r.e.doc.fail(fmt.Errorf("table cell over %d columns", columns))
	}
	if columns > 1 {
		attrs += "/ColSpan " + strconv.Itoa(columns)
	}
	if attrs != "" {
		c.attrs = "/O/Table" + attrs
	}
	r.cells += columns
	return c
}

// check finds a table that readers could not walk through.
func (t *Table) check() error {
	if len(t.rows) == 0 {
		return fmt.Errorf("table without rows")
	}
	for i, r := range t.rows {
		if r.cells != t.rows[0].cells || r.cells == 0 {
			return fmt.Errorf("row %d of a table has %d columns, the first has %d", i+1, r.cells, t.rows[0].cells)
		}
	}
	return nil
}

// language is the language that content of the element has if nothing is said.
func (e *Element) language() string {
	for ; e != nil; e = e.parent {
		if e.lang != "" {
			return e.lang
		}
	}
	return ""
}

// speak settles the language of the element if a text is the first thing in it.
func (e *Element) speak(lang string) {
	if lang == e.language() {
		return
	}
	if !isLanguageTag(lang) {
		e.doc.fail(fmt.Errorf("language %q", lang))
	}
	if len(e.kids) == 0 && e.lang == "" {
		e.lang = lang
	}
}

// isLanguageTag looks at the form of a BCP 47 tag, not at its meaning.
func isLanguageTag(s string) bool {
	for i, part := range strings.Split(s, "-") {
		for _, c := range part {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
				return false
			}
		}
		if n := len(part); n > 8 || n < 1 || i == 0 && n < 2 {
			return false
		}
	}
	return true
}

// isGroup says that an element holds elements and no content of its own.
func (e *Element) isGroup() bool { return e.tag == "Document" || e.tag == "Sect" }
