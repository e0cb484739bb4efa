package paper

import (
	"fmt"
	"time"

	"khatm/money"
	"khatm/pdfa"
	"khatm/tafqit"
	"khatm/ubl"
)

// Account is a paper about payments: a receipt, credit of a client, a statement or what clients owe. It
// is not a tax document. Keys are those of terms of package codes.
type Account struct {
	Title    string // key
	Number   string // may be empty
	Created  time.Time
	Seller   Party
	Client   *Party // nil if it is about no client or several
	ClientAs string // key of the title above the client
	Facts    []AccountFact
	Tables   []AccountTable
	Sums     []AccountSum // the last one is highlighted and written in words
	InWords  bool
	Notes    []string
	Reversed bool // a receipt or credit that was taken back
	Wide     bool // landscape
}

// receipt is the title of a paper about money received.
const receipt = "payment_receipt"

// Party is the seller or the client.
type Party struct {
	Name, NameArabic, VATNumber, Phone string

	Street, AdditionalStreet, BuildingNumber, PlotIdentification, District, City, Province, PostalCode, Country string

	Arabic ArabicAddress
}

// AccountFact is a labelled text.
type AccountFact struct {
	Key  string
	Word string // key of the text, or
	Text string
}

// AccountTable is a table with a heading.
type AccountTable struct {
	Heading AccountFact
	Columns []AccountColumn
	Rows    []AccountRow
}

// AccountColumn is a column: of amounts, of short texts such as dates, or the one
// column with the remaining width.
type AccountColumn struct {
	Key    string
	Amount bool
	Width  float64 // in points; 0 for the remaining width
}

// AccountRow is a row of a table.
type AccountRow struct {
	Cells  []AccountFact // without labels
	Strong bool
}

// AccountSum is a labelled amount.
type AccountSum struct {
	Key      string
	Amount   money.Decimal
	Currency string
}

// Account renders a paper about payments. Options for tax documents have no effect.
func (p *Press) Account(a Account, o Options) ([]byte, error) {
	if o.Language == "" {
		o.Language = Bilingual
	}
	if o.Language != Bilingual && o.Language != Arabic && o.Language != English {
		return nil, fmt.Errorf("draw a paper: unknown language %q", o.Language)
	}
	c := &content{lang: o.Language, number: a.Number, title: o.Language.word(a.Title), issued: a.Created, account: true, notes: a.Notes}
	if o.Test {
		c.marks = append(c.marks, c.lang.word("mark_test_account"))
	}
	if a.Reversed && a.Title == receipt {
		c.marks = append(c.marks, c.lang.word("mark_reversed"))
	} else if a.Reversed {
		c.marks = append(c.marks, c.lang.word("mark_reversed_credit"))
	}
	c.seller = c.partyOf(a.Seller)
	if a.Client != nil {
		c.buyer = c.partyOf(*a.Client)
	}
	for _, f := range a.Facts {
		c.head = append(c.head, c.fact(c.lang.word(f.Key), c.textOf(f))...)
	}
	for n, s := range a.Sums {
		t := total{c.lang.word(s.Key), c.sumOf(ubl.NewText("", "currencyID", s.Currency), s.Amount.Fixed2())}
		if n < len(a.Sums)-1 {
			c.totals = append(c.totals, t)
			continue
		}
		c.due = t
		if a.InWords {
			c.words = c.lang.say(bound(tafqit.English(s.Amount, s.Currency), " only"), bound(tafqit.Arabic(s.Amount, s.Currency), " لا غير"))
		}
	}
	l := newLayout(p.fonts, c, o)
	l.account(a)
	out, err := l.doc.Bytes()
	if err != nil {
		return nil, fmt.Errorf("draw a paper: %w", err)
	}
	return out, nil
}

// textOf returns the text of a fact or cell.
func (c *content) textOf(f AccountFact) string {
	if f.Word == "" {
		return f.Text
	}
	p := c.lang.word(f.Word)
	return join(" · ", join(" / ", p.main, isolated(p.other)), f.Text)
}

