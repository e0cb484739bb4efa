package tools

import (
	"errors"
	"fmt"

	"khatm/check"
	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/rules"
	"khatm/service/internal/fault"
	"khatm/ubl"
)

// trial is an invoice checked against the rules.
type trial struct {
	in       Invoice
	document *invoice.Document
	xml      []byte // unsigned
	results  []result
}

// judge builds the document of an invoice and checks it against the rules, the
// UBL schema and the limits of the official rule sheets. It checks the encoded
// bytes, so that everything in them is covered.
func (s *Surface) judge(in Invoice) (trial, error) {
	if problem := in.problem(); problem != "" {
		return trial{}, refused(fault.UnusableInput, problem)
	}
	d, laid := in.document(s.NewID)
	if e := in.ExpectedPayable; e != nil && in.Payable == nil && !d.Payable.Equal(*e) {
		why := "more than 0.01 a line apart"
		if in.hasGrossPrice() {
			why = "the prices including VAT leave no such difference"
		}
		return trial{}, refused(fault.UnusableInput, fmt.Sprintf("expected_payable_amount: is %s, but the invoice comes to %s: %s", e.Fixed2(), d.Payable.Fixed2(), why))
	}
	canon, err := ubl.Write(laid)
	var unwritten *ubl.WriteError
	switch {
	case errors.As(err, &unwritten):
		return trial{}, refused(fault.UnusableInput, "The invoice cannot be written as UBL: "+unwritten.Reason)
	case err != nil:
		return trial{}, fmt.Errorf("write invoice %.40q: %w", in.Number, err)
	}
	t := trial{in: in, document: d, xml: canon.Bytes()}
	read, err := check.Read(t.xml)
	if err != nil {
		return trial{}, fmt.Errorf("read back invoice %.40q: %w", in.Number, err)
	}
	blamed := newBlamer(in)
	for _, r := range rules.CheckUnsealed(read.Invoice, s.Now()) {
		t.results = append(t.results, blamed.resultOf(r))
	}
	t.results = append(t.results, blamed.resultsOf(check.Form(read.Root))...)
	return t, nil
}

// maxAdvanceRows is the maximum number of breakdown rows of all advances together;
// each becomes about ten elements of the document.
const maxAdvanceRows = 10_000

// problem returns the problem that prevents building a document, or "".
func (in Invoice) problem() string {
	rows := 0
	for _, a := range in.Advances {
		rows += len(a.Breakdown)
	}
	if rows > maxAdvanceRows {
		return fmt.Sprintf("prepaid_invoices: must have at most %[2]d rows of vat_breakdown in total, not %[1]d", rows, maxAdvanceRows)
	}
	switch rate := in.ExchangeRate; {
	case rate == nil:
	case in.Currency == codes.Riyal && !rate.Equal(money.FromInt(1)):
		return "exchange_rate: must be 1 when the currency is SAR"
	case in.Currency != codes.Riyal && rate.Sign() <= 0 && in.VATInSAR == nil:
		return "exchange_rate: must be greater than 0 unless invoice_total_vat_amount_sar is sent"
	}
	return in.priceProblem()
}

// whole returns the invoice with all defaults and amounts filled in.
func (t trial) whole() Invoice {
	out := invoiceOf(t.document, t.document.Identity)
	if t.in.Transaction != nil { // it may have flags that facts cannot represent
		out.Transaction = t.in.Transaction
	}
	return out
}

// failures returns the failed results.
func (t trial) failures() []result {
	var out []result
	for _, r := range t.results {
		if r.Status == string(rules.Failed) {
			out = append(out, r)
		}
	}
	return out
}
