package paper

import (
	"fmt"
	"math"
	"strings"

	"khatm/pdfa"
	"khatm/ubl"
)

// Said returns the texts of a page, one fact per line, for tests.
func Said(document []byte, o Options) (string, error) {
	inv, err := ubl.Read(document)
	if err != nil {
		return "", err
	}
	c, err := newContent(inv, o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	say := func(key string, parts ...any) {
		fmt.Fprintf(&b, "%s:", key)
		for _, p := range parts {
			switch p := p.(type) {
			case phrase:
				fmt.Fprintf(&b, " [%s]", join(" / ", p.main, p.other))
			default:
				fmt.Fprintf(&b, " [%v]", p)
			}
		}
		b.WriteByte('\n')
	}
	say("file", c.stem)
	say("title", c.title)
	for _, t := range c.traits {
		say("trait", t)
	}
	for _, mark := range c.marks {
		say("mark", mark)
	}
	say("code", c.symbol != nil)
	facts := func(key string, list []fact) {
		for _, f := range list {
			say(key, f.label, strings.Join(f.text, " ¶ "))
		}
	}
	facts("fact", c.facts())
	facts("uuid", c.uuid)
	sayParty(say, facts, "seller", c.seller)
	sayParty(say, facts, "buyer", c.buyer)
	c.sayTables(say)
	if c.words != (phrase{}) {
		say("words", c.words)
	}
	facts("payment", c.payment)
	for _, n := range c.notes {
		say("note", n)
	}
	facts("trail", c.trail)
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(b.String()), nil
}

func sayParty(say func(string, ...any), facts func(string, []fact), key string, p *party) {
	if p == nil {
		return
	}
	say(key, p.name, p.address)
	for _, t := range p.trade {
		say(key, t)
	}
	facts(key, p.facts)
}

func (c *content) sayTables(say func(string, ...any)) {
	for _, l := range c.lines {
		say("line", l.id, l.name, l.quantity, l.unit.main, l.price, l.base, l.category, l.rate, l.withVAT)
		say("unit", l.unit.other)
		say("split", l.net, l.vat)
		if l.gross != "" {
			say("gross", c.lang.word("unit_price_including_vat"), l.gross)
		}
		for _, d := range l.details {
			say("detail", d)
		}
	}
	for _, a := range c.adjustments {
		say("adjustment", a.kind, strings.Join(a.reasons, " ¶ "), a.rate, a.amount)
	}
	for _, a := range c.advances {
		for _, s := range a.parts {
			say("advance", a.number, a.date, s.code, s.rate, s.taxable, s.vat, s.withVAT, strings.Join(s.reasons, " ¶ "))
		}
	}
	if s := c.advanceTotal; s != nil {
		say("advances", s.taxable, s.vat, s.withVAT)
	}
	for _, s := range c.breakdown {
		say("vat", s.category, s.code, s.rate, s.taxable, s.vat, strings.Join(s.reasons, " ¶ "))
	}
	for _, t := range append(c.totals, c.due) {
		say("total", t.label, t.sum)
	}
}

// Columns lays out the table of lines of a document on A4. It returns the widths of
// its columns, the number of lines of each head, and the texts that are wider than
// their columns.
func (p *Press) Columns(document []byte, o Options) (widths []float64, heads []int, tooWide []string, err error) {
	inv, err := ubl.Read(document)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := newContent(inv, o)
	if err != nil {
		return nil, nil, nil, err
	}
	l := newLayout(p.fonts, c, o)
	l.look, l.body = onA4, frame{40, pdfa.A4Width - 40, c.lang.rightToLeft()}
	g := l.sheetLines()
	for _, s := range g.head.slots {
		widths, heads = append(widths, s.frame.width()), append(heads, len(s.lines))
	}
	for i, r := range append([]row{*g.head}, g.rows...) {
		for _, s := range r.slots {
			for _, line := range s.lines {
				if line.Width() > s.frame.width()-gutter+0.01 {
					tooWide = append(tooWide, fmt.Sprintf("row %d, column %d", i, s.cell))
				}
			}
		}
	}
	return widths, heads, tooWide, nil
}

// Figures lays out the tables of a document. It returns the font sizes of the numbers in
// each row, and the smallest font size of any text.
func (p *Press) Figures(document []byte, o Options) (rows [][]float64, smallest float64, err error) {
	inv, err := ubl.Read(document)
	if err != nil {
		return nil, 0, err
	}
	c, err := newContent(inv, o)
	if err != nil {
		return nil, 0, err
	}
	l := newLayout(p.fonts, c, o)
	var grids []grid
	if o.Paper == Roll80 {
		l.look, l.body = onRoll, frame{12, 215, c.lang.rightToLeft()}
		grids = append(grids, l.rollLines())
	} else {
		l.look, l.body = onA4, frame{40, pdfa.A4Width - 40, c.lang.rightToLeft()}
		grids = append(grids, l.sheetLines())
	}
	grids = append(grids, l.adjustments(l.body), l.advances(l.body), l.breakdown(l.body), l.sums(l.body, c.totals, c.due))
	smallest = l.look.title
	for _, g := range grids {
		if g.head != nil {
			_, least := sizesOf(*g.head)
			smallest = min(smallest, least)
		}
		for _, r := range g.rows {
			sizes, least := sizesOf(r)
			rows, smallest = append(rows, sizes), min(smallest, least)
		}
	}
	return rows, smallest, nil
}

// sizesOf returns the font sizes of the numbers of a row, and its smallest font size.
func sizesOf(r row) (numbers []float64, smallest float64) {
	smallest = math.Inf(1)
	for _, s := range r.slots {
		for i, line := range s.lines {
			smallest = min(smallest, line.Style().Size)
			if i == 0 && s.side == atRight {
				numbers = append(numbers, line.Style().Size)
			}
		}
	}
	return numbers, smallest
}
