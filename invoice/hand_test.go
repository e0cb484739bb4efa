package invoice_test

import (
	"fmt"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/money"
	"khatm/sample"
	"khatm/ubl"
)

func dec(text string) money.Decimal { return money.MustParse(text) }

// figures formats every amount of a document.
func figures(d *invoice.Document) string {
	var b strings.Builder
	for _, l := range d.Amounts {
		fmt.Fprintf(&b, "%s+%s=%s ", l.Net.Fixed2(), l.VAT.Fixed2(), l.Total.Fixed2())
	}
	for _, s := range d.Breakdown {
		fmt.Fprintf(&b, "| %s%s %s:%s ", s.Category, s.Rate, s.Taxable.Fixed2(), s.Amount.Fixed2())
	}
	fmt.Fprintf(&b, "| lines %s less %s net %s vat %s sar %s gross %s paid %s round %s due %s",
		d.LineTotal.Fixed2(), d.AllowanceTotal.Fixed2(), d.WithoutVAT.Fixed2(), d.VAT.Fixed2(), d.VATInSAR.Fixed2(),
		d.WithVAT.Fixed2(), d.Prepaid.Fixed2(), d.Rounding.Fixed2(), d.Payable.Fixed2())
	return b.String()
}

// sale returns a simplified invoice with lines given as "price quantity tax".
func sale(lines ...string) invoice.Facts {
	f := sample.Simplified()
	f.Lines = nil
	for _, l := range lines {
		var price, quantity, tax string
		if _, err := fmt.Sscan(l, &price, &quantity, &tax); err != nil {
			panic(err)
		}
		f.Lines = append(f.Lines, invoice.Line{Name: "Item", Price: dec(price), Quantity: dec(quantity), Unit: "PCE", Tax: taxes[tax]})
	}
	return f
}

var taxes = map[string]invoice.Tax{
	"S15": sample.Standard("15"),
	"S5":  sample.Standard("5"),
	"Z35": {Category: "Z", ReasonCode: "VATEX-SA-35", ReasonText: "Medicines"},
	"Z36": {Category: "Z", ReasonCode: "VATEX-SA-36", ReasonText: "Metals"},
	"E30": {Category: "E", ReasonCode: "VATEX-SA-30", ReasonText: "Real estate"},
	"O":   {Category: "O", ReasonCode: "VATEX-SA-OOS", ReasonText: "A fine"},
}

func allowance(amount, category, rate string) invoice.Allowance {
	return invoice.Allowance{Amount: dec(amount), Category: category, Rate: dec(rate)}
}

func advance(number string, breakdown ...string) invoice.Advance {
	a := invoice.Advance{Number: number, IssueDate: "2026-09-01", IssueTime: "09:30:00"}
	for _, b := range breakdown {
		var tax, taxable, vat string
		if _, err := fmt.Sscan(b, &tax, &taxable, &vat); err != nil {
			panic(err)
		}
		a.Breakdown = append(a.Breakdown, invoice.Subtotal{Tax: taxes[tax], Taxable: dec(taxable), Amount: dec(vat)})
	}
	return a
}

