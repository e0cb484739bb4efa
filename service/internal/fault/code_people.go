package fault

// Codes about accounts and the links that give access to them.
const (
	LinkNotAvailable     Code = "link_not_available"
	SetUpDone            Code = "setup_done"
	WrongCurrentPassword Code = "wrong_current_password"
)

var peopleEntries = []Entry{
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
