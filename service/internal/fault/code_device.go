package fault

// Codes of managing devices.
const (
	EnvironmentRequired Code = "environment_required"
	EnrolmentRunning    Code = "onboarding_running"
)

var deviceEntries = []Entry{
	{
		Code: EnvironmentRequired, Kind: Conflict,
		Says: "No environment of the tax authority is chosen yet.", Fix: "An Admin chooses it in the set-up. The choice is permanent.",
		SaysAR: "لم تُختر بعد بيئة الهيئة لهذا التثبيت.", FixAR: "يختارها مدير النظام عند الإعداد، والاختيار نهائي.",
	},
	{
		Code: EnrolmentRunning, Kind: Conflict,
		Says: "The device is being onboarded or renewed.", Fix: "Wait until it has ended, and read the status of the device.",
		SaysAR: "يجري الآن ربط الجهاز بالهيئة أو تجديد شهادة الختم التشفيري له.", FixAR: "انتظر حتى ينتهي ذلك، ثم اقرأ حالة الجهاز.",
	},
}
