package sample

import (
	"fmt"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
)

// Case is a document with a name that describes it, such as
// "388-standard-s15-sar-discount".
type Case struct {
	Name  string
	Facts invoice.Facts
}

// The document types, transactions and currencies that Every combines.
var (
	kinds = []invoice.Kind{invoice.TaxInvoice, invoice.CreditNote, invoice.DebitNote, invoice.AdvancePayment}
	sales = []struct {
		name        string
		transaction invoice.Transaction
	}{
		{"standard", invoice.Transaction{}},
		{"simplified", invoice.Transaction{Simplified: true}},
		{"export", invoice.Transaction{Export: true}},
	}
	moneys = []struct{ name, currency, rate string }{
		{"sar", "SAR", "1"},
		{"usd", "USD", "3.7525"},
		{"jpy", "JPY", "0.024391"},
	}
)

// mixes are combinations of VAT categories. Those with exports set are used for
// exports only, the others never.
var mixes = []struct {
	name    string
	taxes   []invoice.Tax
	exports bool
}{
	{"s15", []invoice.Tax{Standard("15")}, false},
	{"s5", []invoice.Tax{Standard("5")}, false},
	{"z", []invoice.Tax{untaxed("VATEX-SA-35")}, false},
	{"e", []invoice.Tax{untaxed("VATEX-SA-30")}, false},
	{"o", []invoice.Tax{untaxed("VATEX-SA-OOS")}, false},
	{"s15-s5", []invoice.Tax{Standard("15"), Standard("5")}, false},
	{"s15-z", []invoice.Tax{Standard("15"), untaxed("VATEX-SA-34-1")}, false},
	{"s15-e-o", []invoice.Tax{Standard("15"), untaxed("VATEX-SA-29"), untaxed("VATEX-SA-OOS")}, false},
	{"all", []invoice.Tax{Standard("15"), Standard("5"), untaxed("VATEX-SA-36"), untaxed("VATEX-SA-29-7"), untaxed("VATEX-SA-OOS")}, false},
	{"z32", []invoice.Tax{untaxed("VATEX-SA-32")}, true},
	{"z33", []invoice.Tax{untaxed("VATEX-SA-33")}, true},
}

// untaxed returns the VAT category of an exemption reason, at rate zero.
func untaxed(code string) invoice.Tax {
	reason, _ := codes.FindReason(code)
	text := reason.AR
	if code == codes.OutOfScope {
		text = "توريد خارج نطاق الضريبة"
	}
	return invoice.Tax{Category: reason.Category, ReasonCode: code, ReasonText: text}
}

// Every returns a document for each combination of document type, transaction,
// VAT categories, currency and discount. It then adds documents with advances,
// payable rounding, each exemption reason and other special cases.
func Every() []Case {
	var cases []Case
	for _, kind := range kinds {
		for _, sale := range sales {
			for _, mix := range mixes {
				if mix.exports != sale.transaction.Export {
					continue
				}
				for _, m := range moneys {
					for _, discounted := range []bool{false, true} {
						name := fmt.Sprintf("%d-%s-%s-%s", kind, sale.name, mix.name, m.name)
						f := build(kind, sale.transaction, mix.taxes)
						f.Currency, f.ExchangeRate = m.currency, money.MustParse(m.rate)
						if discounted {
							name += "-discount"
							f.Allowances = discounts(mix.taxes)
						}
						cases = append(cases, Case{name, f})
					}
				}
			}
		}
	}
	cases = append(cases, deductions()...)
	cases = append(cases, reasons()...)
	return append(cases, particulars()...)
}

// build returns a document whose lines use the taxes in turn.
func build(kind invoice.Kind, transaction invoice.Transaction, taxes []invoice.Tax) invoice.Facts {
	f := Invoice()
	f.Kind, f.Transaction = kind, transaction
	f.PaymentMeans, f.PaymentTerms = "48", ""
	if transaction.Simplified {
		f.Buyer = nil
	}
	if transaction.Export {
		f.Buyer = Foreigner()
	}
	if kind.IsNote() {
		f.Reason = "إلغاء جزئي للتوريد | Part of the goods came back"
		f.Originals = []invoice.Original{{Number: "INV-2026-000017", IssueDate: "2026-10-28"}}
	}
	if kind == invoice.AdvancePayment {
		f.SupplyDate, f.SupplyEndDate = "", ""
	}
	prices := []string{"100", "33.33", "0.01", "999999.99", "12.50", "7.05"}
	quantities := []string{"1", "3", "2.5", "0.333333", "10", "1000"}
	f.Lines = nil
	for i := range 2*len(taxes) + 1 {
		f.Lines = append(f.Lines, invoice.Line{
			Name:     fmt.Sprintf("صنف رقم %d | Item %d", i+1, i+1),
			Price:    money.MustParse(prices[i%len(prices)]),
			Quantity: money.MustParse(quantities[(i/2+i)%len(quantities)]),
			Unit:     "PCE",
			Tax:      taxes[i%len(taxes)],
		})
	}
	return f
}

// discounts returns a discount for each of the taxes.
func discounts(taxes []invoice.Tax) []invoice.Allowance {
	var all []invoice.Allowance
	for i, t := range taxes {
		a := invoice.Allowance{Amount: money.MustParse("1.07"), Category: t.Category, Rate: t.Rate}
		switch i % 3 {
		case 1:
			a.ReasonCode, a.Reason = "100", "خصم خاص"
		case 2:
			a.Reason = "خصم الكمية"
		}
		all = append(all, a)
	}
	return all
}
