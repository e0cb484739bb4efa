package tools

import (
	"errors"
	"fmt"

	"khatm/check"
	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/rules"
	"khatm/ubl"
)

// trial is an invoice before the rulebook.
type trial struct {
	in       Invoice
	document *invoice.Document
	xml      []byte // without a stamp
	results  []result
}

// judge makes the document of an invoice and holds it against the book, the
// schema of UBL and what the official sheets can read. What is judged are the
// bytes: nothing stands in them that was not judged.
func (s *Surface) judge(in Invoice) (trial, error) {
	if problem := in.problem(); problem != "" {
		return trial{}, refused(problem)
	}
	d, laid := in.document(s.NewID)
	if e := in.ExpectedPayable; e != nil && in.Payable == nil && !d.Payable.Equal(*e) {
		return trial{}, refused(fmt.Sprintf("expected_payable_amount: is %s, but the invoice comes to %s: more than 0.01 a line apart", e.Fixed2(), d.Payable.Fixed2()))
	}
	canon, err := ubl.Write(laid)
	var unwritten *ubl.WriteError
	switch {
	case errors.As(err, &unwritten):
		return trial{}, refused("The invoice cannot be written as UBL: " + unwritten.Reason)
	case err != nil:
		return trial{}, fmt.Errorf("write invoice %.40q: %w", in.Number, err)
	}
	t := trial{in: in, document: d, xml: canon.Bytes()}
	read, err := check.Read(t.xml)
	if err != nil {
		return trial{}, fmt.Errorf("read what was written of invoice %.40q: %w", in.Number, err)
	}
	blamed := newBlamer(in)
	for _, r := range rules.CheckUnsealed(read.Invoice, s.Now()) {
		t.results = append(t.results, blamed.resultOf(r))
	}
	t.results = append(t.results, blamed.resultsOf(check.Form(read.Root))...)
	return t, nil
}

// maxAdvanceRows is how many rows the breakdowns of all advances may have: each
// is some ten elements of the document.
const maxAdvanceRows = 10_000

// problem is what keeps the invoice from being made a document of, or nothing.
func (in Invoice) problem() string {
	rows := 0
	for _, a := range in.Advances {
		rows += len(a.Breakdown)
	}
	if rows > maxAdvanceRows {
		return fmt.Sprintf("prepaid_invoices: have %d rows of vat_breakdown, at most %d can be worked with", rows, maxAdvanceRows)
	}
	switch rate := in.ExchangeRate; {
	case rate == nil:
	case in.Currency == codes.Riyal && !rate.Equal(money.FromInt(1)):
		return "exchange_rate: must be 1 when the currency is SAR"
	case in.Currency != codes.Riyal && rate.Sign() <= 0 && in.VATInSAR == nil:
		return "exchange_rate: must be greater than zero, or invoice_total_vat_amount_sar stated"
	}
	return ""
}

// whole is the invoice with every default and every amount.
func (t trial) whole() Invoice {
	out := invoiceOf(t.document, t.document.Identity)
	if t.in.Transaction != nil { // it may have more marks than the facts know
		out.Transaction = t.in.Transaction
	}
	return out
}

// failures are the results that failed.
func (t trial) failures() []result {
	var out []result
	for _, r := range t.results {
		if r.Status == string(rules.Failed) {
			out = append(out, r)
		}
	}
	return out
}
