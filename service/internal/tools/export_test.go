package tools

import "slices"

// What tests from outside look at.
var (
	InvoiceOf   = invoiceOf
	InvoiceFrom = invoiceFrom
	Laid        = Invoice.document
)

// FailuresOf are the ids of what is wrong with an invoice, in order.
func FailuresOf(s *Surface, in Invoice) ([]string, error) {
	t, err := s.judge(in)
	ids := each(t.failures(), func(r result) string { return r.Rule })
	slices.Sort(ids)
	return ids, err
}
