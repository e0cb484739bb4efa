package pdfa_test

import (
	"math"
	"strings"
	"testing"

	"khatm/pdfa"
)

func TestInvalidDrawing(t *testing.T) {
	f := testFonts(t)
	meta := pdfa.Meta{Title: "t", Lang: "ar", Created: created}
	line := f.Line(arabic, "نص")
	type draw func(*pdfa.Document, *pdfa.Page)
	cases := map[string]struct {
		draw draw
		want string // part of the error; empty for none
	}{
		"nothing drawn":           {func(*pdfa.Document, *pdfa.Page) {}, ""},
		"first heading deep":      {func(d *pdfa.Document, _ *pdfa.Page) { d.Root().Heading(2) }, "heading"},
		"heading skips level":     {func(d *pdfa.Document, _ *pdfa.Page) { d.Root().Heading(1); d.Root().Heading(3) }, "heading"},
		"heading back to level 1": {func(d *pdfa.Document, _ *pdfa.Page) { d.Root().Heading(1); d.Root().Heading(2); d.Root().Heading(1) }, ""},
		"figure without alt":      {func(d *pdfa.Document, p *pdfa.Page) { d.Root().Figure(p, pdfa.Box{}, " ") }, "alternative"},
		"table without rows":      {func(d *pdfa.Document, _ *pdfa.Page) { d.Root().Table() }, "without rows"},
		"row too short":           {func(d *pdfa.Document, _ *pdfa.Page) { tab := d.Root().Table(); tab.Row().WideCell(2); tab.Row().Cell() }, "columns"},
		"row as wide": {func(d *pdfa.Document, _ *pdfa.Page) {
			tab := d.Root().Table()
			tab.Row().WideCell(2)
			r := tab.Row()
			r.Cell()
			r.Cell()
		}, ""},
		"page too long":   {func(_ *pdfa.Document, p *pdfa.Page) { p.Cut(20_000) }, "page"},
		"page height NaN": {func(_ *pdfa.Document, p *pdfa.Page) { p.Cut(math.NaN()) }, "page"},
		"at NaN":          {func(d *pdfa.Document, p *pdfa.Page) { p.In(d.Root().Paragraph()).Text(line, math.NaN(), 0, pdfa.Left) }, "draw"},
		"at infinity":     {func(_ *pdfa.Document, p *pdfa.Page) { p.Artifact().Rect(pdfa.Box{X: math.Inf(1)}, ink) }, "draw"},
		"in the root":     {func(d *pdfa.Document, p *pdfa.Page) { p.In(d.Root()).Text(line, 0, 0, pdfa.Left) }, "groups"},
		"in a section":    {func(d *pdfa.Document, p *pdfa.Page) { p.In(d.Root().Section()).Rect(pdfa.Box{}, ink) }, "groups"},
		"invalid language": {func(d *pdfa.Document, p *pdfa.Page) {
			p.In(d.Root().Paragraph()).Text(f.Line(pdfa.Style{Size: 8, Lang: "in English"}, "x"), 0, 0, pdfa.Left)
		}, "language"},
		"in no element":       {func(_ *pdfa.Document, p *pdfa.Page) { p.In(nil).Text(line, 0, 0, pdfa.Left) }, "element"},
		"in another document": {func(_ *pdfa.Document, p *pdfa.Page) { p.In(pdfa.New(f, meta).Root()).Rect(pdfa.Box{}, ink) }, "element"},
		"path through NaN": {func(_ *pdfa.Document, p *pdfa.Page) {
			var path pdfa.Path
			path.MoveTo(math.NaN(), 0)
			p.Artifact().Fill(&path, 0, 0, 1, ink)
		}, "path"},
		"file without name": {func(d *pdfa.Document, _ *pdfa.Page) { d.Attach(pdfa.File{MIME: "text/xml"}) }, "without name"},
		"two files with the same name": {func(d *pdfa.Document, _ *pdfa.Page) {
			d.Attach(pdfa.File{Name: "a", MIME: "text/xml"})
			d.Attach(pdfa.File{Name: "a", MIME: "text/xml"})
		}, "two embedded"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := pdfa.New(f, meta)
			c.draw(d, d.AddPage(100, 100))
			_, err := d.Bytes()
			switch {
			case c.want == "" && err != nil:
				t.Errorf("got %v, want no error", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want an error that contains %q", err, c.want)
			}
		})
	}
}

func TestDocumentNeedsTitleLanguageAndPage(t *testing.T) {
	for name, m := range map[string]pdfa.Meta{"title": {Lang: "ar"}, "language": {Title: "t"}} {
		d := pdfa.New(testFonts(t), m)
		d.AddPage(100, 100)
		if _, err := d.Bytes(); err == nil {
			t.Errorf("Bytes of a document without %s succeeded, want an error", name)
		}
	}
	if _, err := pdfa.New(testFonts(t), pdfa.Meta{Title: "t", Lang: "ar"}).Bytes(); err == nil {
		t.Error("Bytes of a document without pages succeeded, want an error")
	}
}
