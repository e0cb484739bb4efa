package invoice_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/ubl"
)

// shelf returns a simplified invoice with lines given as "price quantity tax", where
// the price includes VAT unless it begins with "net:".
func shelf(lines ...string) invoice.Facts {
	f := sale()
	for _, text := range lines {
		if net, found := strings.CutPrefix(text, "net:"); found {
			f.Lines = append(f.Lines, sale(net).Lines...)
			continue
		}
		l := sale(text).Lines[0]
		l.Price, l.GrossPrice = dec("0"), l.Price
		f.Lines = append(f.Lines, l)
	}
	return f
}

func expecting(f invoice.Facts, amount string) invoice.Facts {
	expected := dec(amount)
	f.ExpectedPayable = &expected
	return f
}

// TestShelfPricesByHand compares documents with prices including VAT with amounts
// that were computed by hand.
func TestShelfPricesByHand(t *testing.T) {
	discounted := func(f invoice.Facts, all ...invoice.Allowance) invoice.Facts {
		f.Allowances = all
		return f
	}
	prepaid := func(f invoice.Facts, all ...invoice.Advance) invoice.Facts {
		f.Advances = all
		return f
	}
	cases := []struct {
		name  string
		facts invoice.Facts
		want  string
	}{
		{"10 × 10.00", shelf("10.00 10 S15"), // 100 ÷ 1.15 = 86.9565…
			"86.96+13.04=100.00 | S15 86.96:13.04 | lines 86.96 less 0.00 net 86.96 vat 13.04 sar 13.04 gross 100.00 paid 0.00 round 0.00 due 100.00"},
		{"3 × 9.99", shelf("9.99 3 S15"), // 29.97 ÷ 1.15 = 26.0608…; 3.909
			"26.06+3.91=29.97 | S15 26.06:3.91 | lines 26.06 less 0.00 net 26.06 vat 3.91 sar 3.91 gross 29.97 paid 0.00 round 0.00 due 29.97"},
		{"0.35 × 49.00", shelf("49.00 0.35 S15"), // 17.15 ÷ 1.15 = 14.9130…; 2.2365
			"14.91+2.24=17.15 | S15 14.91:2.24 | lines 14.91 less 0.00 net 14.91 vat 2.24 sar 2.24 gross 17.15 paid 0.00 round 0.00 due 17.15"},
		{"1 × 10.00", shelf("10.00 1 S15"), // 8.6956…; 1.305
			"8.70+1.30=10.00 | S15 8.70:1.31 | lines 8.70 less 0.00 net 8.70 vat 1.31 sar 1.31 gross 10.01 paid 0.00 round -0.01 due 10.00"},
		{"ten lines of 1 × 10.00", shelf(repeat("10.00 1 S15", 10)...), // 87.00; 13.05
			strings.Repeat("8.70+1.30=10.00 ", 10) + "| S15 87.00:13.05 | lines 87.00 less 0.00 net 87.00 vat 13.05 sar 13.05 gross 100.05 paid 0.00 round -0.05 due 100.00"},
		{"half a cent per line is rounded", shelf("0.35 0.5 S15", "0.35 0.5 S15"), // 0.175 ÷ 1.15 = 0.1521…; 0.18 each
			"0.15+0.03=0.18 0.15+0.03=0.18 | S15 0.30:0.05 | lines 0.30 less 0.00 net 0.30 vat 0.05 sar 0.05 gross 0.35 paid 0.00 round 0.01 due 0.36"},
		{"two rates", shelf("10.00 1 S15", "10.00 1 S5"), // 9.5238…; 0.476
			"8.70+1.30=10.00 9.52+0.48=10.00 | S15 8.70:1.31 | S5 9.52:0.48 | lines 18.22 less 0.00 net 18.22 vat 1.79 sar 1.79 gross 20.01 paid 0.00 round -0.01 due 20.00"},
		{"rate zero", shelf("10.00 3 Z35", "0.333 2 E30", "7 1 O"), // unchecked places: see TestShelfPriceProblems
			"30.00+0.00=30.00 0.67+0.00=0.67 7.00+0.00=7.00 | Z0 30.00:0.00 | E0 0.67:0.00 | O0 7.00:0.00 | lines 37.67 less 0.00 net 37.67 vat 0.00 sar 0.00 gross 37.67 paid 0.00 round 0.00 due 37.67"},
		{"beside a net price", shelf("10.00 1 S15", "net:8.70 1 S15"), // 10.00 + 8.70 + 1.305
			"8.70+1.30=10.00 8.70+1.31=10.01 | S15 17.40:2.61 | lines 17.40 less 0.00 net 17.40 vat 2.61 sar 2.61 gross 20.01 paid 0.00 round 0.00 due 20.01"},
		{"discount", discounted(shelf("10.00 10 S15"), allowance("8.70", "S", "15")), // 100.00 − 8.70 − 1.305; 78.26 × 15 % = 11.739
			"86.96+13.04=100.00 | S15 78.26:11.74 | lines 86.96 less 8.70 net 78.26 vat 11.74 sar 11.74 gross 90.00 paid 0.00 round -0.01 due 89.99"},
		{"discount of everything", discounted(shelf("10.00 1 S15"), allowance("8.70", "S", "15")),
			"8.70+1.30=10.00 | S15 0.00:0.00 | lines 8.70 less 8.70 net 0.00 vat 0.00 sar 0.00 gross 0.00 paid 0.00 round 0.00 due 0.00"},
		{"discount of nearly everything", discounted(shelf(repeat("10.00 1 S15", 10)...), allowance("86.99", "S", "15")), // 100.00 − 86.99 − 13.05 = −0.04
			strings.Repeat("8.70+1.30=10.00 ", 10) + "| S15 0.01:0.00 | lines 87.00 less 86.99 net 0.01 vat 0.00 sar 0.00 gross 0.01 paid 0.00 round -0.01 due 0.00"},
		{"advance", prepaid(shelf(repeat("10.00 1 S15", 10)...), advance("A1", "S15 43.48 6.52")), // 100.00 − 50.00
			strings.Repeat("8.70+1.30=10.00 ", 10) + "| S15 87.00:13.05 | lines 87.00 less 0.00 net 87.00 vat 13.05 sar 13.05 gross 100.05 paid 50.00 round -0.05 due 50.00"},
		{"advance of everything", prepaid(shelf("10.00 1 S15"), advance("A1", "S15 8.70 1.31")),
			"8.70+1.30=10.00 | S15 8.70:1.31 | lines 8.70 less 0.00 net 8.70 vat 1.31 sar 1.31 gross 10.01 paid 10.01 round 0.00 due 0.00"},
		{"expected amount that agrees", expecting(shelf("10.00 1 S15"), "10.00"),
			"8.70+1.30=10.00 | S15 8.70:1.31 | lines 8.70 less 0.00 net 8.70 vat 1.31 sar 1.31 gross 10.01 paid 0.00 round -0.01 due 10.00"},
		{"expected amount a cent off, with one net price", expecting(shelf("10.00 1 S15", "net:8.70 1 S15"), "20.00"),
			"8.70+1.30=10.00 8.70+1.31=10.01 | S15 17.40:2.61 | lines 17.40 less 0.00 net 17.40 vat 2.61 sar 2.61 gross 20.01 paid 0.00 round -0.01 due 20.00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, misfits := invoice.ComputeUnchecked(c.facts)
			if len(misfits) > 0 {
				t.Fatal(misfits)
			}
			if got := figures(d); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func repeat(line string, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = line
	}
	return lines
}

// TestShelfPriceInUBL checks how a document contains a price including VAT: the net
// amount is the price of the whole quantity.
func TestShelfPriceInUBL(t *testing.T) {
	for _, c := range []struct{ line, price, base, unit, gross string }{
		{"10.00 10 S15", "86.96", "10", "8.696", "10.00"},
		{"9.99 3 S15", "26.06", "3", "8.686667", "9.99"},
		{"49 0.35 S15", "14.91", "0.35", "42.6", "49.00"},
		{"10.00 1 S15", "8.70", "", "8.7", "10.00"},
		{"10.00 2 Z35", "20.00", "2", "10", "10.00"},
	} {
		f := shelf(c.line)
		l := asUBL(t, f).Lines[0]
		got := fmt.Sprint(l.Price.PriceAmount, " ", l.Price.BaseQuantity.String(), " ", f.Lines[0].NetPrice(), " ", l.Item.Properties[0].Value)
		if want := fmt.Sprint(c.price, " ", c.base, " ", c.unit, " ", c.gross); got != want {
			t.Errorf("%s: got %s, want %s", c.line, got, want)
		}
		if c.base != "" && l.Price.BaseQuantity.Attr("unitCode") != "PCE" {
			t.Errorf("%s: unit of the base quantity = %q, want PCE", c.line, l.Price.BaseQuantity.Attr("unitCode"))
		}
	}
}

func TestShelfPriceProblems(t *testing.T) {
	with := func(change func(*invoice.Line)) invoice.Facts {
		f := shelf("10.00 1 S15")
		change(&f.Lines[0])
		return f
	}
	for _, c := range []struct {
		name  string
		facts invoice.Facts
		want  string
	}{
		{"both prices", with(func(l *invoice.Line) { l.Price = dec("8.70") }), "lines.0.item_gross_price: must not be sent together with item_net_price"},
		{"no price", with(func(l *invoice.Line) { l.GrossPrice = dec("0") }), "lines.0.item_net_price: must be greater than zero"},
		{"three decimals", with(func(l *invoice.Line) { l.GrossPrice = dec("9.995") }), "lines.0.item_gross_price: must have at most two decimals"},
		{"negative", with(func(l *invoice.Line) { l.GrossPrice = dec("-1") }), "lines.0.item_gross_price: must not be negative"},
		{"too much", with(func(l *invoice.Line) { l.GrossPrice = dec("1000000000") }), "lines.0.item_gross_price: must be below 1000000000"},
		{"too much in total", with(func(l *invoice.Line) { l.GrossPrice, l.Quantity = dec("999999999.99"), dec("10001") }), "lines.0.invoiced_quantity: times the price must stay below 10000000000000"},
		{"another expected amount", expecting(shelf("10.00 1 S15"), "10.01"),
			"expected_payable_amount: is 10.01, but the invoice comes to 10.00: the prices including VAT leave no such difference"},
		{"two cents off with one net price", expecting(shelf("10.00 1 S15", "net:8.70 1 S15"), "19.99"),
			"expected_payable_amount: is 19.99, but the invoice comes to 20.01: the prices including VAT leave no such difference"},
	} {
		if _, err := invoice.Compute(c.facts); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestForeignBaseQuantities checks that only our own prices including VAT are read;
// any other base quantity or property is reported.
func TestForeignBaseQuantities(t *testing.T) {
	const base, property = "/Invoice/cac:InvoiceLine[1]/cac:Price/cbc:BaseQuantity", "/Invoice/cac:InvoiceLine[1]/cac:Item/cac:AdditionalItemProperty"
	for name, c := range map[string]struct {
		change func(*ubl.Line)
		want   []string
	}{
		"another name":          {func(l *ubl.Line) { l.Item.Properties[0].Name = ubl.NewText("Colour") }, []string{property, base}},
		"another price":         {func(l *ubl.Line) { l.Price.PriceAmount.Value = "86.95" }, []string{property, base}},
		"another base quantity": {func(l *ubl.Line) { l.Price.BaseQuantity.Value = "5" }, []string{property, base}},
		"another unit":          {func(l *ubl.Line) { l.Price.BaseQuantity = ubl.NewText("10", "unitCode", "KGM") }, []string{property, base}},
		"no number":             {func(l *ubl.Line) { l.Item.Properties[0].Value = ubl.NewText("ten") }, []string{property, base}},
		"no base quantity":      {func(l *ubl.Line) { l.Price.BaseQuantity = nil }, []string{property}},
		"no property":           {func(l *ubl.Line) { l.Item.Properties = nil }, []string{base}},
	} {
		inv := asUBL(t, shelf("10.00 10 S15"))
		c.change(inv.Lines[0])
		facts, err := invoice.FromUBL(inv)
		for _, path := range c.want {
			if err == nil || !strings.Contains(err.Error(), path+": is not supported") {
				t.Errorf("%s: error = %v, want %s", name, err, path)
			}
		}
		if !facts.Lines[0].GrossPrice.IsZero() {
			t.Errorf("%s: price including VAT = %s, want none", name, facts.Lines[0].GrossPrice)
		}
	}
}

// TestBaskets checks random sales at prices including VAT: the payable amount is the
// sum of price times quantity, rounded for each line; the rules find neither errors
// nor warnings; and the document can be read again.
func TestBaskets(t *testing.T) {
	now := time.Date(2026, time.November, 15, 12, 0, 0, 0, invoice.Riyadh())
	largest := new(big.Rat)
	count := testtool.Scale(80, 250, 20_000)
	for seed := range uint64(count) {
		f := sample.Basket(rand.New(rand.NewPCG(seed, 2)))
		name := fmt.Sprintf("seed %d", seed)
		inv, err := build(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := new(big.Rat)
		for _, l := range f.Lines {
			want.Add(want, round2(mul(fraction(l.GrossPrice), fraction(l.Quantity))))
		}
		if got := rat(inv.MonetaryTotal.PayableAmount); got.Cmp(want) != 0 {
			t.Errorf("%s: payable = %s, want the shelf total of %s", name, inv.MonetaryTotal.PayableAmount, want.FloatString(2))
		}
		rounding := rat(inv.MonetaryTotal.PayableRoundingAmount)
		if rounding.Abs(rounding).Cmp(big.NewRat(int64(len(f.Lines)), 100)) > 0 {
			t.Errorf("%s: rounding of %d lines = %s, want at most 0.01 per line", name, len(f.Lines), inv.MonetaryTotal.PayableRoundingAmount)
		}
		if largest.Cmp(rounding) < 0 {
			largest = rounding
		}
		for _, fault := range arithmeticFaults(inv) {
			t.Errorf("%s: %s", name, fault)
		}
		for _, r := range rules.CheckUnsealed(inv, now) {
			if r.Status == rules.Failed {
				t.Errorf("%s: rule %s failed at %v", name, r.Rule.ID, r.Places)
			}
		}
		if err := roundTrip(inv); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d baskets; the largest rounding is %s", count, largest.FloatString(2))
}

// TestQuantitiesAreRounded checks quantities with more than six decimals: they are
// rounded if no amount changes, and refused otherwise.
func TestQuantitiesAreRounded(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"10.00 0.30000000000000004 S15", "0.3"},
		{"10.00 0.1234567 S15", "0.123457"},
		{"net:10.00 0.30000000000000004 S15", "0.3"},
		{"net:999999999.99 0.33333333 S15", ""}, // 333333330.00 and 333333000.00
		{"999999999.99 0.33333333 S15", ""},
		{"net:1.00 0.0000001 S15", ""}, // rounds to zero
		{"net:1.00 0.0049999999 S15", ""},
	} {
		f := shelf(c.line)
		sent := f.Lines[0].Quantity
		d, err := invoice.Compute(f)
		if c.want == "" {
			const message = "lines.0.invoiced_quantity: must have at most 6 decimals: rounding it would change an amount"
			if err == nil || err.Error() != message {
				t.Errorf("%s: error = %v, want %s", c.line, err, message)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if got := d.Lines[0].Quantity.String(); got != c.want {
			t.Errorf("%s: quantity = %s, want %s", c.line, got, c.want)
		}
		if !f.Lines[0].Quantity.Equal(sent) {
			t.Errorf("%s: Compute changed the caller's facts", c.line)
		}
	}
}

// TestExchangeRatesAreRounded checks that a rate is rounded to the 14 characters that
// BR-KSA-90 allows, and that the VAT in riyals is computed with the rounded rate.
func TestExchangeRatesAreRounded(t *testing.T) {
	for _, c := range []struct{ rate, want string }{
		{"3.7509377344336086", "3.750937734434"},
		{"3.75", "3.75"},
		{"0.0243912345678901", "0.024391234568"},
		{"0.9999999999999", "1"}, // not allowed
		{"9.9999999999999", "10"},
		{"123456789012.3456", "123456789012.3"},
		{"1234567890123.4", "1234567890123"},
		{"12345678901234.5", "12345678901235"},
		{"99999999999999.4", "99999999999999"},
		{"99999999999999.5", ""},
		{"0.0000000000004", ""},
	} {
		f := sale("100 1 S15")
		f.Currency, f.ExchangeRate = "USD", dec(c.rate)
		d, err := invoice.Compute(f)
		if c.want == "" || c.want == "1" {
			if err == nil || !strings.HasPrefix(err.Error(), "exchange_rate: ") {
				t.Errorf("%s: error = %v, want one about exchange_rate", c.rate, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.rate, err)
			continue
		}
		inv, err := d.UBL(identity)
		if err != nil {
			t.Fatal(err)
		}
		if got := inv.TaxExchangeRate.CalculationRate.String(); got != c.want {
			t.Errorf("%s: rate = %s, want %s", c.rate, got, c.want)
		}
		if want := dec("15").Mul(dec(c.want)).Round2(); !d.VATInSAR.Equal(want) {
			t.Errorf("%s: VAT in SAR = %s, want %s", c.rate, d.VATInSAR, want)
		}
	}
}

func fraction(d fmt.Stringer) *big.Rat { return rat(ubl.NewText(d.String())) }
