package tools

// What tests from outside look at.
var (
	InvoiceOf   = invoiceOf
	InvoiceFrom = invoiceFrom
	Laid        = Invoice.document
)
