package rules_test

import (
	"strings"
	"testing"

	"khatm/rules"
	"khatm/ubl"
)

// resultOf returns the result of one rule.
func resultOf(t *testing.T, inv *ubl.Invoice, id string) rules.Result {
	t.Helper()
	for _, r := range rules.Check(inv, checked) {
		if r.Rule.ID == id {
			return r
		}
	}
	t.Fatalf("there is no rule %s", id)
	return rules.Result{}
}

// TestFindings compares the number of faults with the number of findings, which
// is that of the official sheets.
func TestFindings(t *testing.T) {
	cases := []struct {
		id            string
		from          func(testing.TB) *ubl.Invoice
		change        func(*ubl.Invoice)
		places, count int
		want          string // of the first finding
	}{
		{"BR-KSA-88", foreign, func(inv *ubl.Invoice) { inv.TaxExchangeRate.SourceCurrencyCode.Value = "EUR" }, 1, 3, "USD"},
		{"BR-KSA-88", foreign, func(inv *ubl.Invoice) {
			inv.TaxExchangeRate.SourceCurrencyCode.Value, inv.TaxCurrencyCode = "EUR", nil
		}, 1, 2, "USD"},
		{"BR-KSA-39", standard, func(inv *ubl.Invoice) { inv.Supplier.Party.TaxSchemes = nil }, 2, 1,
			"a VAT number; also at /Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cac:TaxScheme/cbc:ID"},
		{"BR-KSA-09", standard, func(inv *ubl.Invoice) { inv.Supplier.Party.PostalAddress.CityName = nil }, 1, 1, "an element"},
	}
	for _, c := range cases {
		inv := c.from(t)
		c.change(inv)
		r := resultOf(t, inv, c.id)
		found := r.Findings()
		if len(r.Places) != c.places || r.Count != c.count || len(found) != c.count {
			t.Errorf("%s: %d places, count %d, %d findings, want %d, %d and as many findings", c.id, len(r.Places), r.Count, len(found), c.places, c.count)
			continue
		}
		if f := found[0]; f.ID != c.id || f.Flag != r.Rule.Flag || f.Path != r.Places[0].Path || f.Want != c.want {
			t.Errorf("%s: the first finding is %+v, want %q", c.id, f, c.want)
		}
	}
}

// Thousands of faults, each reported at thousands of elements, are counted but not
// listed.
func TestFindingsAreBounded(t *testing.T) {
	inv := standard(t)
	for range 3000 {
		line := *inv.Lines[0]
		item := *line.Item
		item.TaxCategories = []*ubl.TaxCategory{{ID: ubl.NewText("S"), Percent: ubl.NewText("7"), TaxScheme: &ubl.Identification{ID: ubl.NewText("VAT")}}}
		line.Item, line.TaxTotals = &item, nil
		inv.Lines = append(inv.Lines, &line)
	}
	for _, c := range []struct {
		id    string
		least int
	}{{"BR-KSA-84", 9_000_000}, {"BR-KSA-52", 1}} {
		r := resultOf(t, inv, c.id)
		found := r.Findings()
		if r.Count < c.least || len(r.Places) != 100 || len(found) > 100 || len(found) == 0 {
			t.Errorf("%s: count %d, %d places, %d findings, want a count of %d or more, 100 places and at most 100 findings", c.id, r.Count, len(r.Places), len(found), c.least)
		}
		if len(found[0].Want) > 1000 || c.id == "BR-KSA-52" && !strings.HasSuffix(found[0].Want, "…") {
			t.Errorf("%s: the first finding wants %q, want a few places", c.id, found[0].Want)
		}
	}
}
