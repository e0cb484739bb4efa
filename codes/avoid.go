package codes

import "slices"

// Avoided is an Arabic expression that no text of the product uses.
type Avoided struct {
	AR  string
	Key string // glossary term to use instead; empty if the sentence has to change
}

// AvoidedWords returns the expressions to avoid, without prefixes and endings.
// An article is part of the expression only if the bare word is fine.
func AvoidedWords() []Avoided { return slices.Clone(avoided) }

var avoided = []Avoided{
	{"الشركة", "organisation"},
	{"منظمة", "organisation"},
	{"زبون", "client"},
	{"سطر", "line"},
	{"أسطر", "line"},
	{"منتج", "catalogue_item"},
	{"مذكرة", "credit_note"},
	{"سلفة", "advance_payment_invoice"},
	{"مخلّصة", "CLEARED"},
	{"مخلصة", "CLEARED"},
	{"مُبلَّغ عنها", "REPORTED"}, // as if it were a complaint
	{"الإبلاغ عن", "REPORTED"},
	{"غير معتمدة", "NOT_CLEARED"},
	{"لا رد", "Unanswered"},
	{"ماكينة", "invoicing_device"},
	{"تهيئة", "onboarding"},
	{"أونبوردنغ", "onboarding"},
	{"الشهادة", "stamp_certificate"}, // alone it means the VAT registration certificate
	{"كلمة السر", "otp"},
	{"كلمة المرور", "otp"},
	{"اعتماد المسودة", "draft_approval"}, // sounds like an act of the authority
	{"اعتماد مسودة", "draft_approval"},
	{"طريقة التصحيح", "fix"},
	{"نسبة صفرية", "zero_rated"},
	{"النسبة الصفرية", "zero_rated"},
	{"قطعة / حبة", ""},
	{"لم يضِع", "nothing_lost"},
	{"سمِّ", ""},
	{"من قِبل", ""},
	{"القيام ب", ""},
}
