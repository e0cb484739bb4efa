package fault

// Arabic texts of problems that several packages report. Those with a verb are
// formats.
const (
	RequiredAR          = "هذا الحقل مطلوب."
	MinCharactersAR     = "يجب ألا يقل عدد الحروف عن %d."
	MaxCharactersAR     = "يجب ألا يزيد عدد الحروف على %d."
	MaxItemsAR          = "يجب ألا يزيد عدد العناصر على %d."
	MaxPlacesAR         = "يجب ألا يزيد عدد المنازل العشرية على %d."
	AboveAR             = "يجب أن تكون القيمة أكبر من %s."
	BelowAR             = "يجب أن تكون القيمة أقل من %s."
	OneOfAR             = "يجب أن تكون القيمة إحدى القيم: %s."
	DueDaysAR           = "يجب أن يكون عدد الأيام من 0 إلى 365."
	ArabicLettersAR     = "يجب أن يحتوي النص على حروف عربية."
	ControlCharactersAR = "يجب ألا يحتوي النص على رموز تحكم غير مرئية."
	VisibleAR           = "يجب أن يحتوي النص على حروف مرئية."
	CharacterAR         = "يجب ألا يحتوي النص على الحرف %U."
	InvalidUTF8AR       = "يجب أن يكون النص بترميز UTF-8 صالح."
	VATNumberAR         = "يجب أن يتكون من 15 رقمًا، أولها وآخرها 3."
	EmailAR             = "يجب أن يكون بريدًا إلكترونيًا مثل name@example.com."
	PhoneAR             = "يجب أن يكون رقم هاتف مثل \u200e+966 11 234 5678."
	CurrencyAR          = "يجب أن تكون العملة من رموز ISO 4217، مثل SAR."
	CursorAR            = "يجب أن تكون القيمة هي next_cursor من رد سابق."
)
