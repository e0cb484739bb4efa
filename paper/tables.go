package paper

import (
	"slices"

	"khatm/pdfa"
)

// section draws a heading and a table, unless the table has no rows.
func (l *layout) section(key string, g grid) {
	if len(g.rows) == 0 {
		return
	}
	l.keep(headingHeight + g.height())
	if g.head != nil {
		l.keep(headingHeight + g.head.height() + g.rows[0].height())
	}
	section := l.doc.Root().Section()
	l.heading(section, l.body, key)
	l.grid(section, g)
	l.gap(10)
}

// sectionHeight returns the height of a table with its heading, or 0 if the table has
// no rows.
func (l *layout) sectionHeight(g grid) float64 {
	if len(g.rows) == 0 {
		return 0
	}
	return headingHeight + g.height() + 10*l.look.dense
}

// headingHeight is the height of a heading above a table.
const headingHeight = 14.0

// heading draws a heading with both languages beside each other.
func (l *layout) heading(parent *pdfa.Element, f frame, key string) {
	l.headed(parent, f, l.c.lang.word(key))
}

func (l *layout) headed(parent *pdfa.Element, f frame, said phrase) {
	k := l.look
	title := k.runs(said, bold(k.styled(k.text, k.brand)))
	e := parent.Heading(2)
	inner := f.inset(gutter / 2)
	main := l.line(title[0])
	put(l.page.In(e), inner, atStart, l.y, []pdfa.Line{main})
	if len(title) > 1 {
		inner = inner.cut(main.Width()+6, inner.width()-main.Width()-6)
		put(l.page.In(e), inner, atStart, l.y+0.8, []pdfa.Line{l.line(title[1])})
	}
	l.y += headingHeight
}

// named returns the column of the texts that begin the rows of a table. A roll is so
// narrow that they are above the numbers.
func (l *layout) named(key string) column {
	if l.look.wide {
		return column{l.c.lang.word(key), rest, 0}
	}
	return column{l.c.lang.word(key), over, 0}
}

// amounts returns columns of amounts.
func (l *layout) amounts(keys ...string) []column {
	columns := []column{{l.c.lang.word("column_rate"), figures, l.look.rates}}
	for _, key := range keys {
		columns = append(columns, column{l.c.lang.word(key), figures, l.look.sums})
	}
	return columns
}

// breakdown returns the table of the VAT breakdown, with the exemption reasons.
func (l *layout) breakdown(f frame) grid {
	columns := append([]column{l.named("vat_category")}, l.amounts("column_amount", "vat_amount")...)
	figure := l.look.styled(l.look.text, l.look.ink)
	var rows [][]cell
	for _, s := range l.c.breakdown {
		rows = append(rows, []cell{l.category(s, remaining(f, columns)-gutter), {{s.rate, figure}}, {{s.taxable, figure}}, {{s.vat, figure}}})
	}
	return l.table(f, columns, rows, false)
}

// category returns the name of a VAT category, with its code and its reasons, in a
// column of the given width.
func (l *layout) category(s subtotal, width float64) cell {
	k := l.look
	name := s.category
	if name.main == "" {
		name.main = s.code
	} else if s.code != "" {
		name.main += " (" + s.code + ")"
	}
	return append(l.beside(name, width), inStyle(k.styled(k.small, k.soft), s.reasons...)...)
}

// beside returns a phrase with both languages on one line if the paper and the
// column are wide enough, otherwise below each other.
func (l *layout) beside(p phrase, width float64) cell {
	style := l.look.styled(l.look.text, l.look.ink)
	joined := l.together(width, "  ·  ", p, style)
	if !l.look.wide || len(joined) > 1 {
		return l.look.runs(p, style)
	}
	return joined
}

// adjustments returns the table of discounts and charges on the whole document.
func (l *layout) adjustments(f frame) grid {
	columns := append([]column{{l.c.lang.word("reason"), rest, 0}}, l.amounts("amount")...)
	k := l.look
	figure := k.styled(k.text, k.ink)
	var rows [][]cell
	for _, a := range l.c.adjustments {
		rows = append(rows, []cell{
			append(l.beside(a.kind, remaining(f, columns)-gutter), inStyle(k.styled(k.small, k.soft), a.reasons...)...),
			{{a.rate, figure}}, {{a.amount, figure}},
		})
	}
	return l.table(f, columns, rows, false)
}

// advances returns the table of deducted advance payments, with a row for each
// VAT category and a row for their total.
func (l *layout) advances(f frame) grid {
	columns := append([]column{l.named("invoice_number")}, l.amounts("column_net", "vat_amount", "column_total")...)
	k := l.look
	figure := k.styled(k.text, k.ink)
	var rows [][]cell
	add := func(name cell, s subtotal, figure pdfa.Style) {
		rows = append(rows, []cell{name, {{s.rate, figure}}, {{s.taxable, figure}}, {{s.vat, figure}}, {{s.withVAT, figure}}})
	}
	for _, a := range l.c.advances {
		name := cell{{a.number, figure}, {a.date, k.styled(k.small, k.soft)}}
		for _, s := range a.parts {
			add(append(slices.Clone(name), inStyle(k.styled(k.small, k.soft), s.reasons...)...), s, figure)
		}
		if len(a.parts) == 0 {
			add(name, subtotal{}, figure)
		}
	}
	if t := l.c.advanceTotal; t != nil {
		add(cell{l.oneLine(l.c.lang.word("total"), bold(figure))}, *t, bold(figure))
	}
	return l.table(f, columns, rows, false)
}
