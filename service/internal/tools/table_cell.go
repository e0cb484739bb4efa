package tools

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"khatm/money"
)

// harmless returns a text that spreadsheets do not read as a formula. Some ignore
// invisible characters before the sign that begins a formula.
func harmless(text string) string {
	seen := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) })
	if beginsWith(seen, "=+-@＝＋－＠") || beginsWith(text, "\t\r\n") {
		return "'" + text
	}
	return text
}

// beginsWith reports whether a text begins with one of the signs.
func beginsWith(text, signs string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(signs, first)
}

// twoPlaces returns a number with at least two decimal places.
func twoPlaces(d money.Decimal) string {
	if d.Places() > 2 {
		return d.String()
	}
	return d.Fixed2()
}

func (in *Invoice) buyer() invoiceBuyer {
	if in.Buyer == nil {
		return invoiceBuyer{}
	}
	return *in.Buyer
}

func (id invoiceID) text() string { return strings.TrimSpace(id.Scheme + " " + id.Value) }

func (a invoiceAddress) text() string {
	parts := []string{a.BuildingNumber, a.Street, a.AdditionalStreet, a.Plot, a.District, a.City, a.PostalCode, a.Province, a.Country}
	return joined(parts, ", ")
}

// listed returns a list as the text of one cell.
func listed[T any](list []T, text func(T) string) string { return joined(each(list, text), "; ") }

// joined joins the parts that are not empty.
func joined(parts []string, by string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, by)
}
