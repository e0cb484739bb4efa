package paper

import (
	"slices"

	"khatm/pdfa"
)

// rollLines returns the table of lines. The roll is narrow, so the name is above the
// numbers of its line.
func (l *layout) rollLines() grid {
	k := l.look
	word := l.c.lang.word
	columns := []column{
		{word("item"), over, 0},
		{l.quantityHead(), rest, 0},
		{word("column_rate"), figures, k.rates},
		{word(l.lineTotal()), figures, k.sums + 20},
	}
	figure := k.styled(k.text, k.ink)
	small := k.styled(k.small, k.ink)
	rows := make([][]cell, len(l.c.lines))
	for i, n := range l.c.lines {
		text := slices.Concat(k.runs(n.name, bold(figure)), l.rollPrice(n, small), inStyle(small, n.details...))
		if !l.c.simplified {
			text = append(text, l.split(n)...)
		}
		total := n.withVAT
		if total == "" {
			total = n.net
		}
		rows[i] = []cell{text, l.quantityAndPrice(n), {{n.rate, figure}}, {{total, bold(figure)}}}
	}
	return l.table(l.body, columns, rows, false)
}

// lineTotal returns the key of the head of the lines' totals. A document of another
// program may lack totals with VAT; its lines have the net amounts instead.
func (l *layout) lineTotal() string {
	if slices.ContainsFunc(l.c.lines, func(n line) bool { return n.withVAT == "" }) {
		return "total"
	}
	return "line_total"
}

// mixed reports whether some but not all lines have a price including VAT.
func (l *layout) mixed() bool {
	gross := 0
	for _, n := range l.c.lines {
		if n.gross != "" {
			gross++
		}
	}
	return gross > 0 && gross < len(l.c.lines)
}

// quantityHead returns the head of quantities and prices, which says whether the
// prices include VAT.
func (l *layout) quantityHead() phrase {
	price := "price_net"
	switch {
	case l.mixed():
		price = "unit_price"
	case len(l.c.lines) > 0 && l.c.lines[0].gross != "":
		price = "price_gross"
	}
	quantity, unit := l.c.lang.word("quantity"), l.c.lang.word(price)
	return phrase{join(" × ", quantity.main, unit.main), join(" × ", quantity.other, unit.other)}
}

// rollPrice returns the price before VAT of a line whose price includes VAT. If there
// are prices of both kinds, it also says of which kind the printed price is.
func (l *layout) rollPrice(n line, s pdfa.Style) []run {
	said := func(key, price string) []run {
		return l.together(l.body.width()-gutter, " / ", l.c.lang.word(key).with(price), s)
	}
	switch {
	case n.gross != "" && l.mixed():
		return append(said("unit_price_including_vat", n.gross), said("net_unit_price", n.price)...)
	case n.gross != "" || l.mixed():
		return said("net_unit_price", n.price)
	}
	return nil
}

// quantityAndPrice returns the quantity and the unit price of a line, including VAT if
// that is the price of the item.
func (l *layout) quantityAndPrice(n line) cell {
	price := n.price
	if n.base != "" {
		price += " " + l.c.lang.word("per").main + " " + n.base
	}
	if n.gross != "" {
		price = n.gross
	}
	return cell{{join(" ×\u00A0", join(" ", isolated(n.quantity), n.unit.main), isolated(price)), l.look.styled(l.look.text, l.look.ink)}}
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
