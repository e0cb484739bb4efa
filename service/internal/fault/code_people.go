package fault

// Codes about accounts and the links that give access to them.
const (
	AlreadyMember        Code = "already_member"
	InvitationNotFound   Code = "invitation_not_found"
	LastAdmin            Code = "last_admin"
	LinkNotAvailable     Code = "link_not_available"
	MemberHasKeys        Code = "member_has_keys"
	MemberNotFound       Code = "member_not_found"
	SetUpDone            Code = "setup_done"
	WrongCurrentPassword Code = "wrong_current_password"
)

var peopleEntries = []Entry{
	{
		Code: AlreadyMember, Kind: Conflict,
		Says: "The e-mail address belongs to a member of the organisation.", Fix: "Change the role of the member instead.",
		SaysAR: "صاحب هذا البريد الإلكتروني عضو في المنشأة.", FixAR: "غيّر دور العضو بدلًا من دعوته.",
	},
	{
		Code: InvitationNotFound, Kind: NotFound,
		Says: "No invitation of the organisation with this UUID can be accepted.", Fix: "List the invitations again.",
		SaysAR: "لا توجد دعوة سارية بهذا المعرّف في المنشأة.", FixAR: "اعرض قائمة الدعوات من جديد.",
	},
	{
		Code: LastAdmin, Kind: Conflict,
		Says: "The member is the last Admin of the organisation.", Fix: "Make another member Admin first.",
		SaysAR: "هذا العضو هو آخر مدير للنظام في المنشأة.", FixAR: "امنح عضوًا آخر دور مدير النظام أولًا.",
	},
	{
		Code: MemberHasKeys, Kind: Conflict,
		Says: "The member has created API keys that are active.", Fix: "Send keys=revoke to revoke them, or keys=keep to keep them.",
		SaysAR: "أنشأ هذا العضو مفاتيح للربط البرمجي (API) ما زالت نشطة.", FixAR: "اختر إلغاءها (keys=revoke) أو الإبقاء عليها (keys=keep).",
	},
	{
		Code: MemberNotFound, Kind: NotFound,
		Says: "No member of the organisation has this UUID.", Fix: "List the members again.",
		SaysAR: "لا يوجد عضو بهذا المعرّف في المنشأة.", FixAR: "اعرض قائمة الأعضاء من جديد.",
	},
	{
		Code: LinkNotAvailable, Kind: NotFound,
		Says: "The link is unknown, or it has expired or was used or replaced.", Fix: "Ask for a new link.",
		SaysAR: "الرابط غير معروف أو منتهٍ أو مستخدم أو مستبدل.", FixAR: "اطلب رابطًا جديدًا.",
	},
	{
		Code: SetUpDone, Kind: Conflict,
		Says: "The installation already has an organisation.", Fix: "Sign in, or ask an administrator for an account.",
		SaysAR: "أُعدّت هذه النسخة من قبل.", FixAR: "سجّل الدخول، أو اطلب حسابًا من مدير النظام.",
	},
	{
		Code: WrongCurrentPassword, Kind: Forbidden,
		Says: "The current password is wrong.", Fix: "Enter the password that you sign in with, or request a link that sets a new one.",
		SaysAR: "كلمة مرورك الحالية غير صحيحة.", FixAR: "أدخل كلمة مرورك الحالية كما تسجّل بها الدخول، أو اطلب رابطًا لتعيين كلمة مرور جديدة.",
	},
}
