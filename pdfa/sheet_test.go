package pdfa_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"khatm/pdfa"
)

// sheet is a bilingual page with a table, similar to an invoice, that the tests draw.
type sheet struct {
	seller, buyer string
	items         [][2]string // Arabic, English
	logo          *pdfa.Image
	receipt       bool // 80 mm wide, one page
	xml           []byte
}

var (
	ink   = pdfa.Color{R: 0x1f, G: 0x29, B: 0x37}
	grey  = pdfa.Color{R: 0x6b, G: 0x72, B: 0x80}
	brand = pdfa.Color{R: 0x0f, G: 0x4c, B: 0x5c}
	pale  = pdfa.Color{R: 0xee, G: 0xf3, B: 0xf5}
	white = pdfa.Color{R: 255, G: 255, B: 255}

	arabic  = pdfa.Style{Size: 8, Color: ink, Base: pdfa.RTL, Lang: "ar"}
	english = pdfa.Style{Size: 7, Color: grey, Lang: "en"}
	digits  = pdfa.Style{Size: 7.5, Color: ink, Lang: "ar"}
)

var created = time.Date(2026, 11, 15, 11, 5, 22, 0, time.UTC)

// sharedFonts are loaded once for all tests.
var sharedFonts = sync.OnceValues(func() (*pdfa.Fonts, error) { return pdfa.NewFonts(8 << 20) })

