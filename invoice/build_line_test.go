package invoice_test

import (
	"testing"

	"khatm/invoice"
	"khatm/money"
)

// TestAdvanceLineHasACategoryOfTheDocument checks the category of the line that deducts
// an advance: the first category of the advance that the document has, otherwise the
// first of the document.
func TestAdvanceLineHasACategoryOfTheDocument(t *testing.T) {
	rows := func(categories ...string) (all []invoice.Subtotal) {
		for _, c := range categories {
			all = append(all, invoice.Subtotal{Tax: invoice.Tax{Category: c, Rate: money.FromInt(int64(len(all)))}})
		}
		return all
	}
	for _, c := range []struct {
		name         string
		own, advance []invoice.Subtotal
		want, rate   string
	}{
		{"same category", rows("S"), rows("S"), "S", "0.00"},
		{"second category of both", rows("Z", "S"), rows("E", "S", "Z"), "S", "1.00"},
		{"no common category", rows("Z", "S"), rows("E", "O"), "Z", "0.00"},
		{"advance without breakdown", rows("Z", "S"), nil, "Z", "0.00"},
		{"document without lines", nil, rows("S"), "", "0.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &invoice.Document{Facts: invoice.Facts{Advances: []invoice.Advance{{Number: "A", Breakdown: c.advance}}}, Breakdown: c.own}
			got := d.UBLUnchecked(invoice.Identity{}).Lines[0].Item.TaxCategories[0]
			if got.ID.String() != c.want || got.Percent.String() != c.rate {
				t.Errorf("advance line has %s at %s, want %s at %s", got.ID, got.Percent, c.want, c.rate)
			}
		})
	}
}
