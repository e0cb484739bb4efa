package paper

import (
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/tafqit"
	"khatm/ubl"
)

// Supplement holds texts that are printed besides those of the document: what the
// seller recorded about the parties and items in the other language when the
// document was issued, and what the seller wants printed. It never replaces an
// amount, a number or a date of the document.
type Supplement struct {
	Seller, Buyer PartySupplement
	Items         []string // names of the items in Arabic, one for each line; empty if it has no Arabic name
	AmountInWords bool     // print the payable amount in words
	IBAN          string   // account for payments; not printed on credit notes
	Phone         string   // telephone number of the seller
	DueDate       string   // date until which the document is payable; not printed on credit notes
}

// PartySupplement is the name of a party in Latin letters and its address in
// Arabic. Empty texts are not printed.
type PartySupplement struct {
	Name    string
	Address ArabicAddress
}

// ArabicAddress holds the parts of an address that have a form in Arabic. A part
// that is empty is printed as in the document.
type ArabicAddress struct {
	Street, AdditionalStreet, District, City, Province string
}

// both returns a text of the document and its form in the other language, as they
// are printed on the page: the Arabic text first, or the Latin one on an English
// page. With one language only, it returns the text in that language.
func (l Language) both(arabic, latin string) phrase {
	switch l {
	case Arabic:
		return phrase{main: arabic}
	case English:
		return phrase{main: latin}
	}
	return phrase{arabic, latin}
}

// addPartyName adds the Latin name of a party that the document names in Arabic. On
// an English page the name in the document, which is the legal one, remains.
func (c *content) addPartyName(name phrase, latin string) phrase {
	if latin == "" || name.other != "" || !hasRTL(name.main) || hasRTL(latin) {
		return name
	}
	switch c.lang {
	case Bilingual:
		return phrase{name.main, latin}
	case English:
		return phrase{latin, name.main}
	}
	return name
}

// addItems adds the Arabic names of items that the document names in Latin letters.
func (c *content) addItems(names []string) {
	for i, name := range names {
		if i < len(c.lines) && name != "" {
			if own := c.lines[i].name; own.other == "" && !hasRTL(own.main) {
				c.lines[i].name = c.lang.both(name, own.main)
			}
		}
	}
}

// inArabic returns the address with its Arabic parts, and false if there are none or
// the address of the document is in Arabic.
func inArabic(a *ubl.Address, s ArabicAddress) (*ubl.Address, bool) {
	if s == (ArabicAddress{}) || a == nil {
		return nil, false
	}
	copied := *a
	for _, part := range []struct {
		into   **ubl.Text
		arabic string
	}{
		{&copied.StreetName, s.Street}, {&copied.AdditionalStreetName, s.AdditionalStreet}, {&copied.CitySubdivisionName, s.District},
		{&copied.CityName, s.City}, {&copied.CountrySubentity, s.Province},
	} {
		if hasRTL((*part.into).String()) {
			return nil, false
		}
		if part.arabic != "" {
			*part.into = &ubl.Text{Value: part.arabic}
		}
	}
	return &copied, true
}

// addSupplement adds what the seller wants printed to the content.
func (c *content) addSupplement(s Supplement, inv *ubl.Invoice, kind int) {
	c.addItems(s.Items)
	if s.Phone != "" && c.seller != nil {
		c.seller.facts = append(c.seller.facts, c.fact(c.lang.word("telephone"), s.Phone)...)
	}
	if kind != codes.CreditNote {
		if inv.DueDate.String() == "" {
			c.head = c.add(c.head, "due_date", s.DueDate)
		}
		c.addIBAN(s.IBAN)
	}
	if s.AmountInWords && inv.MonetaryTotal != nil {
		c.words = c.amountInWords(inv.MonetaryTotal.PayableAmount)
	}
}

// addIBAN adds the account for payments. One label for both languages leaves room
// for the number on one line.
func (c *content) addIBAN(iban string) {
	if iban != "" {
		label := c.lang.word("iban")
		c.payment = append(c.payment, fact{label: phrase{main: join(" ", label.main, label.other)}, text: []string{spaced(iban)}, whole: true})
	}
}

// amountInWords returns an amount in words, in the languages of the page.
func (c *content) amountInWords(t *ubl.Text) phrase {
	amount, err := money.Parse(t.String())
	if err != nil {
		return phrase{}
	}
	code := t.Attr("currencyID")
	if code == "" {
		code = c.currency
	}
	return c.lang.say(bound(tafqit.English(amount, code), " only"), bound(tafqit.Arabic(amount, code), " لا غير"))
}

// bound returns a text with no-break spaces in its ending, so that the ending is never
// alone on a line.
func bound(text, ending string) string {
	if before, found := strings.CutSuffix(text, ending); found {
		return before + strings.ReplaceAll(ending, " ", "\u00A0")
	}
	return text
}

// spaced returns an IBAN in groups of four, as it is written on paper.
func spaced(iban string) string {
	text := ""
	for i, r := range iban {
		if i > 0 && i%4 == 0 {
			text += " "
		}
		text += string(r)
	}
	return text
}
