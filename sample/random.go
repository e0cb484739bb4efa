package sample

import (
	"math/rand/v2"
	"strconv"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
)

// words are used in item names and notes.
var words = []string{
	"قهوة", "تمر", "حاسوب محمول", "خدمة استشارية", "صيانة", "كتاب", "Laptop", "Cable & plug",
	"Café <small>", "زيت زيتون 5 لتر", "آلة طباعة", "A4 «white»", "ساعة عمل", "توصيل", "قلم 'أزرق'", "牛乳", "🧾 roll",
}

// Random returns the facts of a random valid document of any type, with prices
// and quantities of every size and precision, discounts, advances and foreign
// currencies. Most documents have up to 30 lines, a few have hundreds.
func Random(r *rand.Rand) invoice.Facts {
	sale := sales[r.IntN(len(sales))]
	taxes := randomTaxes(r, sale.transaction.Export)
	f := build(kinds[r.IntN(len(kinds))], sale.transaction, taxes)
	f.Lines = f.Lines[:0]
	count := 1 + r.IntN(30)
	if r.IntN(40) == 0 {
		count = 200 + r.IntN(300)
	}
	for i := range count {
		f.Lines = append(f.Lines, randomLine(r, taxes, i))
	}
	if r.IntN(3) == 0 {
		m := moneys[1+r.IntN(len(moneys)-1)]
		f.Currency, f.ExchangeRate = m.currency, randomDecimal(r, 4, 5)
		if f.ExchangeRate.Equal(money.FromInt(1)) {
			f.ExchangeRate = money.MustParse(m.rate)
		}
	}
	addDiscounts(r, &f)
	addAdvances(r, &f)
	if r.IntN(4) == 0 {
		f.Notes = append(f.Notes, invoice.Note{Language: "en", Text: words[r.IntN(len(words))]})
	}
	if r.IntN(5) == 0 {
		f = rounded(f, []string{"0.01", "-0.01", "0"}[r.IntN(3)])
	}
	return f
}

func randomTaxes(r *rand.Rand, export bool) []invoice.Tax {
	if export {
		return []invoice.Tax{untaxed([]string{codes.ExportOfGoods, codes.ExportOfServices}[r.IntN(2)])}
	}
	choice := []invoice.Tax{
		Standard("15"), Standard("5"), untaxed("VATEX-SA-34-2"), untaxed("VATEX-SA-30"), untaxed(codes.OutOfScope),
	}
	r.Shuffle(len(choice), func(i, j int) { choice[i], choice[j] = choice[j], choice[i] })
	return choice[:1+r.IntN(len(choice))]
}

func randomLine(r *rand.Rand, taxes []invoice.Tax, i int) invoice.Line {
	l := invoice.Line{
		Name:     words[r.IntN(len(words))] + " " + strconv.Itoa(r.IntN(1000)) + " x",
		Price:    randomDecimal(r, 9, 2),
		Quantity: randomDecimal(r, 4, r.IntN(7)),
		Unit:     []string{"PCE", "KGM", "MTR", "LTR", "BOX"}[r.IntN(5)],
		Tax:      taxes[r.IntN(len(taxes))],
	}
	if i == 0 {
		l.Tax = taxes[0]
		// Amounts of half a halala show differences in rounding.
		l.Price, l.Quantity = money.MustParse("0.05"), money.MustParse([]string{"0.1", "0.3", "100.1", "3"}[r.IntN(4)])
	}
	return l
}

// randomDecimal returns a number greater than zero with up to the given numbers
// of digits before and after the decimal point.
func randomDecimal(r *rand.Rand, whole, places int) money.Decimal {
	text := strconv.FormatInt(r.Int64N(pow10(1+r.IntN(whole))), 10)
	if places > 0 {
		fraction := strconv.FormatInt(pow10(places)+r.Int64N(pow10(places)), 10)
		text += "." + fraction[1:]
	}
	d := money.MustParse(text)
	if d.IsZero() {
		return money.MustParse("0.07")
	}
	return d
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// addDiscounts adds discounts, each smaller than the amount of its line.
func addDiscounts(r *rand.Rand, f *invoice.Facts) {
	if r.IntN(3) > 0 {
		return
	}
	for _, l := range f.Lines[:1+r.IntN(min(3, len(f.Lines)))] {
		worth := l.Price.Mul(l.Quantity).Percent(money.FromInt(r.Int64N(100))).Round2()
		if worth.Less(l.Price.Mul(l.Quantity)) {
			f.Allowances = append(f.Allowances, invoice.Allowance{Amount: worth, Category: l.Tax.Category, Rate: l.Tax.Rate})
		}
	}
}

// addAdvances adds advances that together are less than the invoice total.
func addAdvances(r *rand.Rand, f *invoice.Facts) {
	if f.Kind != invoice.TaxInvoice || f.Transaction.Export || r.IntN(3) > 0 {
		return
	}
	d, err := invoice.Compute(*f)
	if err != nil {
		panic(err) // samples are always valid
	}
	share := d.WithoutVAT.Percent(money.FromInt(r.Int64N(40))).Round2()
	if share.IsZero() || !share.Less(money.FromInt(1_000_000_000_000)) {
		return
	}
	tax := f.Lines[r.IntN(len(f.Lines))].Tax
	f.Advances = append(f.Advances, advance("ADV-2026-000101", tax, share.String()))
	if r.IntN(2) == 0 {
		f.Advances = append(f.Advances, advance("ADV-2026-000102", Standard("5"), share.Percent(money.FromInt(50)).Round2().String()))
	}
}
