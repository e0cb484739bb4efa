package sample

import (
	"math/rand/v2"
	"strconv"

	"khatm/invoice"
	"khatm/money"
)

// Basket returns the facts of a random sale at prices including VAT: 1 to 40
// lines at 15 and 5 percent, quantities of up to 500 with up to three decimal
// places, as scales give them. Some are standard invoices, credit notes or debit
// notes.
func Basket(r *rand.Rand) invoice.Facts {
	sale := sales[[]int{1, 1, 1, 0}[r.IntN(4)]]
	kind := []invoice.Kind{invoice.TaxInvoice, invoice.TaxInvoice, invoice.TaxInvoice, invoice.CreditNote, invoice.DebitNote}[r.IntN(5)]
	f := build(kind, sale.transaction, []invoice.Tax{Standard("15")})
	f.Lines = f.Lines[:0]
	for i := range 1 + r.IntN(40) {
		f.Lines = append(f.Lines, invoice.Line{
			Name:       words[r.IntN(len(words))] + " " + strconv.Itoa(i+1) + " x",
			GrossPrice: randomDecimal(r, 4, 2),
			Quantity:   basketQuantity(r),
			Unit:       []string{"PCE", "KGM", "LTR"}[r.IntN(3)],
			Tax:        Standard([]string{"15", "15", "5"}[r.IntN(3)]),
		})
	}
	return f
}

// basketQuantity returns a quantity greater than zero and of at most 500.
func basketQuantity(r *rand.Rand) money.Decimal {
	switch r.IntN(4) {
	case 0:
		return money.FromInt(1)
	case 1:
		return money.FromInt(1 + r.Int64N(500))
	}
	thousandths := strconv.FormatInt(1000+1+r.Int64N(499_999), 10) // 1.001 to 500.999, less 1
	point := len(thousandths) - 3
	return money.MustParse(thousandths[:point] + "." + thousandths[point:]).Sub(money.FromInt(1))
}

// shelfPrices returns a simplified invoice whose prices include VAT and cannot be
// reached exactly from prices before VAT.
func shelfPrices() invoice.Facts {
	f := Simplified()
	f.Lines = nil
	for i, l := range [][2]string{{"10.00", "10"}, {"9.99", "3"}, {"49.00", "0.35"}, {"10.00", "1"}, {"2.50", "1.5"}} {
		f.Lines = append(f.Lines, shelfLine(i, l[0], l[1], Standard("15")))
	}
	return f
}

func shelfLine(i int, price, quantity string, tax invoice.Tax) invoice.Line {
	return invoice.Line{
		Name: "صنف رقم " + strconv.Itoa(i+1) + " | Item " + strconv.Itoa(i+1), GrossPrice: money.MustParse(price),
		Quantity: money.MustParse(quantity), Unit: "PCE", Tax: tax,
	}
}

// mixedPrices returns a standard invoice with prices before and including VAT in
// every category, discounts and an advance.
func mixedPrices() invoice.Facts {
	f := build(invoice.TaxInvoice, invoice.Transaction{}, taxesOf("all"))
	for i, t := range taxesOf("all") {
		f.Lines = append(f.Lines, shelfLine(len(f.Lines), []string{"9.95", "0.33", "100"}[i%3], []string{"7", "1", "2.345"}[i%3], t))
	}
	f.Allowances = discounts(taxesOf("all"))
	f.Advances = []invoice.Advance{advance("ADV-2026-000006", Standard("15"), "20.07")}
	return f
}

// shelfNote returns a credit note at prices including VAT.
func shelfNote() invoice.Facts {
	f := build(invoice.CreditNote, invoice.Transaction{Simplified: true}, taxesOf("s15"))
	f.Lines = shelfPrices().Lines[:2]
	return f
}
