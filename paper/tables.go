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
	l.y += 10
}

// headingHeight is the height of a heading above a table.
const headingHeight = 14.0

// heading draws a heading with both languages beside each other.
func (l *layout) heading(parent *pdfa.Element, f frame, key string) {
	k := l.look
	title := k.runs(l.c.lang.word(key), bold(k.styled(k.text, k.brand)))
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

// breakdown returns the table of the VAT breakdown, with the exemption reasons.
func (l *layout) breakdown(f frame) grid {
	word := l.c.lang.word
	columns := []column{
		{word("vat_category"), rest, 0}, {word("column_rate"), figures, l.look.rates}, {word("column_taxable"), figures, l.look.sums}, {word("vat_amount"), figures, l.look.sums},
	}
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
	word := l.c.lang.word
	columns := []column{{word("reason"), rest, 0}, {word("column_rate"), figures, l.look.rates}, {word("amount"), figures, l.look.sums}}
	k := l.look
	figure := k.styled(k.text, k.ink)
	var rows [][]cell
	for _, a := range l.c.adjustments {
		rows = append(rows, []cell{
			append(l.beside(a.kind, remaining(f, columns)-gutter), inStyle(k.styled(k.small, k.soft), a.reasons...)...),
			{{a.tax, figure}}, {{a.amount, figure}},
		})
	}
	return l.table(f, columns, rows, false)
}

// advances returns the table of deducted advance payments, with a row for each
// VAT category.
func (l *layout) advances(f frame) grid {
	word := l.c.lang.word
	columns := []column{
		{word("invoice_number"), rest, 0}, {word("column_rate"), figures, l.look.rates}, {word("column_taxable"), figures, l.look.sums}, {word("vat_amount"), figures, l.look.sums},
	}
	k := l.look
	figure := k.styled(k.text, k.ink)
	var rows [][]cell
	for _, a := range l.c.advances {
		name := cell{{a.number, figure}, {a.date, k.styled(k.small, k.soft)}}
		for _, s := range a.parts {
			rows = append(rows, []cell{
				append(slices.Clone(name), inStyle(k.styled(k.small, k.soft), s.reasons...)...),
				{{s.rate, figure}}, {{s.taxable, figure}}, {{s.vat, figure}},
			})
		}
		if len(a.parts) == 0 {
			rows = append(rows, []cell{name, nil, nil, nil})
		}
	}
	return l.table(f, columns, rows, false)
}
