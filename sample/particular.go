package sample

import (
	"fmt"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
)

// advance returns an advance payment of the taxable amount plus VAT.
func advance(number string, tax invoice.Tax, taxable string) invoice.Advance {
	amount := money.MustParse(taxable)
	return invoice.Advance{
		Number: number, UUID: idOf(number), IssueDate: "2026-09-01", IssueTime: "09:30:00",
		Breakdown: []invoice.Subtotal{{Tax: tax, Taxable: amount, Amount: amount.Percent(tax.Rate).Round2()}},
	}
}

// deductions returns invoices that deduct one or several advances, at the rate
// of the invoice, at another rate and of another category.
func deductions() []Case {
	two := advance("ADV-2026-000004", Standard("15"), "12.34")
	two.Breakdown = append(two.Breakdown, advance("", Standard("5"), "5.55").Breakdown...)
	advances := []struct {
		name string
		list []invoice.Advance
	}{
		{"one", []invoice.Advance{advance("ADV-2026-000001", Standard("15"), "40")}},
		{"several", []invoice.Advance{advance("ADV-2026-000001", Standard("15"), "10.01"), advance("ADV-2026-000002", Standard("15"), "20.07")}},
		{"other-rate", []invoice.Advance{advance("ADV-2026-000003", Standard("5"), "33.33")}},
		{"two-rates", []invoice.Advance{two}},
		{"other-category", []invoice.Advance{advance("ADV-2026-000005", untaxed("VATEX-SA-29"), "25")}},
	}
	var cases []Case
	for _, sale := range sales[:2] {
		for _, mix := range []string{"s15", "s15-z", "z", "all"} {
			for _, m := range moneys[:2] {
				for _, a := range advances {
					f := build(invoice.TaxInvoice, sale.transaction, taxesOf(mix))
					f.Currency, f.ExchangeRate = m.currency, money.MustParse(m.rate)
					f.Advances = a.list
					cases = append(cases, Case{fmt.Sprintf("388-%s-%s-%s-advance-%s", sale.name, mix, m.name, a.name), f})
				}
			}
		}
	}
	return cases
}

func taxesOf(mix string) []invoice.Tax {
	for _, m := range mixes {
		if m.name == mix {
			return m.taxes
		}
	}
	return nil
}

// reasons returns documents for each exemption reason.
func reasons() []Case {
	var cases []Case
	for _, r := range codes.Reasons() {
		for _, sale := range sales[:2] {
			f := build(invoice.TaxInvoice, sale.transaction, []invoice.Tax{untaxed(r.Code)})
			if r.Code == codes.PrivateEducation || r.Code == codes.PrivateHealthcare {
				f.Buyer = Citizen()
			}
			cases = append(cases, Case{"388-" + sale.name + "-" + r.Code, f})
		}
	}
	return cases
}

// particulars returns the special cases that the combinations do not cover.
func particulars() []Case {
	cases := []Case{
		{"till", Simplified()},
		{"credit", Invoice()},
		{"rounding-up", rounded(Simplified(), "0.01")},
		{"rounding-down", rounded(Simplified(), "-0.02")},
		{"two-reasons-of-one-category", build(invoice.TaxInvoice, invoice.Transaction{},
			[]invoice.Tax{untaxed("VATEX-SA-35"), untaxed("VATEX-SA-36")})},
		{"two-reasons-of-exemption", build(invoice.TaxInvoice, invoice.Transaction{Simplified: true},
			[]invoice.Tax{untaxed("VATEX-SA-29"), Standard("15"), untaxed("VATEX-SA-30")})},
		{"two-texts-of-one-reason", build(invoice.TaxInvoice, invoice.Transaction{},
			[]invoice.Tax{untaxed(codes.OutOfScope), reworded(untaxed(codes.OutOfScope), "غرامة تأخير")})},
		{"whole-discount", wholeDiscount()},
		{"named-consumer", withBuyer(Simplified(), Citizen())},
		{"foreign-consumer", withBuyer(Simplified(), Foreigner())},
		{"export-to-saudi-buyer", withBuyer(build(invoice.TaxInvoice, invoice.Transaction{Export: true}, taxesOf("z32")), Business())},
		{"buyer-without-vat-number", withBuyer(Invoice(), Citizen())},
		{"several-originals", severalOriginals()},
		{"largest-amounts", largest()},
		{"difficult-texts", difficultTexts()},
		{"shelf-prices", shelfPrices()},
		{"shelf-prices-and-net-prices", mixedPrices()},
		{"shelf-prices-note", shelfNote()},
	}
	for _, flag := range []invoice.Transaction{
		{ThirdParty: true}, {Nominal: true}, {Summary: true}, {SelfBilled: true}, {Simplified: true, Nominal: true},
	} {
		f := build(invoice.TaxInvoice, flag, taxesOf("s15"))
		cases = append(cases, Case{"transaction-" + flag.String(), f})
	}
	return cases
}

func reworded(t invoice.Tax, text string) invoice.Tax {
	t.ReasonText = text
	return t
}

func withBuyer(f invoice.Facts, b *invoice.Buyer) invoice.Facts {
	f.Buyer = b
	return f
}

func rounded(f invoice.Facts, by string) invoice.Facts {
	d, err := invoice.Compute(f)
	if err != nil {
		panic(err) // samples are always valid
	}
	expected := d.Payable.Add(money.MustParse(by))
	f.ExpectedPayable = &expected
	return f
}

func wholeDiscount() invoice.Facts {
	f := build(invoice.TaxInvoice, invoice.Transaction{}, taxesOf("s15-z"))
	f.Lines = f.Lines[:2]
	f.Allowances = []invoice.Allowance{{Amount: f.Lines[0].Price.Mul(f.Lines[0].Quantity).Round2(), Category: "S", Rate: f.Lines[0].Tax.Rate}}
	return f
}

func severalOriginals() invoice.Facts {
	f := build(invoice.CreditNote, invoice.Transaction{}, taxesOf("s15"))
	f.Originals = append(f.Originals, invoice.Original{Number: "INV-2026-000018"}, invoice.Original{Number: "INV-2025-001200", IssueDate: "2025-12-31"})
	return f
}

func largest() invoice.Facts {
	f := Invoice()
	f.Lines[0].Price = money.MustParse("999999999.99")
	f.Lines[0].Quantity = money.MustParse("9999.999999")
	return f
}

// difficultTexts returns a document with every character that XML must escape,
// white space that canonical XML keeps, and characters outside the Basic
// Multilingual Plane.
func difficultTexts() invoice.Facts {
	f := Invoice()
	f.Buyer.NameArabic = ""
	f.Buyer.Name = `A & B <"C"> 'D' ]]> Ltd.`
	f.Notes = []invoice.Note{
		{Language: "ar", Text: "سطر أول\nسطر ثانٍ\tبعد جدولة\rنهاية"},
		{Language: "en", Text: "emoji 🧾, riyal sign \u20c1, e\u0301 composed, \u200f mark, \u00a0 blank"},
	}
	f.Lines[0].Name = "  صنف «خاص» & <مميز>  "
	f.PaymentTerms = `50% now & 50% > 30 days`
	return f
}
