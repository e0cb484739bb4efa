package codes

// BuyerStatus returns the words that the buyer of a document sees for its
// status, a key of InvoiceStatuses. A simplified document is valid once it is
// issued, a standard one only when the authority has cleared it, so the words
// for a document without a response depend on its kind. A note is masculine in
// Arabic.
func BuyerStatus(documentType int, simplified bool, status string) (Word, bool) {
	switch {
	case status != "Unanswered" && status != "No response":
	case simplified:
		status = "awaiting_reporting"
	default:
		status = "awaiting_clearance"
	}
	if documentType == CreditNote || documentType == DebitNote {
		if w, ok := buyerStatuses.find("note_" + status); ok {
			return w, true
		}
	}
	if w, ok := buyerStatuses.find(status); ok {
		return w, true
	}
	return invoiceStatuses.find(status)
}

var buyerStatuses = words([]Word{
	{"awaiting_clearance", "Awaiting clearance", "بانتظار اعتماد الهيئة"},
	{"awaiting_reporting", "Issued, awaiting reporting", "صادرة، بانتظار إبلاغ الهيئة"},
	{"note_CLEARED", "Cleared", "معتمد من الهيئة"},
	{"note_REPORTED", "Reported", "أُبلغت به الهيئة"},
	{"note_NOT_CLEARED", "Not cleared", "مرفوض من الهيئة"},
	{"note_NOT_REPORTED", "Not reported", "مرفوض من الهيئة"},
	{"note_awaiting_reporting", "Issued, awaiting reporting", "صادر، بانتظار إبلاغ الهيئة"},
})
