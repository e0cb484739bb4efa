package codes

// Discount is the default reason code of an allowance.
const Discount = "95"

// AllowanceReasons returns the 19 reasons for an allowance (UNTDID 5189).
func AllowanceReasons() []Entry { return allowanceReasons.all() }

// FindAllowanceReason returns the allowance reason with the given code.
func FindAllowanceReason(code string) (Entry, bool) { return allowanceReasons.find(code) }

var allowanceReasons = keyedByEnglish([][3]string{
	{"41", "Bonus for works ahead of schedule", "مكافأة إنجاز الأعمال قبل موعدها"},
	{"42", "Other bonus", "مكافأة أخرى"},
	{"60", "Manufacturer's consumer discount", "خصم المصنّع للمستهلك"},
	{"62", "Due to military status", "خصم للعسكريين"},
	{"63", "Due to work accident", "خصم بسبب إصابة عمل"},
	{"64", "Special agreement", "اتفاق خاص"},
	{"65", "Production error discount", "خصم عيوب الإنتاج"},
	{"66", "New outlet discount", "خصم منفذ بيع جديد"},
	{"67", "Sample discount", "خصم العينات"},
	{"68", "End-of-range discount", "خصم نهاية التشكيلة"},
	{"70", "Incoterm discount", "خصم شروط التسليم (إنكوترمز)"},
	{"71", "Point of sales threshold allowance", "خصم بلوغ حدّ المبيعات في نقطة البيع"},
	{"88", "Material surcharge/deduction", "رسم إضافي/خصم على المواد"},
	{Discount, "Discount", "خصم"},
	{"100", "Special rebate", "تخفيض خاص"},
	{"102", "Fixed long term", "خصم ثابت طويل الأجل"},
	{"103", "Temporary", "خصم مؤقت"},
	{"104", "Standard", "خصم اعتيادي"},
	{"105", "Yearly turnover", "خصم حجم التعامل السنوي"},
})
