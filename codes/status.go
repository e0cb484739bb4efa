package codes

// InvoiceStatuses returns the words for what the authority said about an
// invoice. The keys are the values of authority_response_status, and
// Unanswered for an invoice that has none yet.
func InvoiceStatuses() []Word { return invoiceStatuses.all() }

// FindInvoiceStatus looks the word for a status up.
func FindInvoiceStatus(status string) (Word, bool) { return invoiceStatuses.find(status) }

var invoiceStatuses = words([]Word{
	{"CLEARED", "Cleared", "معتمدة من الهيئة"},
	{"REPORTED", "Reported", "أُبلغت بها الهيئة"},
	{"NOT_CLEARED", "Not cleared", "مرفوضة من الهيئة"},
	{"NOT_REPORTED", "Not reported", "مرفوضة من الهيئة"},
	{"No response", "No response", "لم ترد الهيئة بعد"},
	{"Unanswered", "Awaiting response", "لم ترد الهيئة بعد"},
})
