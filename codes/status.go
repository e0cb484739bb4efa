package codes

// InvoiceStatuses returns the words for what the authority said about an
// invoice. The keys are the values of authority_response_status, and
// Unanswered for an invoice that has none yet.
func InvoiceStatuses() []Word { return invoiceStatuses.all() }

// FindInvoiceStatus looks the word for a status up.
func FindInvoiceStatus(status string) (Word, bool) { return invoiceStatuses.find(status) }

var invoiceStatuses = words([]Word{
	{"CLEARED", "Cleared", "معتمدة"},
	{"REPORTED", "Reported", "مُبلَّغ عنها"},
	{"NOT_CLEARED", "Not cleared", "غير معتمدة"},
	{"NOT_REPORTED", "Not reported", "لم يُقبل الإبلاغ"},
	{"No response", "No response", "لا رد"},
	{"Unanswered", "Awaiting response", "بانتظار الرد"},
})
