package issue

import (
	"math/rand/v2"
	"testing"

	"khatm/invoice"
	"khatm/money"
)

// cents returns an amount of n cents.
func cents(n int64) money.Decimal { return money.FromInt(n).Mul(cent) }

// The VAT of a deduction stays within its bounds for all amounts: never more
// than is left of the advance or open on the invoice, never more than a cent
// from the rounded VAT of the amount, and whatever remains can be deducted
// within the same bounds.
func TestDeductedVATBounds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	vatOf := func(taxable, rate int64) int64 { return (taxable*rate*2 + 100) / 200 }
	for range 5_000 {
		rate := []int64{0, 5, 15, 7}[random.IntN(4)]
		left := 1 + random.Int64N(1+random.Int64N(500))
		leftVAT := vatOf(left, rate)
		tax := invoice.Tax{Category: "S", Rate: money.FromInt(rate)}
		for left > 0 {
			open := 1 + random.Int64N(2*left)
			openVAT := vatOf(open, rate)
			for i := 0; i < 3 && open > 0 && left > 0; i++ { // as if by several advances on one invoice
				amount := 1 + random.Int64N(min(left, open))
				got := deductedVAT(invoice.Subtotal{Tax: tax, Taxable: cents(left), Amount: cents(leftVAT)},
					invoice.Subtotal{Tax: tax, Taxable: cents(open), Amount: cents(openVAT)}, cents(amount))
				vat := int64(0)
				for !cents(vat).Equal(got) && vat <= leftVAT {
					vat++
				}
				own := vatOf(amount, rate)
				if vat > leftVAT || vat > openVAT || vat < own-1 || vat > own+1 || rate == 0 && vat != 0 {
					t.Fatalf("VAT of %d at %d percent is %s: %d+%d left, %d+%d open, want %d ± 1", amount, rate, got, left, leftVAT, open, openVAT, own)
				}
				left, leftVAT, open, openVAT = left-amount, leftVAT-vat, open-amount, openVAT-vat
				if leftVAT < vatOf(left, rate)-1 || openVAT < vatOf(open, rate)-1 {
					t.Fatalf("%d+%d left and %d+%d open after a deduction of %d+%d: too little VAT", left, leftVAT, open, openVAT, amount, vat)
				}
			}
		}
	}
}
