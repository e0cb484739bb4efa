package paper

import "khatm/pdfa"

// rollCells is the number of cells of a line on a roll: name, quantity and price,
// rate, total.
const rollCells = 4

// rollLines draws the table of lines. The roll is narrow, so the name is above the
// numbers of its line.
func (l *layout) rollLines() {
	k := l.look
	word := l.c.lang.word
	columns := []column{
		{phrase{
			join(" × ", word("quantity").main, word("unit_price").main),
			join(" × ", word("quantity").other, word("unit_price").other),
		}, rest, 0},
		{word("column_rate"), figures, k.rates},
		{word("total"), figures, k.sums + 14},
	}
	figure := k.styled(k.text, k.ink)
	small := k.styled(k.small, k.ink)
	rows := make([][]cell, len(l.c.lines))
	for i, n := range l.c.lines {
		rows[i] = []cell{l.quantityAndPrice(n), {{n.rate, figure}}, {{n.withVAT, bold(figure)}}}
		if n.withVAT == "" {
			rows[i][2] = cell{{n.net, bold(figure)}}
		}
	}
	g := l.table(l.body, columns, rows, false)
	table := l.doc.Root().Table()
	head := elements(table.Row(), rollCells, func(r *pdfa.Row, _ int) *pdfa.Element { return r.Head(pdfa.ColumnHead) })
	name := row{slots: []slot{{frame: l.body, lines: l.wrap(l.body.width()-gutter, run{join("  ·  ", word("item").main, word("item").other), bold(k.styled(k.small, k.ink))})}}}
	again := func() {}
	l.row(name, head, again)
	g.head.pad = 1
	l.row(*g.head, head[1:], again)
	for i, n := range l.c.lines {
		cells := elements(table.Row(), rollCells, func(r *pdfa.Row, _ int) *pdfa.Element { return r.Cell() })
		l.hairline(l.body, l.y)
		l.y += 3
		text := append(k.runs(n.name, bold(figure)), l.details(n, l.body.width()-gutter, small)...)
		if !l.c.simplified {
			text = append(text, l.split(n)...)
		}
		name := row{slots: []slot{{frame: l.body, lines: l.wrap(l.body.width()-gutter, text...)}}}
		l.keep(name.height() + g.rows[i].height())
		l.row(name, cells, again)
		g.rows[i].pad, g.rows[i].rule = 1, false
		l.row(g.rows[i], cells[1:], again)
	}
}

// quantityAndPrice returns the quantity and the unit price of a line.
func (l *layout) quantityAndPrice(n line) cell {
	price := n.price
	if n.base != "" {
		price += " " + l.c.lang.word("per").main + " " + n.base
	}
	return cell{{join(" × ", join(" ", isolated(n.quantity), n.unit.main), isolated(price)), l.look.styled(l.look.text, l.look.ink)}}
}

// split returns the net amount and the VAT of a line, which buyers of standard
// invoices need.
func (l *layout) split(n line) []run {
	style := l.look.styled(l.look.small, l.look.ink)
	if l.c.lang == Bilingual {
		style.Size = l.look.tiny // otherwise the amount does not fit beside its label
	}
	var runs []run
	for _, f := range []struct{ key, amount string }{{"subtotal_excluding_vat", n.net}, {"vat_amount", n.vat}} {
		if f.amount != "" {
			runs = append(runs, l.together(l.body.width()-gutter, " / ", l.c.lang.word(f.key).with(f.amount), style)...)
		}
	}
	return runs
}
