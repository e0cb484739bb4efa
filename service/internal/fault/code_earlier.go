package fault

// Codes about invoices of older systems.
const (
	EarlierNotFound Code = "earlier_invoice_not_found"
	EarlierDiffers  Code = "earlier_invoice_differs"
)

var earlierEntries = []Entry{
	{
		Code: EarlierNotFound, Kind: NotFound,
		Says: "The earlier invoice does not exist, or belongs to another organisation.", Fix: "Read the list of earlier invoices again.",
		SaysAR: "الفاتورة السابقة غير موجودة.", FixAR: "اقرأ قائمة الفواتير السابقة مرة أخرى.",
	},
	{
		Code: EarlierDiffers, Kind: Conflict,
		Says: "An earlier invoice with this number is registered with other data.", Fix: "Check the number. A registered invoice cannot be changed.",
		SaysAR: "سُجّلت فاتورة سابقة بهذا الرقم ببيانات مختلفة.", FixAR: "تحقق من الرقم. لا يمكن تعديل فاتورة مسجلة.",
	},
}
