package invoice_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/money"
	"khatm/sample"
	"khatm/ubl"
)

// TestComputeUncheckedEqualsComputeOnValidFacts checks that both return the same
// document for facts that Compute accepts.
func TestComputeUncheckedEqualsComputeOnValidFacts(t *testing.T) {
	everyDocument(t, func(name string, f invoice.Facts) {
		want, err := invoice.Compute(f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		got, misfits := invoice.ComputeUnchecked(f)
		if misfits != nil {
			t.Errorf("%s: got problems %v, want none", name, misfits)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
		checked, err := want.UBL(identity)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if g, w := written(t, got.UBLUnchecked(identity)), written(t, checked); !bytes.Equal(g, w) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, g, w)
		}
	})
}

func written(t *testing.T, inv *ubl.Invoice) []byte {
	t.Helper()
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	return canon.Bytes()
}

// TestComputeUncheckedAcceptsInvalidFacts checks that any facts can be computed and
// converted to UBL without a panic.
func TestComputeUncheckedAcceptsInvalidFacts(t *testing.T) {
	for seed := range uint64(testtool.Scale(150, 500, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := sample.Random(r)
		for range 1 + r.IntN(3) {
			spoilings[r.IntN(len(spoilings))](&f)
		}
		d, _ := invoice.ComputeUnchecked(f)
		if len(d.Amounts) != len(f.Lines) {
			t.Fatalf("seed %d: got amounts of %d lines, want %d", seed, len(d.Amounts), len(f.Lines))
		}
		written(t, d.UBLUnchecked(f.Identity))
	}
}

var spoilings = []func(*invoice.Facts){
	func(f *invoice.Facts) { f.Lines = nil },
	func(f *invoice.Facts) { f.Buyer = &invoice.Buyer{} },
	func(f *invoice.Facts) { f.Seller = invoice.Seller{} },
	func(f *invoice.Facts) { f.Identity = invoice.Identity{} },
	func(f *invoice.Facts) { f.Currency, f.ExchangeRate = "", money.Decimal{} },
	func(f *invoice.Facts) { f.ExchangeRate = dec("99999999999999999999.99999999999999999999") },
	func(f *invoice.Facts) { f.Allowances = append(f.Allowances, invoice.Allowance{Amount: dec("-5")}) },
	func(f *invoice.Facts) {
		f.Allowances = append(f.Allowances, invoice.Allowance{Amount: dec("1000000"), Category: "S", Rate: dec("15")})
	},
	func(f *invoice.Facts) {
		f.Advances = append(f.Advances, invoice.Advance{Breakdown: []invoice.Subtotal{{Taxable: dec("-1"), Amount: dec("99999999999999999999")}}})
	},
	func(f *invoice.Facts) { e := dec("-3.333"); f.ExpectedPayable = &e },
	func(f *invoice.Facts) {
		for i := range f.Lines {
			f.Lines[i] = invoice.Line{Price: dec("-99999999999999999999.99999999999999999999"), Quantity: dec("99999999999999999999.99999999999999999999"), Tax: invoice.Tax{Rate: dec("-15.55555")}}
		}
	},
}

// TestComputeUncheckedIgnoresExchangeRateForRiyals checks that the VAT in SAR of a
// document in SAR is its VAT, whatever the exchange rate is.
func TestComputeUncheckedIgnoresExchangeRateForRiyals(t *testing.T) {
	for _, c := range []struct{ currency, rate, want string }{
		{"SAR", "3", "18.52"}, {"SAR", "0", "18.52"}, {"SAR", "-1", "18.52"}, {"SAR", "1", "18.52"},
		{"USD", "3.75", "69.45"}, {"USD", "0", "0.00"}, {"USD", "1", "18.52"},
	} {
		f := sample.Simplified()
		f.Currency, f.ExchangeRate = c.currency, dec(c.rate)
		d, _ := invoice.ComputeUnchecked(f)
		if got := d.VATInSAR.Fixed2(); got != c.want {
			t.Errorf("%s at %s: got %s, want %s", c.currency, c.rate, got, c.want)
		}
	}
}

// TestComputeUncheckedReportsMisfits checks the amounts and the problems of a document
// that Compute rejects.
func TestComputeUncheckedReportsMisfits(t *testing.T) {
	f := sample.Simplified() // 62.60 and 60.88 at 15 percent: 123.48 and 18.52
	f.Allowances = []invoice.Allowance{{Amount: dec("20"), Category: "Z"}}
	e := dec("500")
	f.ExpectedPayable = &e
	d, misfits := invoice.ComputeUnchecked(f)
	if len(misfits) != 1 || misfits[0].Path != "document_level_allowances.0.vat_category_code" {
		t.Errorf("problems: got %v, want one about the discount", misfits)
	}
	got := []string{d.LineTotal.Fixed2(), d.AllowanceTotal.Fixed2(), d.WithoutVAT.Fixed2(), d.VAT.Fixed2(), d.Rounding.Fixed2(), d.Payable.Fixed2()}
	want := []string{"123.48", "20.00", "103.48", "18.52", "0.00", "122.00"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
