package tools

// Exported for tests.
var (
	InvoiceOf   = invoiceOf
	InvoiceFrom = invoiceFrom
	Laid        = Invoice.document
)
