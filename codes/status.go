package codes

// InvoiceStatuses returns the labels of the authority's response to an invoice.
// The keys are the values of authority_response_status, and Unanswered for an
// invoice without a response.
func InvoiceStatuses() []Word { return invoiceStatuses.all() }

// FindInvoiceStatus returns the label of an authority_response_status.
func FindInvoiceStatus(status string) (Word, bool) { return invoiceStatuses.find(status) }

var invoiceStatuses = words([]Word{
	{"CLEARED", "Cleared", "معتمدة"},
	{"REPORTED", "Reported", "مُبلَّغ عنها"},
	{"NOT_CLEARED", "Not cleared", "غير معتمدة"},
	{"NOT_REPORTED", "Not reported", "لم يُقبل الإبلاغ"},
	{"No response", "No response", "لا رد"},
	{"Unanswered", "Awaiting response", "بانتظار الرد"},
})
