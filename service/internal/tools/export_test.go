package tools

import "time"

// Exported for tests.
var (
	InvoiceOf   = invoiceOf
	InvoiceFrom = invoiceFrom
	Laid        = Invoice.document
)

// WaitFor sets how long files wait for a slot.
func WaitFor(d time.Duration) { maxWait = d }