// TestByHand compares documents with amounts that were computed by hand.
func TestByHand(t *testing.T) {
	with := func(f invoice.Facts, change func(*invoice.Facts)) invoice.Facts {
		change(&f)
		return f
	}
	payable := func(amount string) func(*invoice.Facts) {
		return func(f *invoice.Facts) { expected := dec(amount); f.ExpectedPayable = &expected }
	}
	cases := []struct {
		name  string
		facts invoice.Facts
		want  string
	}{
		{"one line", sale("100 1 S15"),
			"100.00+15.00=115.00 | S15 100.00:15.00 | lines 100.00 less 0.00 net 100.00 vat 15.00 sar 15.00 gross 115.00 paid 0.00 round 0.00 due 115.00"},
		{"half a cent goes up", sale("0.05 0.1 S15", "0.05 0.3 S15", "0.33 0.1 S15"), // 0.005, 0.015, 0.033
			"0.01+0.00=0.01 0.02+0.00=0.02 0.03+0.00=0.03 | S15 0.06:0.01 | lines 0.06 less 0.00 net 0.06 vat 0.01 sar 0.01 gross 0.07 paid 0.00 round 0.00 due 0.07"},
		{"VAT of the sum, not the sum of VAT", sale("0.33 1 S15", "0.33 1 S15", "0.33 1 S15"), // 0.0495 three times; 0.1485 once
			"0.33+0.05=0.38 0.33+0.05=0.38 0.33+0.05=0.38 | S15 0.99:0.15 | lines 0.99 less 0.00 net 0.99 vat 0.15 sar 0.15 gross 1.14 paid 0.00 round 0.00 due 1.14"},
		{"VAT of the lines above that of the document", sale("0.10 1 S15", "0.10 1 S15"), // 0.015 each; 0.03 together
			"0.10+0.02=0.12 0.10+0.02=0.12 | S15 0.20:0.03 | lines 0.20 less 0.00 net 0.20 vat 0.03 sar 0.03 gross 0.23 paid 0.00 round 0.00 due 0.23"},
		{"every category", sale("10.10 1 S15", "10.10 1 S5", "20 0.5 Z35", "3.33 3 O", "7 1 E30", "10.11 1 S15"), // 20.21 × 15 % = 3.0315; 0.505
			"10.10+1.52=11.62 10.10+0.51=10.61 10.00+0.00=10.00 9.99+0.00=9.99 7.00+0.00=7.00 10.11+1.52=11.63 " +
				"| S15 20.21:3.03 | S5 10.10:0.51 | Z0 10.00:0.00 | O0 9.99:0.00 | E0 7.00:0.00 " +
				"| lines 57.30 less 0.00 net 57.30 vat 3.54 sar 3.54 gross 60.84 paid 0.00 round 0.00 due 60.84"},
		{"discount before VAT", with(sale("100 1 S15", "50 1 S5"), func(f *invoice.Facts) { f.Allowances = []invoice.Allowance{allowance("0.10", "S", "15")} }), // 99.90 × 15 % = 14.985
			"100.00+15.00=115.00 50.00+2.50=52.50 | S15 99.90:14.99 | S5 50.00:2.50 | lines 150.00 less 0.10 net 149.90 vat 17.49 sar 17.49 gross 167.39 paid 0.00 round 0.00 due 167.39"},
		{"discount over two groups of one category", with(sale("10 1 Z35", "30 1 Z36", "5 1 Z35"), func(f *invoice.Facts) {
			f.Allowances = []invoice.Allowance{allowance("12", "Z", "0"), allowance("5.50", "Z", "0")} // 15 and 2.50
		}),
			"10.00+0.00=10.00 30.00+0.00=30.00 5.00+0.00=5.00 | Z0 0.00:0.00 | Z0 27.50:0.00 | lines 45.00 less 17.50 net 27.50 vat 0.00 sar 0.00 gross 27.50 paid 0.00 round 0.00 due 27.50"},
		{"dollars", with(sale("19.99 3 S15"), func(f *invoice.Facts) { f.Currency, f.ExchangeRate = "USD", dec("3.7525") }), // 59.97; 8.9955; 33.7725 → 9.00 × 3.7525
			"59.97+9.00=68.97 | S15 59.97:9.00 | lines 59.97 less 0.00 net 59.97 vat 9.00 sar 33.77 gross 68.97 paid 0.00 round 0.00 due 68.97"},
		{"yen", with(sale("12500 1 S15"), func(f *invoice.Facts) { f.Currency, f.ExchangeRate = "JPY", dec("0.024391") }), // 1875 × 0.024391 = 45.733125
			"12500.00+1875.00=14375.00 | S15 12500.00:1875.00 | lines 12500.00 less 0.00 net 12500.00 vat 1875.00 sar 45.73 gross 14375.00 paid 0.00 round 0.00 due 14375.00"},
		{"several advances, one at another rate", with(sale("1000 1 S15"), func(f *invoice.Facts) {
			f.Advances = []invoice.Advance{advance("A1", "S15 200 30"), advance("A2", "S5 33.33 1.67", "E30 10 0"), advance("A3", "S15 10.03 1.50")}
		}), // 230 + 35.00 + 10 + 11.53
			"1000.00+150.00=1150.00 | S15 1000.00:150.00 | lines 1000.00 less 0.00 net 1000.00 vat 150.00 sar 150.00 gross 1150.00 paid 286.53 round 0.00 due 863.47"},
		{"advances of the whole amount", with(sale("100 1 S15"), func(f *invoice.Facts) { f.Advances = []invoice.Advance{advance("A1", "S15 100 15")} }),
			"100.00+15.00=115.00 | S15 100.00:15.00 | lines 100.00 less 0.00 net 100.00 vat 15.00 sar 15.00 gross 115.00 paid 115.00 round 0.00 due 0.00"},
		{"a cent off what is left of an advance", with(sale("100 1 S15"), func(f *invoice.Facts) { f.Advances = []invoice.Advance{advance("A1", "S15 50 7.51")} }),
			"100.00+15.00=115.00 | S15 100.00:15.00 | lines 100.00 less 0.00 net 100.00 vat 15.00 sar 15.00 gross 115.00 paid 57.51 round 0.00 due 57.49"},
		{"rounding up to the price shown", with(sale("8.69 1 S15"), payable("10.00")), // 9.99
			"8.69+1.30=9.99 | S15 8.69:1.30 | lines 8.69 less 0.00 net 8.69 vat 1.30 sar 1.30 gross 9.99 paid 0.00 round 0.01 due 10.00"},
		{"rounding down to the price shown", with(sale("8.70 1 S15"), payable("10.00")), // 10.01
			"8.70+1.31=10.01 | S15 8.70:1.31 | lines 8.70 less 0.00 net 8.70 vat 1.31 sar 1.31 gross 10.01 paid 0.00 round -0.01 due 10.00"},
		{"a cent a line", with(sale("8.70 1 S15", "8.70 1 S15", "8.70 1 S15"), payable("30.05")), // 26.10 + 3.915 → 3.92
			"8.70+1.31=10.01 8.70+1.31=10.01 8.70+1.31=10.01 | S15 26.10:3.92 | lines 26.10 less 0.00 net 26.10 vat 3.92 sar 3.92 gross 30.02 paid 0.00 round 0.03 due 30.05"},
		{"the largest line", sale("999999999.99 10000 S15"),
			"9999999999900.00+1499999999985.00=11499999999885.00 | S15 9999999999900.00:1499999999985.00 | lines 9999999999900.00 less 0.00 net 9999999999900.00 vat 1499999999985.00 sar 1499999999985.00 gross 11499999999885.00 paid 0.00 round 0.00 due 11499999999885.00"},
		{"full golden document", parse(t, read(t, "full")),
			"227.40+34.11=261.51 83.33+4.17=87.50 21.15+0.00=21.15 1000.00+0.00=1000.00 0.33+0.00=0.33 " +
				"| S15 200.00:30.00 | S5 83.33:4.17 | Z0 20.00:0.00 | E0 1000.00:0.00 | O0 0.33:0.00 " +
				"| lines 1332.21 less 28.55 net 1303.66 vat 34.17 sar 128.22 gross 1337.83 paid 325.61 round 0.03 due 1012.25"},
		{"golden credit note", parse(t, read(t, "credit")),
			"60.88+9.13=70.01 | S15 60.88:9.13 | lines 60.88 less 0.00 net 60.88 vat 9.13 sar 9.13 gross 70.01 paid 0.00 round 0.00 due 70.01"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, err := invoice.Compute(c.facts)
			if err != nil {
				t.Fatal(err)
			}
			if got := figures(d); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestComputeDoesNotChangeTheFacts checks that the default reason code of a discount
// is set in the document but not in the caller's facts.
func TestComputeDoesNotChangeTheFacts(t *testing.T) {
	f := sale("100 1 S15")
	f.Allowances = []invoice.Allowance{allowance("1", "S", "15"), allowance("0", "S", "15")}
	d, err := invoice.Compute(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Allowances[0].ReasonCode; got != "" {
		t.Errorf("Compute changed the reason code of the caller's facts to %s", got)
	}
	if d.Allowances[0].ReasonCode != "95" || d.Allowances[1].ReasonCode != "" {
		t.Errorf("reason codes: got %q and %q, want 95, and none for a discount of zero", d.Allowances[0].ReasonCode, d.Allowances[1].ReasonCode)
	}
}

// asUBL computes a document and converts it to UBL.
func asUBL(t *testing.T, f invoice.Facts) *ubl.Invoice {
	t.Helper()
	d, err := invoice.Compute(f)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := d.UBL(identity)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestDocumentHasOneBuyerID(t *testing.T) {
	f := sample.Invoice()
	f.Buyer.IDs = []invoice.PartyID{{Scheme: "OTH", Value: "A1"}, {Scheme: "NAT", Value: "1083726154"}, {Scheme: "CRN", Value: "4030276644"}}
	inv := asUBL(t, f)
	ids := inv.Customer.Party.Identifications
	if len(ids) != 1 || ids[0].ID.Attr("schemeID") != "CRN" {
		t.Errorf("got %d identifications, the first %v; want only CRN", len(ids), ids[0].ID)
	}
}
