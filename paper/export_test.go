package paper

import (
	"fmt"
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
	if c.mark != nil {
		say("mark", *c.mark)
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
		say("adjustment", a.kind, strings.Join(a.reasons, " ¶ "), a.tax, a.amount)
	}
	for _, a := range c.advances {
		for _, s := range a.parts {
			say("advance", a.number, a.date, s.code, s.rate, s.taxable, s.vat, strings.Join(s.reasons, " ¶ "))
		}
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
