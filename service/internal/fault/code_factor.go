package fault

// Codes about second factors.
const (
	SecondFactorRequired Code = "second_factor_required"
	WrongSecondFactor    Code = "wrong_second_factor"
	SecondFactorActive   Code = "second_factor_active"
	SecondFactorMissing  Code = "second_factor_missing"
	WrongCurrentCode     Code = "wrong_current_code"
)

var factorEntries = []Entry{
	{
		Code: SecondFactorRequired, Kind: Unauthenticated,
		Says: "The password is right, and the account has a second factor.", Fix: "Sign in again with the code of the authenticator app, or a recovery code, in code.",
		SaysAR: "كلمة مرورك صحيحة، والحساب محمي بالتحقق بخطوتين.", FixAR: "سجّل الدخول مرة أخرى مع رمز تطبيق المصادقة أو أحد رموز الاسترداد في code.",
	},
	{
		Code: WrongSecondFactor, Kind: Unauthenticated,
		Says: "The code is wrong, has expired or was used before.", Fix: "Wait for the next code of the authenticator app. If its codes are refused, set the clock of the phone, or use a recovery code.",
		SaysAR: "الرمز غير صحيح أو منتهٍ أو مستخدم من قبل.", FixAR: "انتظر الرمز التالي في تطبيق المصادقة. إن رُفض أيضًا فاضبط ساعة الهاتف، أو استخدم أحد رموز الاسترداد.",
	},
	{
		Code: SecondFactorActive, Kind: Conflict,
		Says: "The account already has a second factor.", Fix: "Remove it before you add another.",
		SaysAR: "التحقق بخطوتين مفعّل في هذا الحساب.", FixAR: "أزله قبل إضافة غيره.",
	},
	{
		Code: SecondFactorMissing, Kind: Conflict,
		Says: "The account has no second factor, or it waited too long for its first code.", Fix: "Add a second factor.",
		SaysAR: "التحقق بخطوتين غير مفعّل في هذا الحساب، أو انتهت مهلة تفعيله.", FixAR: "أضف التحقق بخطوتين.",
	},
	{
		Code: WrongCurrentCode, Kind: Forbidden,
		Says: "The code of the signed-in person is wrong, has expired or was used before.", Fix: "Wait for the next code of the authenticator app, or use a recovery code.",
		SaysAR: "الرمز غير صحيح أو منتهٍ أو مستخدم من قبل.", FixAR: "انتظر الرمز التالي في تطبيق المصادقة، أو استخدم أحد رموز الاسترداد.",
	},
}
