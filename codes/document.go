package codes

// Codes of the document types.
const (
	TaxInvoice     = 388
	CreditNote     = 381
	DebitNote      = 383
	AdvancePayment = 386
)

// DocumentType is a type of tax document (UNTDID 1001).
type DocumentType struct {
	Key  string
	Code int
	EN   string
	AR   string
}

// DocumentTypes returns the four document types.
func DocumentTypes() []DocumentType { return documentTypes.all() }

// FindDocumentType returns the document type with the given code.
func FindDocumentType(code int) (DocumentType, bool) { return documentTypes.find(code) }

var documentTypes = listBy(func(d DocumentType) int { return d.Code }, []DocumentType{
	{"TAX_INVOICE", TaxInvoice, "Tax invoice", "فاتورة ضريبية"},
	{"CREDIT_NOTE", CreditNote, "Credit note", "إشعار دائن"},
	{"DEBIT_NOTE", DebitNote, "Debit note", "إشعار مدين"},
	{"ADVANCE_PAYMENT_INVOICE", AdvancePayment, "Advance payment invoice", "فاتورة ضريبية – دفعة مقدمة"},
})
