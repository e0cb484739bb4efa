package fault

// Codes about credentials and permissions.
const (
	MissingToken         Code = "missing_token"
	InvalidKey           Code = "invalid_api_key"
	SessionExpired       Code = "session_expired"
	WrongPassword        Code = "wrong_password"
	PermissionDenied     Code = "permission_denied"
	OrganisationInactive Code = "organisation_inactive"
	PlanWithoutAPI       Code = "plan_without_api"
	KeyNotAllowed        Code = "key_not_allowed"
	CrossSite            Code = "cross_site_request"
	OriginRequired       Code = "origin_required"
	NoOrganisation       Code = "no_organisation"
	NotAMember           Code = "not_a_member"
	OrgContextRequired   Code = "org_context_required"
	FairUseLimit         Code = "fair_use_limit"
	MonthlyAllowance     Code = "monthly_allowance"
	DeletionForbidden    Code = "invoice_deletion_forbidden"
	InvalidKeyRequest    Code = "invalid_request"
	InvalidRole          Code = "invalid_role"
	InvalidScopes        Code = "invalid_scopes"
	KeyIDUnavailable     Code = "key_id_unavailable"
	KeyNotFound          Code = "not_found"
)

var accessEntries = []Entry{
	{
		Code: MissingToken, Kind: Unauthenticated,
		Says: "The request has no credentials.", Fix: "Sign in to the app, or send an API key as Authorization: Bearer svc_….",
		SaysAR: "لا توجد بيانات دخول في الطلب.", FixAR: "سجّل الدخول إلى التطبيق، أو أرسل مفتاح الربط البرمجي (API) في الترويسة Authorization: Bearer.",
	},
	{
		Code: InvalidKey, Kind: Unauthenticated,
		Says: "The API key is unknown or revoked, or its organisation is deactivated.", Fix: "Use an active key, or create a new one in the app.",
		SaysAR: "مفتاح الربط البرمجي (API) غير معروف أو ملغى.", FixAR: "استخدم مفتاحًا نشطًا، أو أنشئ مفتاحًا جديدًا في التطبيق.",
	},
	{
		Code: SessionExpired, Kind: Unauthenticated,
		Says: "The session is unknown or has expired.", Fix: "Sign in again.",
		SaysAR: "الجلسة غير معروفة أو منتهية.", FixAR: "سجّل الدخول مرة أخرى.",
	},
	{
		Code: WrongPassword, Kind: Unauthenticated,
		Says: "The e-mail address or the password is wrong.", Fix: "Check both, or request a link that sets a new password.",
		SaysAR: "بيانات الدخول غير صحيحة.", FixAR: "تحقق من بيانات الدخول، أو اطلب رابطًا لتعيين كلمة مرور جديدة.",
	},
	{
		Code: PermissionDenied, Kind: Forbidden,
		Says: "The role or the scopes of the caller do not include this operation.", Fix: "Use a key or an account with the required role and scope.",
		SaysAR: "صلاحيتك لا تشمل هذه العملية.", FixAR: "استخدم مفتاحًا أو حسابًا له الصلاحية المطلوبة.",
	},
	{
		Code: OrganisationInactive, Kind: Forbidden,
		Says: "The organisation is suspended.", Fix: "Contact support to activate the organisation.",
		SaysAR: "حساب المنشأة غير نشط.", FixAR: "تواصل مع الدعم لتفعيل حساب المنشأة.",
	},
	{
		Code: PlanWithoutAPI, Kind: Forbidden,
		Says: "The plan of the organisation does not include API access.", Fix: "Choose a plan with API access.",
		SaysAR: "باقة المنشأة لا تشمل الربط البرمجي (API).", FixAR: "اختر باقة تشمل الربط البرمجي (API).",
	},
	{
		Code: KeyNotAllowed, Kind: Forbidden,
		Says: "This operation is for signed-in users; an API key cannot call it.", Fix: "Sign in to the app.",
		SaysAR: "لا يُستخدم مفتاح الربط البرمجي (API) في هذه العملية.", FixAR: "سجّل الدخول إلى التطبيق.",
	},
	{
		Code: CrossSite, Kind: Forbidden,
		Says: "The request was sent by a page of another site.", Fix: "Send the request from the app itself.",
		SaysAR: "أُرسل الطلب من موقع آخر.", FixAR: "أرسل الطلب من التطبيق نفسه.",
	},
	{
		Code: OriginRequired, Kind: Forbidden,
		Says: "A write with the session cookie has neither Origin nor Sec-Fetch-Site.", Fix: "Send the Origin header, or send the token as Authorization: Bearer.",
		SaysAR: "طلب الكتابة بملف تعريف الارتباط لا يحدد مصدره.", FixAR: "أرسل الترويسة Origin، أو أرسل الرمز في Authorization: Bearer.",
	},
	{
		Code: NoOrganisation, Kind: Forbidden,
		Says: "The user is not a member of any organisation.", Fix: "Ask an administrator to add you to the organisation.",
		SaysAR: "لست عضوًا في أي منشأة.", FixAR: "اطلب من مدير النظام إضافتك إلى المنشأة.",
	},
	{
		Code: NotAMember, Kind: Forbidden,
		Says: "The user is not a member of the organisation in X-Active-Org.", Fix: "Send the uuid of one of your organisations.",
		SaysAR: "لست عضوًا في المنشأة المحددة في X-Active-Org.", FixAR: "أرسل معرّف منشأة أنت عضو فيها.",
	},
	{
		Code: OrgContextRequired, Kind: Conflict,
		Says: "The user belongs to several organisations and selected none. Never returned for a key.", Fix: "Send the uuid of one organisation in X-Active-Org.",
		SaysAR: "أنت عضو في أكثر من منشأة ولم تحدد واحدة.", FixAR: "أرسل معرّف المنشأة في الترويسة X-Active-Org.",
	},
	{
		Code: FairUseLimit, Kind: Forbidden,
		Says: "The organisation has used its writes for this month.", Fix: "Wait until next month, or choose a larger plan. Reads still work.",
		SaysAR: "استهلكت المنشأة عدد عمليات الكتابة المسموح به هذا الشهر.", FixAR: "انتظر حتى الشهر التالي، أو اختر باقة أكبر. القراءة متاحة.",
	},
	{
		Code: MonthlyAllowance, Kind: Forbidden,
		Says: "The invoices of the plan for this month, including the grace of ten percent, are used up.", Fix: "Choose a larger plan, or wait for the next month.",
		SaysAR: "استُهلك عدد الفواتير المسموح به في الباقة هذا الشهر.", FixAR: "اختر باقة أكبر، أو انتظر حتى الشهر التالي.",
		Silent: true,
	},
	{
		Code: DeletionForbidden, Kind: Forbidden,
		Says: "An issued invoice cannot be deleted.", Fix: "Issue a credit note instead.",
		SaysAR: "لا يُسمح بحذف الفواتير.", FixAR: "أصدر إشعارًا دائنًا بدلًا من الحذف.",
	},
	{
		Code: InvalidKeyRequest, Kind: Invalid,
		Says: "A request to list, create or revoke keys is malformed, or a new key has no valid name.", Fix: "Correct the fields named in message. The name of a key has 1 to 100 characters on one line.",
		SaysAR: "طلب إدارة المفاتيح غير صالح، أو اسم المفتاح غير صالح.", FixAR: "صحّح حقول الطلب. يتكون اسم المفتاح من 1 إلى 100 حرف.",
	},
	{
		Code: InvalidRole, Kind: Invalid,
		Says: "A key cannot have this role.", Fix: "Send ViewInvoice, CreateInvoice or Accountant.",
		SaysAR: "لا يمكن منح المفتاح هذه الصلاحية.", FixAR: "أرسل ViewInvoice أو CreateInvoice أو Accountant.",
	},
	{
		Code: InvalidScopes, Kind: Invalid,
		Says: "A scope is unknown, the role does not include it, or the list of scopes is empty.", Fix: "Send scopes that the role includes, or leave scopes out for all of them.",
		SaysAR: "أحد النطاقات غير معروف أو لا تشمله الصلاحية، أو قائمة النطاقات فارغة.", FixAR: "أرسل نطاقات تشملها الصلاحية، أو احذف scopes لتشمل جميعها.",
	},
	{
		Code: KeyIDUnavailable, Kind: Unavailable,
		Says: "No unused public name was found for the key.", Fix: "Try again.",
		SaysAR: "تعذر إيجاد اسم غير مستخدم للمفتاح.", FixAR: "حاول مرة أخرى.",
	},
	{
		Code: KeyNotFound, Kind: NotFound,
		Says: "No such API key.", Fix: "Read the list of keys again.",
		SaysAR: "مفتاح الربط البرمجي (API) غير موجود.", FixAR: "اقرأ قائمة المفاتيح مرة أخرى.",
	},
}
