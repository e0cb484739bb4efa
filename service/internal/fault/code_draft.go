package fault

// Codes about drafts, links and e-mails.
const (
	DraftVersion     Code = "draft_version_conflict"
	DraftApproved    Code = "draft_approved"
	DraftShared      Code = "draft_shared"
	DraftIssued      Code = "draft_issued"
	DraftIssuing     Code = "draft_being_issued"
	DraftWaiting     Code = "draft_awaits_approval"
	DraftNoRecipient Code = "draft_without_recipient"
	DraftDiffers     Code = "draft_differs"
	DraftChanged     Code = "draft_changed"
	SellerUnserved   Code = "seller_unserved"
	DraftDeclined    Code = "draft_declined"
	AlreadyDeclined  Code = "already_declined"
	InvalidComment   Code = "invalid_comment"
	WrongCode        Code = "wrong_code"
	InvalidCode      Code = "invalid_code"
	InvalidName      Code = "invalid_name"
	AlreadyApproved  Code = "already_approved"
	NoMoreCodes      Code = "no_more_codes"
	NothingToApprove Code = "nothing_to_approve"
	EmailsRefused    Code = "emails_refused"
	EmailLimit       Code = "email_limit"
)

var draftEntries = []Entry{
	{
		Code: DraftVersion, Kind: Conflict,
		Says: "Another user changed the draft.", Fix: "Read the draft again, and repeat the change.",
		SaysAR: "غيّر مستخدم آخر المسودة.", FixAR: "اقرأ المسودة مرة أخرى، ثم كرر التغيير.",
	},
	{
		Code: DraftApproved, Kind: Conflict,
		Says: "The draft is approved and cannot be changed.", Fix: "Issue it, or create a new draft.",
		SaysAR: "المسودة موافَق عليها ولا يمكن تغييرها.", FixAR: "أصدرها، أو أنشئ مسودة جديدة.",
	},
	{
		Code: DraftShared, Kind: Conflict,
		Says: "The recipient of a shared draft cannot be changed.", Fix: "Withdraw the link first.",
		SaysAR: "لا يمكن تغيير مستلم مسودة مُشاركة.", FixAR: "اسحب الرابط أولًا.",
	},
	{
		Code: DraftIssued, Kind: Conflict,
		Says: "The draft has been issued and cannot be changed.", Fix: "Create a new draft.",
		SaysAR: "صدرت المسودة ولا يمكن تغييرها.", FixAR: "أنشئ مسودة جديدة.",
	},
	{
		Code: DraftIssuing, Kind: Conflict,
		Says: "The draft is being issued.", Fix: "Try again in a moment.",
		SaysAR: "يجري إصدار المسودة.", FixAR: "حاول مرة أخرى بعد قليل.",
	},
	{
		Code: DraftWaiting, Kind: Conflict,
		Says: "The draft waits for the approval of its recipient.", Fix: "Wait for the approval, or withdraw the link.",
		SaysAR: "المسودة بانتظار موافقة المستلم.", FixAR: "انتظر الموافقة، أو اسحب الرابط.",
	},
	{
		Code: DraftNoRecipient, Kind: Conflict,
		Says: "The draft has no recipient with an e-mail address.", Fix: "Add a recipient to the draft.",
		SaysAR: "لا يوجد مستلم للمسودة له بريد إلكتروني.", FixAR: "أضف مستلمًا إلى المسودة.",
	},
	{
		Code: DraftDiffers, Kind: Conflict,
		Says: "The invoice would differ from the approved draft.", Fix: "Create a new draft.",
		SaysAR: "ستختلف الفاتورة عن المسودة الموافَق عليها.", FixAR: "أنشئ مسودة جديدة.",
	},
	{
		Code: DraftChanged, Kind: Invalid,
		Says: "The draft was changed since it was shown.", Fix: "Load it again and check it before you approve it.",
		SaysAR: "تغيّرت المسودة بعد عرضها.", FixAR: "أعيدوا تحميلها وراجعوها قبل الموافقة.",
	},
	{
		Code: SellerUnserved, Kind: Invalid,
		Says: "The organisation that sent the draft is not active.", Fix: "Ask the sender.",
		SaysAR: "لا يمكن الموافقة على هذه المسودة الآن.", FixAR: "تواصلوا مع المرسل.",
	},
	{
		Code: DraftDeclined, Kind: Conflict,
		Says: "The recipient declined the draft.", Fix: "Change it and share it again, or withdraw the link to issue it without approval.",
		SaysAR: "رفض المستلم المسودة.", FixAR: "عدّل المسودة وشاركها مرة أخرى، أو اسحب الرابط لإصدارها دون موافقة.",
	},
	{
		Code: AlreadyDeclined, Kind: Invalid,
		Says: "The draft was declined.", Fix: "Ask the sender to share it again.",
		SaysAR: "رُفضت هذه المسودة.", FixAR: "اطلبوا من المرسل مشاركتها مرة أخرى.",
	},
	{
		Code: WrongCode, Kind: Invalid,
		Says: "The code is wrong; tries_left is the number of attempts that are left.", Fix: "Check the code. If no attempt is left, request a new one ten minutes after the last one.",
		SaysAR: "الرمز غير صحيح، وعدد المحاولات المتبقية في tries_left.", FixAR: "تحققوا من الرمز. إذا لم تبقَ محاولة فاطلبوا رمزًا جديدًا بعد عشر دقائق من الأخير.",
	},
	{
		Code: InvalidCode, Kind: Invalid,
		Says: "The code does not have six digits, has expired, or was sent for an older version of the draft.", Fix: "Check the code, or request a new one ten minutes after the last one.",
		SaysAR: "الرمز ليس من ستة أرقام، أو انتهت صلاحيته، أو أُرسل لإصدار سابق من المسودة.", FixAR: "تحققوا من الرمز، أو اطلبوا رمزًا جديدًا بعد عشر دقائق من الأخير.",
	},
	{
		Code: InvalidComment, Kind: Invalid,
		Says: "The comment is too long or contains control characters.", Fix: "Send at most 500 characters of text.",
		SaysAR: "التعليق طويل أو يتضمن رموز تحكم.", FixAR: "أرسلوا نصًا لا يزيد على 500 حرف.",
	},
	{
		Code: InvalidName, Kind: Invalid,
		Says: "The name is empty, too long, or contains an address.", Fix: "Send 1 to 100 characters on one line, without a web or e-mail address.",
		SaysAR: "الاسم فارغ أو طويل أو يتضمن عنوانًا.", FixAR: "أرسلوا من 1 إلى 100 حرف دون عنوان موقع أو بريد.",
	},
	{
		Code: AlreadyApproved, Kind: Invalid,
		Says: "The draft is already approved.", Fix: "No further step is needed.",
		SaysAR: "سبقت الموافقة على هذه المسودة.", FixAR: "لا يلزم أي إجراء آخر.",
	},
	{
		Code: NoMoreCodes, Kind: Invalid,
		Says: "No more codes can be sent for this link.", Fix: "Ask the sender for a new link.",
		SaysAR: "لا يمكن إرسال رموز أخرى لهذا الرابط.", FixAR: "اطلبوا رابطًا جديدًا من المرسل.",
	},
	{
		Code: NothingToApprove, Kind: Invalid,
		Says: "The link shows an invoice, or a draft that was issued.", Fix: "No approval is needed.",
		SaysAR: "هذا الرابط لا يحتاج إلى موافقة.", FixAR: "لا تلزم أي موافقة.",
	},
	{
		Code: EmailsRefused, Kind: Invalid,
		Says: "No more e-mails can be sent today.", Fix: "Try again tomorrow.",
		SaysAR: "لا يمكن إرسال رسائل أخرى اليوم.", FixAR: "حاولوا غدًا.",
	},
	{
		Code: EmailLimit, Kind: Exhausted,
		Says: "The organisation has sent the e-mails of a day.", Fix: "Try again tomorrow.",
		SaysAR: "أرسلت المنشأة عدد الرسائل المسموح به في اليوم.", FixAR: "حاول غدًا.",
	},
}
