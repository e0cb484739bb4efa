package tools

import (
	"strings"

	"khatm/money"
)

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
