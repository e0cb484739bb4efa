package paper_test

import (
	"encoding/xml"
	"math/big"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

// TestFiguresUnderHeadings checks that every number is below its heading or beside its
// label. It reads the positions on the page with pdftotext and the numbers of the
// document with encoding/xml.
func TestFiguresUnderHeadings(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, kind := range []string{"credit", "till", "383-standard-s15-e-o-usd-discount", "388-standard-all-usd-advance-two-rates"} {
		document := sealed(t, facts(t, kind)).XML
		for _, on := range papers {
			t.Run(kind+"/"+string(on), func(t *testing.T) {
				got := figuresOn(t, reader, draw(t, document, paper.Options{Language: paper.English, Paper: on}))
				for heading, want := range figuresOf(t, document, on) {
					if !slices.Equal(got[heading], want) {
						t.Errorf("%s: got %q, want %q", heading, got[heading], want)
					}
				}
			})
		}
	}
}

// taxed is an element with a VAT breakdown.
type taxed struct {
	Amount    string `xml:"TaxAmount"`
	WithVAT   string `xml:"RoundingAmount"`
	Subtotals []struct {
		Taxable string `xml:"TaxableAmount"`
		Amount  string `xml:"TaxAmount"`
		Rate    string `xml:"TaxCategory>Percent"`
		Code    string `xml:"TaxCategory>ID"`
	} `xml:"TaxSubtotal"`
}

// figuresOf returns the numbers of a document by heading, in the order of the page. A
// heading that ends with a colon or an equals sign is beside its numbers.
func figuresOf(t *testing.T, document []byte, on paper.Paper) map[string][]string {
	t.Helper()
	var inv struct {
		Currency string `xml:"DocumentCurrencyCode"`
		Kind     struct {
			Code string `xml:",chardata"`
			Name string `xml:"name,attr"`
		} `xml:"InvoiceTypeCode"`
		Discounts []struct { // the samples have no charges
			Amount string `xml:"Amount"`
			Rate   string `xml:"TaxCategory>Percent"`
			Code   string `xml:"TaxCategory>ID"`
		} `xml:"AllowanceCharge"`
		Discount string  `xml:"LegalMonetaryTotal>AllowanceTotalAmount"`
		Prepaid  string  `xml:"LegalMonetaryTotal>PrepaidAmount"`
		Taxes    []taxed `xml:"TaxTotal"`
		Net      string  `xml:"LegalMonetaryTotal>TaxExclusiveAmount"`
		Gross    string  `xml:"LegalMonetaryTotal>TaxInclusiveAmount"`
		Payable  string  `xml:"LegalMonetaryTotal>PayableAmount"`
		Lines    []struct {
			Advance  string `xml:"DocumentReference>DocumentTypeCode"`
			Quantity string `xml:"InvoicedQuantity"`
			Net      string `xml:"LineExtensionAmount"`
			Tax      taxed  `xml:"TaxTotal"`
			Rate     string `xml:"Item>ClassifiedTaxCategory>Percent"`
			Code     string `xml:"Item>ClassifiedTaxCategory>ID"`
			Price    string `xml:"Price>PriceAmount"`
		} `xml:"InvoiceLine"`
	}
	if err := xml.Unmarshal(document, &inv); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	add := func(heading, figure string) { want[heading] = append(want[heading], number(figure)) }
	addRate := func(code, rate string) {
		if code == "S" || code == "Z" { // the others have no rate
			add("VAT %", rate)
		}
	}
	addTaxes := func(x taxed, net string) {
		for _, s := range x.Subtotals {
			addRate(s.Code, s.Rate)
			add(net, s.Taxable)
			add("VAT amount", s.Amount)
		}
	}
	for _, l := range inv.Lines {
		if l.Advance != "" {
			continue
		}
		addRate(l.Code, l.Rate)
		switch {
		case on == paper.A4:
			add("Quantity", l.Quantity)
			add("Unit price", l.Price)
			add("Excl. VAT", l.Net)
			add("VAT amount", l.Tax.Amount)
			add("Incl. VAT", l.Tax.WithVAT)
		case inv.Kind.Name[:2] == "01":
			add("Subtotal (excluding VAT):", l.Net)
			add("VAT amount:", l.Tax.Amount)
			fallthrough
		default:
			add("Total incl. VAT", l.Tax.WithVAT)
		}
	}
	for _, d := range inv.Discounts {
		addRate(d.Code, d.Rate)
		add("Amount", "-"+d.Amount)
	}
	var taxable, vat []string
	for _, l := range inv.Lines {
		if l.Advance == "" {
			continue
		}
		addTaxes(l.Tax, "Excl. VAT")
		for _, s := range l.Tax.Subtotals {
			add("Incl. VAT", added(s.Taxable, s.Amount))
			taxable, vat = append(taxable, s.Taxable), append(vat, s.Amount)
		}
	}
	if len(taxable) > 1 {
		add("Excl. VAT", added(taxable...))
		add("VAT amount", added(vat...))
		add("Incl. VAT", inv.Prepaid)
	}
	for _, x := range inv.Taxes {
		addTaxes(x, "Amount excl. VAT")
		switch { // the total without a breakdown is in riyals
		case len(x.Subtotals) > 0:
			add("Total VAT =", x.Amount)
		case inv.Currency != "SAR":
			add("Total VAT in SAR =", x.Amount)
		}
	}
	if inv.Discount != "" {
		add("Total discounts =", "-"+inv.Discount)
	}
	if inv.Prepaid != "" {
		add("Prepaid amount =", "-"+inv.Prepaid)
	}
	add("Total (excluding VAT) =", inv.Net)
	add("Total (including VAT) =", inv.Gross)
	switch inv.Kind.Code {
	case "381", "383":
		add("Note total =", inv.Payable)
	default:
		add("Amount due =", inv.Payable)
	}
	return want
}

// number returns a number in a canonical form, or "" if text is not a number.
func number(text string) string {
	text = strings.Replace(text, "\u2212", "-", 1)
	n, ok := new(big.Rat).SetString(strings.TrimSuffix(strings.ReplaceAll(text, ",", ""), "%"))
	if !ok || strings.Trim(text, "0123456789.,%-") != "" {
		return ""
	}
	return n.FloatString(6)
}

// added returns the sum of numbers.
func added(numbers ...string) string {
	sum := new(big.Rat)
	for _, text := range numbers {
		n, _ := new(big.Rat).SetString(text)
		sum.Add(sum, n)
	}
	return sum.FloatString(6)
}
