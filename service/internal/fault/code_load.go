package fault

// Codes about limits, load and outages.
const (
	RateLimited          Code = "rate_limited"
	AllowanceUsed        Code = "allowance_used"
	TooManyStreams       Code = "too_many_streams"
	LimiterUnavailable   Code = "limiter_unavailable"
	DatabaseUnavailable  Code = "database_unavailable"
	FilesUnavailable     Code = "files_unavailable"
	ServerBusy           Code = "server_busy"
	UploadsBusy          Code = "uploads_busy"
	PicturesBusy         Code = "pictures_busy"
	ToolsBusy            Code = "tools_busy"
	IssuingStopped       Code = "issuing_stopped"
	NotIssued            Code = "not_issued"
	OutcomeUnknown       Code = "outcome_unknown"
	KeyLookupFailed      Code = "idempotency_key_unknown"
	InvoiceDamaged       Code = "invoice_damaged"
	AuthorityUnavailable Code = "authority_unavailable"
	OnboardingRefused    Code = "onboarding_refused"
	InternalError        Code = "internal_error"
)

var loadEntries = []Entry{
	{
		Code: RateLimited, Kind: Exhausted,
		Says: "Too many calls in the window.", Fix: "Wait for the seconds in Retry-After.",
		SaysAR: "عدد الطلبات أكبر من المسموح به.", FixAR: "انتظر عدد الثواني المذكور في Retry-After.",
	},
	{
		Code: AllowanceUsed, Kind: Exhausted,
		Says: "The calls of the period in window are used up.", Fix: "Wait for the next period, or sign in on a paid plan.",
		SaysAR: "استُهلك عدد الطلبات المسموح به في الفترة.", FixAR: "انتظر الفترة التالية، أو سجّل الدخول بباقة مدفوعة.",
	},
	{
		Code: TooManyStreams, Kind: Exhausted,
		Says: "The person has too many live views open.", Fix: "Close one, and try again after the seconds in Retry-After.",
		SaysAR: "عدد صفحات المتابعة المباشرة المفتوحة أكبر من المسموح به.", FixAR: "أغلق واحدة منها، وحاول مرة أخرى بعد الثواني المذكورة في Retry-After.",
	},
	{
		Code: LimiterUnavailable, Kind: Unavailable,
		Says: "The rate limiter of the public tools is unavailable.", Fix: "Try again shortly.",
		SaysAR: "عدّاد الطلبات غير متاح الآن.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: DatabaseUnavailable, Kind: Unavailable,
		Says: "The database cannot be reached or written.", Fix: "Try again shortly.",
		SaysAR: "تعذر الوصول إلى قاعدة البيانات.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: FilesUnavailable, Kind: Unavailable,
		Says: "Uploaded files cannot be stored or read. Nothing was changed.", Fix: "Try again shortly.",
		SaysAR: "تعذر حفظ الملفات المرفوعة أو قراءتها. لم يتغير شيء.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: ServerBusy, Kind: Unavailable,
		Says: "Too many requests of the caller are being processed.", Fix: "Send fewer requests at a time, and try again after the seconds in Retry-After.",
		SaysAR: "يجري تنفيذ طلبات كثيرة للمرسل نفسه الآن.", FixAR: "قلّل عدد الطلبات المتزامنة، وحاول مرة أخرى بعد الثواني المذكورة في Retry-After.",
	},
	{
		Code: UploadsBusy, Kind: Unavailable,
		Says: "Too many files are being uploaded.", Fix: "Try again shortly.",
		SaysAR: "يجري رفع ملفات كثيرة الآن.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: PicturesBusy, Kind: Unavailable,
		Says: "Too many pictures are being processed.", Fix: "Try again shortly.",
		SaysAR: "تجري معالجة صور كثيرة الآن.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: ToolsBusy, Kind: Unavailable,
		Says: "Too many files and invoices are being processed.", Fix: "Try again shortly.",
		SaysAR: "تجري معالجة ملفات وفواتير كثيرة الآن.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: IssuingStopped, Kind: Unavailable,
		Says: "Invoices cannot be issued at the moment. Nothing was written.", Fix: "Send the same request again later. The operator sees the reason.",
		SaysAR: "لا يمكن إصدار الفواتير الآن. لم يُكتب شيء.", FixAR: "أرسل الطلب نفسه لاحقًا. يظهر السبب لمشغّل الخدمة.",
	},
	{
		Code: NotIssued, Kind: Unavailable,
		Says: "The invoice was not issued. Nothing was written.", Fix: "Send the same request again.",
		SaysAR: "لم تصدر الفاتورة. لم يُكتب شيء.", FixAR: "أرسل الطلب نفسه مرة أخرى.",
	},
	{
		Code: OutcomeUnknown, Kind: Unavailable,
		Says: "The invoice may or may not have been issued.", Fix: "Send the same request with the same Idempotency-Key; without one, look for the invoice in the list first.",
		SaysAR: "لا يُعرف إن صدرت الفاتورة أم لم تصدر.", FixAR: "أرسل الطلب نفسه بقيمة Idempotency-Key نفسها؛ وإن لم ترسلها فابحث عن الفاتورة في القائمة أولًا.",
	},
	{
		Code: KeyLookupFailed, Kind: Unavailable,
		Says: "Earlier uses of the Idempotency-Key cannot be looked up.", Fix: "Send the same request with the same key again.",
		SaysAR: "تعذر البحث عن استخدام سابق لقيمة Idempotency-Key.", FixAR: "أرسل الطلب نفسه بالقيمة نفسها مرة أخرى.",
	},
	{
		Code: InvoiceDamaged, Kind: Unavailable,
		Says: "A stored invoice is damaged and is not shown or used.", Fix: "Tell the operator to restore it from a backup.",
		SaysAR: "النسخة المحفوظة من الفاتورة تالفة.", FixAR: "أبلغ مشغّل الخدمة لاستعادتها من نسخة احتياطية.",
	},
	{
		Code: AuthorityUnavailable, Kind: Unavailable,
		Says: "The authority did not answer the onboarding of a device.", Fix: "Try again later.",
		SaysAR: "لم ترد الهيئة على طلب ربط الجهاز.", FixAR: "حاول مرة أخرى لاحقًا.",
	},
	{
		Code: OnboardingRefused, Kind: Invalid,
		Says: "The authority refused the onboarding of a device.", Fix: "Do what next says.",
		SaysAR: "رفضت الهيئة ربط الجهاز.", FixAR: "اتبع ما ورد في next_ar.",
	},
	{
		Code: InternalError, Kind: Internal,
		Says: "An error in the service.", Fix: "Try again with backoff, and quote the request id.",
		SaysAR: "حدث خطأ في الخدمة.", FixAR: "حاول مرة أخرى لاحقًا، واذكر رقم الطلب.",
	},
}