// partyOf returns a party as it is printed on invoices.
func (c *content) partyOf(p Party) *party {
	text := func(s string) *ubl.Text {
		if s == "" {
			return nil
		}
		return ubl.NewText(s)
	}
	name := p.NameArabic
	if name == "" {
		name = p.Name
	}
	u := &ubl.Party{
		LegalEntities: []*ubl.LegalEntity{{RegistrationName: text(name)}},
		PostalAddress: &ubl.Address{
			StreetName: text(p.Street), AdditionalStreetName: text(p.AdditionalStreet), BuildingNumber: text(p.BuildingNumber),
			PlotIdentification: text(p.PlotIdentification), CitySubdivisionName: text(p.District), CityName: text(p.City),
			PostalZone: text(p.PostalCode), CountrySubentity: text(p.Province),
		},
	}
	if p.Country != "" {
		u.PostalAddress.Country = &ubl.Country{IdentificationCode: text(p.Country)}
	}
	out := c.party(u, PartySupplement{Name: p.Name, Address: p.Arabic})
	out.facts = append(out.facts, c.fact(c.lang.word("vat_number"), p.VATNumber)...)
	out.facts = append(out.facts, c.fact(c.lang.word("telephone"), p.Phone)...)
	return out
}

// account draws the paper.
func (l *layout) account(a Account) {
	const margin = 40
	l.look = onA4
	l.width, l.height = pdfa.A4Width, pdfa.A4Height
	if a.Wide {
		l.width, l.height = l.height, l.width
	}
	l.body = frame{margin, l.width - margin, l.c.lang.rightToLeft()}
	l.top, l.bottom = 36, l.height-54
	title := l.doc.Root().Heading(1)
	l.newPage()
	l.letterhead(title)
	l.sheetHead()
	l.accountParties(a)
	for _, t := range a.Tables {
		l.accountTable(t)
	}
	if len(a.Sums) > 0 {
		l.drawClosing(l.closing())
	} else {
		l.drawRemarks(l.remarks(l.body))
	}
	if a.Title == receipt {
		l.signature()
	}
	l.sheetFoot()
}

// accountParties draws the organisation and the client side by side.
func (l *layout) accountParties(a Account) {
	const between = 14
	half := (l.body.width() - between) / 2
	mine := "organisation"
	if a.Title == receipt {
		mine = "received_by"
	}
	seller := l.card(l.body.cut(0, half), mine, l.c.seller)
	other := card{}
	if a.Client != nil {
		other = l.card(l.body.cut(half+between, half), a.ClientAs, l.c.buyer)
	}
	l.keep(max(seller.height(), other.height()))
	y := l.y
	l.drawCard(seller)
	below := l.y
	l.y = y
	l.drawCard(other)
	l.y = max(l.y, below)
	l.gap(4)
}

// accountTable draws a table with its heading.
func (l *layout) accountTable(t AccountTable) {
	k := l.look
	columns := make([]column, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = column{l.c.lang.word(c.Key), short, c.Width}
		if c.Width == 0 {
			columns[i].kind = rest
		} else if c.Amount {
			columns[i].kind = figures
		}
	}
	wide := remaining(l.body, columns) - gutter
	rows := make([][]cell, len(t.Rows))
	for n, r := range t.Rows {
		style := k.styled(k.text, k.ink)
		if r.Strong {
			style = bold(style)
		}
		for i, f := range r.Cells {
			switch {
			case f.Word != "":
				rows[n] = append(rows[n], l.together(wide, "  ·  ", l.c.lang.word(f.Word), style))
			case t.Columns[i].Amount && f.Text != "":
				rows[n] = append(rows[n], cell{{priced(f.Text), style}})
			default:
				rows[n] = append(rows[n], cell{{f.Text, style}})
			}
		}
	}
	g := l.table(l.body, columns, rows, true)
	section := l.doc.Root().Section()
	if len(g.rows) > 0 {
		l.keep(headingHeight + g.headHeight() + g.rows[0].height())
	}
	heading := l.c.lang.word(t.Heading.Key)
	if t.Heading.Text != "" {
		heading.main += " – " + isolated(t.Heading.Text)
	}
	l.headed(section, l.body, heading)
	l.grid(section, g)
	l.gap(10)
}

// signature draws a line to sign on.
func (l *layout) signature() {
	const wide, high = 180, 54
	l.keep(high)
	f := l.body.cut(l.body.width()-wide, wide)
	l.y += high - 16
	l.hairline(f, l.y)
	p := l.c.lang.word("signature")
	style := l.look.styled(l.look.small, l.look.soft)
	l.y = put(l.page.In(l.doc.Root().Paragraph()), f, atCenter, l.y+3, []pdfa.Line{l.line(run{p.joined(" / "), style})})
}
