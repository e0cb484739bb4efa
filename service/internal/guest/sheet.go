package guest

import (
	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/share"
)

// sheet is a document as shown on the page, with all values formatted.
type sheet struct {
	Title, OtherTitle string
	NumberLabel       string
	Number            string // "" for a draft
	Issued            day
	Version           int // version of a draft
	Supply, SupplyEnd day
	Currency          string // code written before the payable amount; "" for riyals
	Riyal             *riyal // sign of the riyal, or nil
	Seller            party
	Buyer             *party
	Lines             []line
	Allowances        []sum
	Advances          []sum
	Originals         []original
	Reason            string // reason of a credit or debit note
	Breakdown         []taxed
	Totals            []sum
	PayableLabel      string
	Payable           string
	Means, Terms      string
	Paid              string
	Notes             []note
}

// line is one line of the document.
type line struct {
	Name, Quantity, Unit, Price, Net, Rate, VAT, Total string

	GrossPrice string // unit price including VAT; "" if the line is priced before VAT
}

// sum is an amount with its label.
type sum struct{ Label, Amount string }

// original is a document corrected by this one.
type original struct {
	Number string
	Issued day
}

// taxed is the VAT of one category and rate.
type taxed struct{ Category, Rate, Reason, Taxable, VAT string }

// note is a free text with its language.
type note struct{ Lang, Text string }

// sheetOf formats a document in a language. The caller sets number and issue
// date, which a draft does not have.
func sheetOf(l language, i ledger.Invoice) sheet {
	r := i.Record
	title, _ := codes.Title(int(i.Kind), i.Transaction.Simplified)
	s := sheet{
		Title: l.of(title), OtherTitle: l.Other().of(title), Supply: l.dayOf(r.SupplyDate),
		Seller: partyOf(l, "seller", r.Seller), Payable: amount(r.Totals.Payable), Means: means(l, r.PaymentMeans), Terms: clean(r.PaymentTerms), Reason: clean(r.ReasonText),
		Totals: totalsOf(l, r), NumberLabel: l.of(word("invoice_number")), PayableLabel: l.of(word("amount_due")),
	}
	if r.Currency == codes.Riyal {
		s.Riyal = &riyal{riyalPath, share.Currency(string(l), r.Currency)}
	} else {
		s.Currency = r.Currency
	}
	if int(i.Kind) == codes.CreditNote || int(i.Kind) == codes.DebitNote {
		s.NumberLabel, s.PayableLabel = l.of(word("note_number")), l.of(word("note_total"))
		if s.Terms == s.Reason {
			s.Terms = "" // a note that is paid by transfer repeats its reason as terms
		}
	}
	if r.SupplyEndDate != r.SupplyDate {
		s.SupplyEnd = l.dayOf(r.SupplyEndDate)
	}
	if r.Buyer != nil {
		buyer := partyOf(l, "buyer", *r.Buyer)
		s.Buyer = &buyer
	}
	s.lists(l, r)
	return s
}

// lists formats the lines, discounts and other lists.
func (s *sheet) lists(l language, r ledger.Record) {
	for _, one := range r.Lines {
		unit, _ := codes.FindUnit(one.Unit)
		s.Lines = append(s.Lines, line{
			Name: clean(l.pick(one.Name, one.NameArabic)), Quantity: money.Grouped(one.Quantity.String()), Unit: orCode(l.pick(unit.EN, unit.AR), one.Unit),
			Price: price(one.Price), GrossPrice: grossPrice(one.GrossPrice), Net: amount(one.Net), Rate: percent(one.Rate), VAT: amount(one.VAT), Total: amount(one.Total),
		})
	}
	for _, one := range r.Allowances {
		reason, _ := codes.FindAllowanceReason(one.ReasonCode)
		s.Allowances = append(s.Allowances, sum{clean(orCode(one.Reason, l.pick(reason.EN, reason.AR))), amount(one.Amount)})
	}
	for _, one := range r.Advances {
		s.Advances = append(s.Advances, sum{clean(one.Number), amount(one.Amount)})
	}
	for _, one := range r.Originals {
		s.Originals = append(s.Originals, original{clean(one.Number), l.dayOf(one.IssueDate)})
	}
	for _, one := range r.Breakdown {
		category, _ := codes.FindCategory(one.Category)
		s.Breakdown = append(s.Breakdown, taxed{
			Category: orCode(l.pick(category.EN, category.AR), one.Category), Rate: percent(one.Rate), Reason: reasonOf(l, one),
			Taxable: amount(one.Taxable), VAT: amount(one.VAT),
		})
	}
	for _, one := range r.Notes {
		s.Notes = append(s.Notes, note{one.Language, clean(one.Text)})
	}
}

// totalsOf formats the totals above the payable amount. Optional totals that
// are zero are left out.
func totalsOf(l language, r ledger.Record) []sum {
	t := r.Totals
	all := []sum{{l.of(word("lines_total")), amount(t.Lines)}}
	some := func(key string, d money.Decimal) {
		if !d.IsZero() {
			all = append(all, sum{l.of(word(key)), amount(d)})
		}
	}
	some("discount", t.Allowances.Neg())
	all = append(all, sum{l.of(word("total_excluding_vat")), amount(t.WithoutVAT)}, sum{l.of(word("vat_total")), amount(t.VAT)})
	if r.Currency != codes.Riyal {
		all = append(all, sum{l.of(word("vat_total_sar")), amount(t.VATInSAR)})
	}
	all = append(all, sum{l.of(word("total_including_vat")), amount(t.WithVAT)})
	some("prepaid", t.Prepaid.Neg())
	some("rounding", t.Rounding)
	return all
}

// reasonOf returns the reason for charging no VAT, or "".
func reasonOf(l language, s ledger.Subtotal) string {
	if s.ReasonCode == "" {
		return clean(s.ReasonText)
	}
	known, _ := codes.FindReason(s.ReasonCode)
	text := orCode(s.ReasonText, l.pick(known.EN, known.AR))
	if l == arabic && known.AR != "" && !mustOwn(s.Category) {
		text = known.AR
	}
	return clean(text)
}

// mustOwn reports whether the category needs a reason in the taxpayer's own
// words.
func mustOwn(category string) bool {
	c, _ := codes.FindCategory(category)
	return c.FreeText
}

func percent(rate money.Decimal) string { return rate.String() + "%" }

func means(l language, code string) string {
	m, _ := codes.FindPaymentMeans(code)
	return l.pick(m.EN, m.AR)
}

// paidWord returns the payment status, or "" while no payment is recorded.
func paidWord(l language, p ledger.Payment) string {
	if p == ledger.Pending {
		return ""
	}
	w, _ := codes.FindPaymentStatus(string(p))
	return l.of(w)
}

// statusOf returns the status of an invoice in words and the CSS class for it.
func statusOf(l language, i ledger.Invoice) (text, standing string) {
	standing = "waiting"
	if i.Status.Accepted() {
		standing = "accepted"
	}
	w, _ := buyerStatus(i)
	return l.of(w), standing
}

// buyerStatus returns the status of an invoice in words for its buyer.
func buyerStatus(i ledger.Invoice) (codes.Word, bool) {
	status := string(i.Status)
	if i.Status == ledger.Unanswered {
		status = "Unanswered"
	}
	return codes.BuyerStatus(int(i.Kind), i.Transaction.Simplified, status)
}

// orCode returns text, or instead if text is empty.
func orCode(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}
