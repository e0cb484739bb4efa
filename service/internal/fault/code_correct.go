package fault

// Codes about corrections of rejected invoices.
const (
	InvoiceNotRejected Code = "invoice_not_rejected"
	InvoiceReplaced    Code = "invoice_replaced"
)

var correctEntries = []Entry{
	{
		Code: InvoiceNotRejected, Kind: Conflict,
		Says: "The authority has not rejected the invoice.", Fix: "Correct an accepted invoice by a credit or debit note.",
		SaysAR: "لم ترفض الهيئة هذه الفاتورة.", FixAR: "صحّح الفاتورة المقبولة بإشعار دائن أو مدين.",
	},
	{
		Code: InvoiceReplaced, Kind: Conflict,
		Says: "The rejected invoice was replaced by another one.", Fix: "Read the correction of the invoice for the UUID of its replacement.",
		SaysAR: "حلّت فاتورة أخرى محل الفاتورة المرفوضة.", FixAR: "اقرأ تصحيح الفاتورة لمعرفة معرّف الفاتورة البديلة.",
	},
}
