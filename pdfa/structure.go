package pdfa

import (
	"fmt"
	"strconv"
	"strings"
)

// Element is a node of the structure tree, which assistive technology reads.
// Its methods add child elements and return them.
type Element struct {
	doc    *Document
	parent *Element
	tag    string
	lang   string
	alt    string
	attrs  string
	box    *Box // bounding box of a figure
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

// Box is a rectangle on a page, in points from the left and upper edge.
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

// Scope is the scope of a table header cell.
type Scope string

// The scopes of a header cell.
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

// Section adds a section, which groups elements. Do not draw in it directly.
func (e *Element) Section() *Element { return e.child("Sect") }

// Heading adds a heading of level 1 to 6. The first heading of a document must have
// level 1, and a level may be at most one deeper than the heading before it.
func (e *Element) Heading(level int) *Element {
	d := e.doc
	if level < 1 || level > 6 || level > d.heading+1 {
		d.fail(fmt.Errorf("heading of level %d after a heading of level %d", level, d.heading))
		level = max(1, min(level, 6))
	}
	d.heading = level
	return e.child("H" + strconv.Itoa(level))
}

// Paragraph adds a paragraph.
func (e *Element) Paragraph() *Element { return e.child("P") }

// Span adds a part of a paragraph, a heading or a cell.
func (e *Element) Span() *Element { return e.child("Span") }

// Figure adds a drawing or an image. alt is the alternative text and is required.
func (e *Element) Figure(page *Page, box Box, alt string) *Element {
	f := e.child("Figure")
	if f.alt = cleanString(alt); f.alt == "" {
		e.doc.fail(fmt.Errorf("figure without alternative text"))
	}
	f.box, f.page = &box, page
	return f
}

// Table adds a table. All rows must have the same number of columns.
func (e *Element) Table() *Table {
	t := &Table{e: e.child("Table")}
	e.doc.tables = append(e.doc.tables, t)
	return t
}

// Row adds a row.
func (t *Table) Row() *Row {
	r := &Row{e: t.e.child("TR")}
	t.rows = append(t.rows, r)
	return r
}

// Head adds a header cell for a column or a row.
func (r *Row) Head(s Scope) *Element { return r.WideHead(s, 1) }

// Cell adds a cell.
func (r *Row) Cell() *Element { return r.WideCell(1) }

// WideHead adds a header cell that spans several columns.
func (r *Row) WideHead(s Scope, columns int) *Element {
	return r.cell("TH", "/Scope/"+string(s), columns)
}

// WideCell adds a cell that spans several columns.
func (r *Row) WideCell(columns int) *Element { return r.cell("TD", "", columns) }

func (r *Row) cell(tag, attrs string, columns int) *Element {
	c := r.e.child(tag)
	if columns < 1 {
		r.e.doc.fail(fmt.Errorf("table cell spans %d columns, want at least 1", columns))
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

// check returns an error if the table is empty or its rows have different numbers
// of columns.
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

// language returns the language of the element, which may be inherited.
func (e *Element) language() string {
	for ; e != nil; e = e.parent {
		if e.lang != "" {
			return e.lang
		}
	}
	return ""
}

// setLanguage sets the language of the element if it has no content and no
// language yet.
func (e *Element) setLanguage(lang string) {
	if lang == e.language() {
		return
	}
	if !isLanguageTag(lang) {
		e.doc.fail(fmt.Errorf("language %q is not a BCP 47 tag", lang))
	}
	if len(e.kids) == 0 && e.lang == "" {
		e.lang = lang
	}
}

// isLanguageTag reports whether s has the form of a BCP 47 tag.
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

// isGroup reports whether the element may contain only other elements.
func (e *Element) isGroup() bool { return e.tag == "Document" || e.tag == "Sect" }
