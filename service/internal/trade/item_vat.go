package trade

import (
	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/fault"
)

var hundred = money.FromInt(100)

// checkVAT requires a rate and a reason that match the category. As on an
// invoice line, any rate of category S is accepted; the authority decides on
// it.
func (i *Item) checkVAT(ps *problems) {
	category, known := codes.FindCategory(i.Category)
	switch {
	case i.Category == "":
		ps.addCode(fault.InvalidValue, "vat_category_code", required)
	case !known:
		ps.add("vat_category_code", "must be 'S', 'Z', 'E' or 'O'", "يجب أن تكون S أو Z أو E أو O.")
	case category.NeedsReason():
		i.checkUntaxed(ps)
	default:
		i.checkTaxed(ps)
	}
}

func (i *Item) checkTaxed(ps *problems) {
	if i.Rate.Sign() <= 0 || hundred.Less(i.Rate) {
		ps.add("vat_rate", "must be greater than 0 and at most 100 in category S, such as 15", "يجب أن تكون أكبر من 0 ولا تزيد على 100 في الفئة S، مثل 15.")
	}
	if i.ReasonCode != "" {
		ps.add("vat_exemption_reason_code", "must be empty in category S, which is taxed", "يجب أن يُترك فارغًا في الفئة S الخاضعة للضريبة.")
	}
	if i.ReasonText != "" {
		ps.add("vat_exemption_reason_text", "must be empty in category S, which is taxed", "يجب أن يُترك فارغًا في الفئة S الخاضعة للضريبة.")
	}
}

func (i *Item) checkUntaxed(ps *problems) {
	if !i.Rate.IsZero() {
		ps.add("vat_rate", "must be 0 in category %s", "يجب أن تكون 0 في الفئة %s.", i.Category)
	}
	reason, known := codes.FindReason(i.ReasonCode)
	switch {
	case i.ReasonCode == "":
		ps.add("vat_exemption_reason_code", "Field required in category %s: the reason for not charging VAT, such as %s", "هذا الحقل مطلوب في الفئة %s: رمز سبب عدم فرض الضريبة، مثل %s.", i.Category, codes.ReasonsOf(i.Category)[0].Code)
	case !known || reason.Category != i.Category:
		ps.add("vat_exemption_reason_code", "must be a reason code of category %s, such as %s; /api/invoices/vat-exemption-reasons/ lists them", "يجب أن يكون من رموز أسباب الفئة %s، مثل %s.", i.Category, codes.ReasonsOf(i.Category)[0].Code)
	}
	ps.text("vat_exemption_reason_text", i.ReasonText, maxText, notice{
		"Field required in category " + i.Category + ": the reason as text", "هذا الحقل مطلوب في الفئة " + i.Category + ": سبب عدم فرض الضريبة نصًا.",
	})
}
