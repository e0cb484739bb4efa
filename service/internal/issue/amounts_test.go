package issue_test

import (
	"strings"
	"testing"

	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

func lineOf(price, quantity, rate string) issue.FormLine {
	l := line()
	l.Price, l.Quantity, l.Rate = dec(price), dec(quantity), dec(rate)
	return l
}

// Lines are rounded once, and VAT once per category and rate, half away from
// zero.
func TestRounding(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, c := range []struct {
		name                 string
		lines                []issue.FormLine
		without, vat, withIt string
	}{
		{"half a halala up", []issue.FormLine{lineOf("0.30", "1", "15")}, "0.30", "0.05", "0.35"}, // 0.045
		{"less than half down", []issue.FormLine{lineOf("0.29", "1", "15")}, "0.29", "0.04", "0.33"},
		{"the line itself", []issue.FormLine{lineOf("0.01", "0.5", "15")}, "0.01", "0", "0.01"}, // 0.005
		{"the line itself, down", []issue.FormLine{lineOf("0.01", "1.499999", "15")}, "0.01", "0", "0.01"},
		{"once for all lines", []issue.FormLine{lineOf("0.30", "1", "15"), lineOf("0.30", "1", "15")}, "0.60", "0.09", "0.69"},
		{"once for each rate", []issue.FormLine{lineOf("0.30", "1", "15"), lineOf("0.10", "1", "5")}, "0.40", "0.06", "0.46"}, // 0.045 and 0.005
		{"with a category without VAT", []issue.FormLine{lineOf("0.30", "1", "15"), zero("9.99")}, "10.29", "0.05", "10.34"},
		{"the largest price", []issue.FormLine{lineOf("999999999.99", "1", "15")}, "999999999.99", "150000000", "1149999999.99"},
	} {
		got := s.create(standard(lines(c.lines...))).Record
		amounts(t, c.name+": without VAT", got.Totals.WithoutVAT, c.without)
		amounts(t, c.name+": VAT", got.Totals.VAT, c.vat)
		amounts(t, c.name+": with VAT", got.Totals.WithVAT, c.withIt)
		amounts(t, c.name+": payable", got.Totals.Payable, c.withIt)
		var rows money.Decimal
		for _, b := range got.Breakdown {
			rows = rows.Add(b.VAT)
		}
		amounts(t, c.name+": the rows together", rows, c.vat)
	}
}

// The record also contains the VAT in SAR, at the exchange rate of the
// document.
func TestCurrency(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, c := range []struct {
		currency, rate, vatInSAR string // vatInSAR is empty if refused
		path                     string
	}{
		{"SAR", "1", "15", ""},
		{"SAR", "1.00", "15", ""},
		{"USD", "3.75", "56.25", ""},
		{"JPY", "0.0251", "0.38", ""}, // 0.3765
		{"BHD", "9.9473", "149.21", ""},
		{"USD", "123456789.1234", "1851851836.85", ""}, // fourteen characters
		{"SAR", "1.01", "", "exchange_rate"},
		{"SAR", "3.75", "", "exchange_rate"},
		{"USD", "1", "", "exchange_rate"},
		{"USD", "0", "", "exchange_rate"},
		{"USD", "-3.75", "", "exchange_rate"},
		{"USD", "123456789012345", "", "exchange_rate"}, // fifteen characters
		{"ZZZ", "3.75", "", "currency"},
		{"sar", "1", "", "currency"},
	} {
		r := standard(func(r *issue.Request) { r.Currency, r.ExchangeRate = c.currency, dec(c.rate) }, note(c.rate))
		name := c.currency + " at " + c.rate
		if c.path != "" {
			if got := pathOf(s.refused(r)); got != issue.Root+"."+c.path {
				t.Errorf("%s: path = %q, want %q", name, got, c.path)
			}
			continue
		}
		got := s.create(r).Record
		amounts(t, name, got.Totals.VATInSAR, c.vatInSAR)
		amounts(t, name+": VAT", got.Totals.VAT, "15")
		same(t, name+": currency", got.Currency, c.currency)
		amounts(t, name+": rate", got.ExchangeRate, c.rate)
	}
}

// The expected payable amount may differ by a halala per line in either
// direction.
func TestExpectedPayable(t *testing.T) {
	t.Parallel()
	s := open(t)
	expected := func(text string) change {
		amount := dec(text)
		return func(r *issue.Request) { r.ExpectedPayable = &amount }
	}
	two := lines(line(), lineOf("10", "1", "15")) // 126.50
	for _, c := range []struct {
		change    change
		rounding  string // empty if refused
		thePaying string
	}{
		{expected("115"), "0", "115"},
		{expected("115.01"), "0.01", "115.01"},
		{expected("114.99"), "-0.01", "114.99"},
		{expected("115.02"), "", ""},
		{expected("114.98"), "", ""},
		{expected("115.005"), "", ""},
		{all(two, expected("126.52")), "0.02", "126.52"},
		{all(two, expected("126.48")), "-0.02", "126.48"},
		{all(two, expected("126.53")), "", ""},
	} {
		r := standard(c.change)
		name := r.ExpectedPayable.String()
		if c.rounding == "" {
			same(t, name, pathOf(s.refused(r)), issue.Root+".expected_payable_amount")
			continue
		}
		got := s.create(r).Record
		amounts(t, name+": rounding", got.Totals.Rounding, c.rounding)
		amounts(t, name+": payable", got.Totals.Payable, c.thePaying)
		same(t, name+": what was expected", got.ExpectedPayable.Equal(*r.ExpectedPayable), true)
	}
}

// Allowances reduce the lines of their category and rate. The default reason is
// discount.
func TestAllowances(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := standard(lines(line(), zero("50")), func(r *issue.Request) {
		r.Allowances = []issue.Allowance{
			{Amount: dec("20"), Category: "S", Rate: dec("15"), Reason: "Loyal customer", ReasonCode: "100"},
			{Amount: dec("50"), Category: "Z", Rate: dec("0")},
		}
	})
	got := s.create(r).Record
	amounts(t, "lines", got.Totals.Lines, "150")
	amounts(t, "allowances", got.Totals.Allowances, "70")
	amounts(t, "VAT", got.Totals.VAT, "12")
	amounts(t, "with VAT", got.Totals.WithVAT, "92")
	same(t, "reason", got.Allowances[0].Reason+" "+got.Allowances[0].ReasonCode, "Loyal customer 100")
	same(t, "default reason", got.Allowances[1].ReasonCode, "95")
	same(t, "category", got.Allowances[1].Category, "Z")
	amounts(t, "amount", got.Allowances[1].Amount, "50")
}

// The XML has the same values as the record.
func TestRecordAndDocumentAgree(t *testing.T) {
	t.Parallel()
	s := open(t)
	got := s.create(standard(dollars, note("Thank you"), lines(line(), zero("3")))).Record
	doc, err := ubl.Read(s.book.entries[0].XML)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "payable", doc.MonetaryTotal.PayableAmount.Value, got.Totals.Payable.Fixed2())
	same(t, "without VAT", doc.MonetaryTotal.TaxExclusiveAmount.Value, got.Totals.WithoutVAT.Fixed2())
	same(t, "currency", doc.DocumentCurrencyCode.Value, "USD")
	same(t, "note", doc.Notes[0].Value, "Thank you")
	same(t, "lines", len(doc.Lines), len(got.Lines))
	for _, side := range []struct {
		of    *ubl.Party
		party ledger.Party
	}{{doc.Supplier.Party, got.Seller}, {doc.Customer.Party, *got.Buyer}} {
		a, p := side.of.PostalAddress, side.party
		same(t, "address", strings.Join([]string{
			a.StreetName.Value, a.AdditionalStreetName.Value, a.BuildingNumber.Value, a.PlotIdentification.Value, a.CitySubdivisionName.Value,
			a.CityName.Value, a.CountrySubentity.Value, a.PostalZone.Value,
		}, "|"), strings.Join([]string{
			p.Street, p.AdditionalStreet, p.BuildingNumber, p.PlotIdentification, p.District, p.City, p.ProvinceState, p.PostalCode,
		}, "|"))
	}
	var totals []string
	for _, total := range doc.TaxTotals {
		totals = append(totals, total.TaxAmount.Value)
	}
	same(t, "VAT", strings.Join(totals, " "), "56.25 15.00")
}
