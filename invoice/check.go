package invoice

import (
	"time"
	"unicode/utf8"

	"khatm/codes"
	"khatm/money"
	"khatm/ubl"

	"golang.org/x/text/unicode/norm"
)

// Limits of a document.
const (
	MaxLines = 4_000 // lines, including those that deduct advances
	// maxFew limits lists that are usually short: notes, buyer IDs, and the
	// breakdown of an advance.
	maxFew       = 100
	maxOriginals = 1_000
	MaxText      = 1_000 // characters of a text, counted after Unicode NFC
	// MaxSellerName is in bytes of UTF-8. The name goes into the QR code, where
	// the authority rejects a value of more than 127 bytes.
	MaxSellerName = 127
	maxQuantity   = 6  // decimal places
	maxRateText   = 14 // BR-KSA-90: characters of the exchange rate, including the point
)

// check returns all problems with the facts, in the order of the JSON fields.
func (f *Facts) check() Problems {
	var ps Problems
	f.checkKind(&ps)
	f.checkDates(&ps)
	f.checkCurrency(&ps)
	f.checkPayment(&ps)
	f.checkNotes(&ps)
	f.checkSeller(&ps)
	f.checkBuyer(&ps)
	f.checkLines(&ps)
	f.checkAllowances(&ps)
	f.checkAdvances(&ps)
	f.checkOriginals(&ps)
	if e := f.ExpectedPayable; e != nil && (e.Sign() < 0 || e.Places() > 2) {
		ps.add("expected_payable_amount", "must be zero or more, with at most two decimals")
	}
	return ps
}

func (f *Facts) checkKind(ps *Problems) {
	if !f.Kind.known() {
		ps.add("type_code", "must be 388, 381, 383 or 386")
	}
	t := f.Transaction
	if t.Simplified && t.SelfBilled {
		ps.add("transaction_code", "a simplified document cannot be self-billed")
	}
	if t.Export && t.SelfBilled {
		ps.add("transaction_code", "an export cannot be self-billed")
	}
}

func (f *Facts) checkDates(ps *Problems) {
	needed := f.Kind == TaxInvoice && !f.Transaction.Simplified || f.SupplyEndDate != ""
	start := ps.date("supply_date", f.SupplyDate, needed)
	end := ps.date("supply_end_date", f.SupplyEndDate, false)
	if start && end && f.SupplyEndDate < f.SupplyDate {
		ps.add("supply_end_date", "must not be before supply_date")
	}
}

func (f *Facts) checkCurrency(ps *Problems) {
	if !codes.IsCurrency(f.Currency) {
		ps.add("currency", "must be a currency code that the tax authority accepts, such as SAR")
	}
	rate, one := f.ExchangeRate, money.FromInt(1)
	switch {
	case f.Currency == codes.Riyal && !rate.Equal(one):
		ps.add("exchange_rate", "must be 1 when the currency is SAR")
	case f.Currency != codes.Riyal && (rate.Sign() <= 0 || rate.Equal(one)):
		ps.add("exchange_rate", "must be the rate to SAR: greater than zero and not 1")
	case len(rate.String()) > maxRateText:
		ps.add("exchange_rate", "must have at most %d characters", maxRateText)
	}
}

func (f *Facts) checkPayment(ps *Problems) {
	means, known := codes.FindPaymentMeans(f.PaymentMeans)
	if !known && (f.PaymentMeans != "" || f.Kind.IsNote()) {
		ps.add("payment_means_type_code", "must be one of the payment means codes, such as 10 (in cash)")
	}
	ps.text("payment_terms", f.PaymentTerms)
	switch {
	case known && means.Text() == codes.CreditTransfer && ubl.IsBlank(f.PaymentTerms):
		ps.add("payment_terms", "Payment terms are required for credit payment.")
	case f.PaymentMeans == "" && f.PaymentTerms != "":
		ps.add("payment_terms", "must be sent together with a payment_means_type_code")
	}
	ps.text("reason", f.Reason)
	switch {
	case f.Kind.IsNote() && ubl.IsBlank(f.Reason):
		ps.add("reason", "is required on a credit or debit note")
	case !f.Kind.IsNote() && f.Reason != "":
		ps.add("reason", "is allowed on a credit or debit note only")
	}
}

func (f *Facts) checkNotes(ps *Problems) {
	if len(f.Notes) > maxFew {
		ps.add("notes", "must have at most %d entries", maxFew)
		return
	}
	for i, n := range f.Notes {
		if n.Language != "en" && n.Language != "ar" {
			ps.add(at("notes", i, "language_id"), "must be en or ar")
		}
		ps.requireText(at("notes", i, "note"), n.Text)
	}
}

func (f *Facts) checkOriginals(ps *Problems) {
	const list = "original_invoice_reference"
	switch {
	case f.Kind.IsNote() && len(f.Originals) == 0:
		ps.add(list, "a credit or debit note must name the invoice it corrects")
	case !f.Kind.IsNote() && len(f.Originals) > 0:
		ps.add(list, "only a credit or debit note may name an original invoice")
	case len(f.Originals) > maxOriginals:
		ps.add(list, "must have at most %d entries", maxOriginals)
		return
	}
	for i, o := range f.Originals {
		ps.requireText(at(list, i, "ref_num"), o.Number)
		ps.date(at(list, i, "issue_date"), o.IssueDate, false)
	}
}

// requireText reports a text that is blank or invalid.
func (ps *Problems) requireText(path, text string) {
	if ubl.IsBlank(text) {
		ps.add(path, "must not be empty")
		return
	}
	ps.text(path, text)
}

// text reports a text that is too long or cannot be written as XML.
func (ps *Problems) text(path, text string) {
	if r, _, found := ubl.IllegalCharacter(text); found {
		if r == utf8.RuneError {
			ps.add(path, "is not valid UTF-8")
			return
		}
		ps.add(path, "contains the character %U, which is not allowed in XML", r)
		return
	}
	if longer(text, MaxText) {
		ps.add(path, "must have at most %d characters", MaxText)
	}
}

// longer reports whether a text has more than limit characters after Unicode NFC,
// so that é counts as one in either encoding.
func longer(text string, limit int) bool {
	if 2*len(text) <= limit { // NFC makes no more than two characters of a byte
		return false
	}
	if !norm.NFC.IsNormalString(text) {
		text = norm.NFC.String(text)
	}
	return utf8.RuneCountInString(text) > limit
}

// date adds a problem if the date is not written YYYY-MM-DD, is before 2000, or
// is missing although needed. It reports whether the date is present and valid.
func (ps *Problems) date(path, text string, needed bool) bool {
	if text == "" {
		if needed {
			ps.add(path, "is required")
		}
		return false
	}
	if t, err := time.Parse(time.DateOnly, text); err != nil || t.Year() < 2000 {
		ps.add(path, "must be a date from 2000 on, written YYYY-MM-DD")
		return false
	}
	return true
}

func (ps *Problems) timeOfDay(path, text string) {
	if _, err := time.Parse(time.TimeOnly, text); err != nil || len(text) != len(time.TimeOnly) {
		ps.add(path, "must be a time written HH:MM:SS")
	}
}

// digits reports whether a text consists of n ASCII digits.
func digits(text string, n int) bool {
	if len(text) != n {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
