package fault

// Codes about records and paths that do not exist or cannot be changed.
const (
	PathNotFound     Code = "path_not_found"
	MethodNotAllowed Code = "method_not_allowed"
	InvoiceNotFound  Code = "invoice_not_found"
	PDFNotFound      Code = "invoice_pdf_not_found"
	BuyerNotFound    Code = "buyer_not_found"
	ItemNotFound     Code = "item_not_found"
	LogoNotFound     Code = "logo_not_found"
	ImageNotFound    Code = "image_not_found"
	DraftNotFound    Code = "draft_not_found"
	LetterNotFound   Code = "letter_not_found"
	LinkNotFound     Code = "link_not_found"
	ReasonNotFound   Code = "reason_not_found"
	BranchNotFound   Code = "branch_not_found"
	RecordNotFound   Code = "record_not_found"
	InvoiceAnswered  Code = "invoice_answered"
	InvoiceSending   Code = "invoice_sending"
	InvoiceQueued    Code = "invoice_queued"
	InvoiceRejected  Code = "invoice_rejected"
	VATNumberFixed   Code = "vat_number_fixed"
	StateConflict    Code = "state_conflict"
)

var recordEntries = []Entry{
	{
		Code: PathNotFound, Kind: NotFound,
		Says: "No operation has this path.", Fix: "Correct the path. Paths end with a slash.",
		SaysAR: "لا توجد عملية بهذا المسار.", FixAR: "صحّح المسار. تنتهي المسارات بشرطة مائلة.",
	},
	{
		Code: MethodNotAllowed, Kind: NotAllowed,
		Says: "The path does not support the method.", Fix: "Use a method listed in Allow.",
		SaysAR: "المسار لا يقبل هذه الطريقة.", FixAR: "استخدم طريقة مذكورة في Allow.",
	},
	{
		Code: InvoiceNotFound, Kind: NotFound,
		Says: "The invoice does not exist, or belongs to another organisation.", Fix: "Read the uuid from GET /api/invoices/.",
		SaysAR: "الفاتورة غير موجودة.", FixAR: "اقرأ المعرّف من GET \u200e/api/invoices/\u200e.",
	},
	{
		Code: PDFNotFound, Kind: NotFound,
		Says: "The invoice has no PDF: it is not accepted yet, or was rejected.", Fix: "Wait until invoice_pdf_url is set. A rejected invoice has no PDF.",
		SaysAR: "لا يوجد ملف PDF لهذه الفاتورة.", FixAR: "انتظر حتى يظهر invoice_pdf_url. لا يوجد ملف PDF لفاتورة مرفوضة.",
	},
	{
		Code: BuyerNotFound, Kind: NotFound,
		Says: "The client does not exist, or belongs to another organisation.", Fix: "Read the uuid from GET /api/buyers/.",
		SaysAR: "العميل غير موجود.", FixAR: "اقرأ المعرّف من GET \u200e/api/buyers/\u200e.",
	},
	{
		Code: ItemNotFound, Kind: NotFound,
		Says: "The item does not exist, or belongs to another organisation.", Fix: "Read the uuid from GET /api/items/.",
		SaysAR: "الصنف غير موجود.", FixAR: "اقرأ المعرّف من GET \u200e/api/items/\u200e.",
	},
	{
		Code: LogoNotFound, Kind: NotFound,
		Says: "The client or the organisation has no logo.", Fix: "Read logo_url of the record.",
		SaysAR: "لا يوجد شعار في هذا السجل.", FixAR: "اقرأ logo_url من السجل.",
	},
	{
		Code: ImageNotFound, Kind: NotFound,
		Says: "The item has no image with this number.", Fix: "Read images of the item.",
		SaysAR: "لا توجد صورة بهذا الرقم للصنف.", FixAR: "اقرأ images من سجل الصنف.",
	},
	{
		Code: DraftNotFound, Kind: NotFound,
		Says: "The draft does not exist, was deleted, or belongs to another organisation.", Fix: "Read the list of drafts again.",
		SaysAR: "المسودة غير موجودة.", FixAR: "اقرأ قائمة المسودات مرة أخرى.",
	},
	{
		Code: LetterNotFound, Kind: NotFound,
		Says: "The e-mail does not exist, or belongs to another organisation.", Fix: "Read the list of e-mails again.",
		SaysAR: "الرسالة غير موجودة.", FixAR: "اقرأ قائمة الرسائل مرة أخرى.",
	},
	{
		Code: LinkNotFound, Kind: NotFound,
		Says: "The link is unknown, expired or revoked.", Fix: "Ask the sender for a new link.",
		SaysAR: "الرابط غير متاح.", FixAR: "اطلبوا رابطًا جديدًا من المرسل.",
	},
	{
		Code: ReasonNotFound, Kind: NotFound,
		Says: "The reason does not exist, or belongs to another organisation.", Fix: "Read the list of reasons again.",
		SaysAR: "السبب غير موجود.", FixAR: "اقرأ قائمة الأسباب مرة أخرى.",
	},
	{
		Code: BranchNotFound, Kind: NotFound,
		Says: "The branch does not exist, or belongs to another organisation.", Fix: "Read the list of branches again.",
		SaysAR: "الفرع غير موجود.", FixAR: "اقرأ قائمة الفروع مرة أخرى.",
	},
	{
		Code: RecordNotFound, Kind: NotFound,
		Says: "The record does not exist.", Fix: "Read the list of records again.",
		SaysAR: "السجل غير موجود.", FixAR: "اقرأ القائمة مرة أخرى.",
	},
	{
		Code: InvoiceAnswered, Kind: Conflict,
		Says: "The authority has answered this invoice.", Fix: "Do not send it again. Correct an accepted invoice by a note, and replace a rejected one by a new invoice.",
		SaysAR: "ردت الهيئة على هذه الفاتورة.", FixAR: "لا ترسلها مرة أخرى. صحّح الفاتورة المقبولة بإشعار، واستبدل المرفوضة بفاتورة جديدة.",
	},
	{
		Code: InvoiceSending, Kind: Conflict,
		Says: "The invoice is being sent to the authority.", Fix: "Read the invoice until it has a status.",
		SaysAR: "يجري إرسال الفاتورة إلى الهيئة.", FixAR: "اقرأ الفاتورة حتى تظهر حالتها.",
	},
	{
		Code: InvoiceQueued, Kind: Conflict,
		Says: "The invoice is queued for the authority already.", Fix: "Read the invoice until it has a status.",
		SaysAR: "الفاتورة في قائمة الإرسال إلى الهيئة.", FixAR: "اقرأ الفاتورة حتى تظهر حالتها.",
	},
	{
		Code: InvoiceRejected, Kind: Conflict,
		Says: "The authority has rejected the invoice, so it cannot be shared.", Fix: "Correct the data and issue a new invoice.",
		SaysAR: "رفضت الهيئة هذه الفاتورة، فلا يمكن مشاركتها.", FixAR: "صحّح البيانات وأصدر فاتورة جديدة.",
	},
	{
		Code: VATNumberFixed, Kind: Conflict,
		Says: "A device has a certificate for the VAT number, so it cannot be changed.", Fix: "Ask the operator of the service how to continue with another VAT number.",
		SaysAR: "لا يمكن تغيير الرقم الضريبي، لأن شهادة أحد الأجهزة صادرة له.", FixAR: "اسأل مشغّل الخدمة عن كيفية المتابعة برقم ضريبي آخر.",
	},
	{
		Code: StateConflict, Kind: Conflict,
		Says: "The current state does not allow this operation.", Fix: "Read the current state, and do first what it requires.",
		SaysAR: "الحالة الحالية لا تسمح بهذه العملية.", FixAR: "اقرأ الحالة الحالية، ثم أجرِ المطلوب أولًا.",
	},
}