func testFonts(tb testing.TB) *pdfa.Fonts {
	tb.Helper()
	f, err := sharedFonts()
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func (s sheet) draw(tb testing.TB, f *pdfa.Fonts) []byte {
	tb.Helper()
	p := &press{sheet: s, fonts: f, margin: 36, width: pdfa.A4Width, height: pdfa.A4Height}
	if s.receipt {
		p.margin, p.width, p.height = 8, 80*pdfa.Millimetre, 14000
	}
	p.doc = pdfa.New(f, pdfa.Meta{Title: "فاتورة ضريبية INV-2026-000123", Author: s.seller, Creator: "tests", Producer: "khatm", Lang: "ar", Created: created})
	p.print()
	out, err := p.doc.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// press draws a sheet from top to bottom.
type press struct {
	sheet
	fonts                 *pdfa.Fonts
	doc                   *pdfa.Document
	page                  *pdfa.Page
	margin, width, height float64
	y                     float64
}

func (p *press) print() {
	p.newPage()
	p.head()
	p.party("البائع", "Seller", p.seller)
	p.party("المشتري", "Buyer", p.buyer)
	p.table()
	p.totals()
	p.notes()
	if p.receipt {
		p.page.Cut(p.y + 20)
	}
	for i, page := range p.doc.Pages() {
		foot := page.Pagination()
		y := page.Height() - 14
		foot.Text(p.fonts.Line(arabic, fmt.Sprintf("صفحة %d من %d", i+1, len(p.doc.Pages()))), p.width-p.margin, y, pdfa.Right)
		foot.Text(p.fonts.Line(english, fmt.Sprintf("Page %d of %d", i+1, len(p.doc.Pages()))), p.margin, y, pdfa.Left)
	}
	p.doc.Attach(pdfa.File{Name: "310122393500003_20261115T140522_INV-2026-000123.xml", Description: "UBL 2.1", MIME: "text/xml", Relationship: pdfa.Alternative, Data: p.xml})
}

func (p *press) newPage() {
	p.page = p.doc.AddPage(p.width, p.height)
	p.y = p.margin
}

func (p *press) head() {
	root := p.doc.Root()
	title := arabic
	title.Size, title.Bold, title.Color = 20, true, brand
	h := root.Heading(1)
	p.page.In(h).Text(p.fonts.Line(title, "فاتورة ضريبية"), p.width-p.margin, p.y+20, pdfa.Right)
	title.Size, title.Base, title.Lang, title.Color = 13, pdfa.LTR, "en", grey
	p.page.In(h).Text(p.fonts.Line(title, "Tax Invoice"), p.width-p.margin, p.y+38, pdfa.Right)
	var symbol pdfa.Path
	symbol.Matrix(57, func(x, y int) bool { return (x*7+y*13+x*y)%3 == 0 })
	box := pdfa.Box{X: p.margin, Y: p.y, W: 70, H: 70}
	p.page.In(root.Figure(p.page, box, "رمز الاستجابة السريعة")).Fill(&symbol, box.X, box.Y, 70.0/57, ink)
	if p.logo != nil {
		box = pdfa.Box{X: p.margin + 90, Y: p.y, W: 40, H: 40}
		p.page.In(root.Figure(p.page, box, "شعار البائع")).Image(p.logo, box)
	}
	p.y += 84
}

func (p *press) party(ar, en, name string) {
	section := p.doc.Root().Section()
	var back pdfa.Path
	back.RoundRect(pdfa.Box{W: p.width - 2*p.margin, H: 16}, 3)
	p.page.Artifact().Fill(&back, p.margin, p.y, 1, pale)
	label := arabic
	label.Bold, label.Color = true, brand
	h := p.page.In(section.Heading(2))
	h.Text(p.fonts.Line(label, ar), p.width-p.margin-6, p.y+11, pdfa.Right)
	label.Base, label.Lang = pdfa.LTR, "en"
	h.Text(p.fonts.Line(label, en), p.margin+6, p.y+11, pdfa.Left)
	p.y += 28
	body := section.Paragraph()
	for _, l := range p.fonts.Wrap(arabic, name, p.width-2*p.margin-12) {
		if p.y > p.height-60 {
			p.newPage()
		}
		p.page.In(body).Text(l, p.width-p.margin-6, p.y, pdfa.Right)
		p.y += 12
	}
	p.y += 6
}

// columns are the columns of the table from right to left: their share of the width and
// their headings.
var columns = []struct {
	share  float64
	ar, en string
}{{0.06, "م", "#"}, {0.52, "وصف السلعة أو الخدمة", "Description"}, {0.12, "الكمية", "Qty"}, {0.14, "الضريبة", "VAT"}, {0.16, "الإجمالي", "Total"}}

func (p *press) tableHead(table *pdfa.Table) {
	wide := p.width - 2*p.margin
	p.page.Artifact().Rect(pdfa.Box{X: p.margin, Y: p.y, W: wide, H: 24}, brand)
	var row *pdfa.Row
	if table != nil {
		row = table.Row()
	}
	ar, en := arabic, english
	ar.Bold, ar.Color, en.Color = true, white, white
	x := p.width - p.margin
	for _, c := range columns {
		canvas := p.page.Pagination()
		if row != nil {
			canvas = p.page.In(row.Head(pdfa.ColumnHead))
		}
		mid := x - c.share*wide/2
		canvas.Text(p.fonts.Line(ar, c.ar), mid, p.y+10, pdfa.Center)
		canvas.Text(p.fonts.Line(en, c.en), mid, p.y+20, pdfa.Center)
		x -= c.share * wide
	}
	p.y += 24
}

func (p *press) table() {
	table := p.doc.Root().Table()
	p.tableHead(table)
	for i, item := range p.items {
		wide := p.width - 2*p.margin
		ar := p.fonts.Wrap(arabic, item[0], columns[1].share*wide-6)
		en := p.fonts.Wrap(english, item[1], columns[1].share*wide-6)
		h := 6 + 11*float64(len(ar)+len(en))
		if p.y+h > p.height-50 {
			p.newPage()
			p.tableHead(nil)
		}
		p.page.Artifact().Line(p.margin, p.y+h, p.width-p.margin, p.y+h, pdfa.Stroke{Width: 0.5, Color: pale})
		row := table.Row()
		x := p.width - p.margin
		for j, c := range columns {
			cell := p.page.In(row.Cell())
			if j == 1 {
				for k, l := range append(ar, en...) {
					cell.Text(l, x-3, p.y+11+11*float64(k), pdfa.Right)
				}
			} else {
				cell.Text(p.fonts.Line(digits, value(i, j)), x-c.share*wide/2, p.y+11, pdfa.Center)
			}
			x -= c.share * wide
		}
		p.y += h
	}
}

func value(i, j int) string {
	switch j {
	case 0:
		return fmt.Sprint(i + 1)
	case 2:
		return fmt.Sprint(1 + i*7%9)
	}
	return fmt.Sprintf("%d,%03d.%02d", 1+i%9, i*97%1000, (i*13+j)%100)
}

func (p *press) totals() {
	if p.y > p.height-120 {
		p.newPage()
	}
	p.y += 18
	table := p.doc.Root().Table()
	for _, r := range [][3]string{{"الإجمالي (غير شامل الضريبة)", "Total (excl. VAT)", "24,318.50 \u20C1"}, {"المبلغ المستحق", "Amount due", "27,943.78 SAR"}} {
		row := table.Row()
		head := p.page.In(row.Head(pdfa.RowHead))
		head.Text(p.fonts.Line(arabic, r[0]), p.width-p.margin, p.y, pdfa.Right)
		head.Text(p.fonts.Line(english, r[1]), p.width/2, p.y, pdfa.Center)
		p.page.In(row.Cell()).Text(p.fonts.Line(digits, r[2]), p.margin, p.y, pdfa.Left)
		p.y += 14
	}
}

func (p *press) notes() {
	p.page.Artifact().Line(p.margin, p.y, p.width-p.margin, p.y, pdfa.Stroke{Width: 0.6, Dash: 2, Color: grey})
	p.y += 14
	for _, n := range []struct {
		style pdfa.Style
		text  string
	}{
		{arabic, "ملاحظة: يُستحق الدفع خلال 30 يومًا من تاريخ الفاتورة، ويُرجى ذكر رقم الفاتورة INV-2026-000123 عند التحويل (IBAN: SA03 8000 0000 6080 1016 7519)."},
		{english, "Note: payment is due within 30 days of the invoice date; please quote the number. السلام عليكم (thank you)."},
	} {
		e := p.doc.Root().Paragraph()
		for _, l := range p.fonts.Wrap(n.style, n.text, p.width-2*p.margin) {
			x, align := p.width-p.margin, pdfa.Right
			if n.style.Base == pdfa.LTR {
				x, align = p.margin, pdfa.Left
			}
			p.page.In(e).Text(l, x, p.y, align)
			p.y += 12
		}
	}
}
