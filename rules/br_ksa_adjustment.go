package rules

import "khatm/ubl"

// adjustmentRules are those of the family BR-KSA on discounts and charges. The
// facts of an invoice have no charges; those rules concern documents made by
// other software.
var adjustmentRules = []Rule{
	{
		ID: "BR-KSA-12", Flag: Warning, Applies: eachAllowance,
		Says:  Words{"A discount of category O, outside the scope of VAT, must have the rate 0 or no rate.", "يجب أن تكون نسبة الضريبة 0 لكل خصم من الفئة O (خارج نطاق الضريبة)، أو ألا تُذكر."},
		Fix:   Words{"Set the rate of the discount to 0 (`document_level_allowances`, `vat_rate`), or correct its category (`vat_category_code`).", "اجعل نسبة الضريبة للخصم 0 (`document_level_allowances`، `vat_rate`)، أو صحّح فئته (`vat_category_code`)."},
		check: ratedOutOfScope(adjustment.isAllowance),
	},
	{
		ID: "BR-KSA-13", Flag: Warning, Applies: eachCharge,
		Says:  Words{"A charge of category O, outside the scope of VAT, must have the rate 0 or no rate.", "يجب أن تكون نسبة الضريبة 0 لكل رسم إضافي من الفئة O (خارج نطاق الضريبة)، أو ألا تُذكر."},
		Fix:   Words{"Set the rate of the charge to 0, or correct its category.", "اجعل نسبة الضريبة للرسم الإضافي 0، أو صحّح فئته."},
		check: ratedOutOfScope(adjustment.isCharge),
	},
	{
		ID: "BR-KSA-19", Flag: Warning, Applies: eachCharge,
		Says:  Words{"A charge on the document must have a reason code.", "يجب أن يكون لكل رسم إضافي على مستوى المستند رمز سبب."},
		Fix:   Words{"Write a code of UNTDID 7161 into cbc:AllowanceChargeReasonCode of the charge, such as FC for freight.", "اكتب رمزًا من قائمة UNTDID 7161 في العنصر cbc:AllowanceChargeReasonCode للرسم الإضافي، مثل FC لأجور الشحن."},
		check: func(d *document, t *trial) { chargesWithoutCode(t, d.adjustments) },
	},
	{
		ID: "BR-KSA-20", Flag: Warning, Applies: eachLineCharge,
		Says: Words{"A charge on a line must have a reason code.", "يجب أن يكون لكل رسم إضافي على مستوى البند رمز سبب."},
		Fix:  Words{"Write a code of UNTDID 7161 into cbc:AllowanceChargeReasonCode of the charge on the line.", "اكتب رمزًا من قائمة UNTDID 7161 في العنصر cbc:AllowanceChargeReasonCode للرسم الإضافي على مستوى البند."},
		check: func(d *document, t *trial) {
			for _, l := range d.lines {
				chargesWithoutCode(t, l.adjustments)
			}
		},
	},
	{
		ID: "BR-KSA-21", Flag: Warning, Applies: eachCharge,
		Says:  Words{"A charge on the document must give its reason in words.", "يجب أن يُكتب سبب كل رسم إضافي على مستوى المستند بالكلمات."},
		Fix:   Words{"Describe the charge in cbc:AllowanceChargeReason.", "اكتب سبب الرسم الإضافي في العنصر cbc:AllowanceChargeReason."},
		check: func(d *document, t *trial) { chargesWithoutReason(t, d.adjustments) },
	},
	{
		ID: "BR-KSA-22", Flag: Warning, Applies: eachLineCharge,
		Says: Words{"A charge on a line must give its reason in words.", "يجب أن يُكتب سبب كل رسم إضافي على مستوى البند بالكلمات."},
		Fix:  Words{"Describe the charge on the line in cbc:AllowanceChargeReason.", "اكتب سبب الرسم الإضافي على مستوى البند في العنصر cbc:AllowanceChargeReason."},
		check: func(d *document, t *trial) {
			for _, l := range d.lines {
				chargesWithoutReason(t, l.adjustments)
			}
		},
	},
}

// ratedOutOfScope returns a check for discounts or charges of category O with a
// rate. It ignores the tax scheme.
func ratedOutOfScope(which func(adjustment) bool) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, a := range d.adjustments {
			if which(a) {
				ratedCategories(t, a.path, "/cac:TaxCategory", a.TaxCategories)
			}
		}
	}
}

// ratedCategories reports categories O whose rate is not 0.
func ratedCategories(t *trial, path, step string, categories []*ubl.TaxCategory) {
	for i, c := range categories {
		if normalize(c.ID.String()) != "O" {
			continue
		}
		t.seen()
		if rate := c.Percent.String(); double(rate) > 0 || belowZero(rate) {
			t.fail(numbered(path+step, i)+"/cbc:Percent", c.Percent.Value, "0")
		}
	}
}

func chargesWithoutCode(t *trial, list []adjustment) {
	for _, a := range list {
		if !a.isCharge() {
			continue
		}
		t.seen()
		if normalize(a.ReasonCode.String()) == "" {
			t.fail(a.path+"/cbc:AllowanceChargeReasonCode", "", "a reason code")
		}
	}
}

func chargesWithoutReason(t *trial, list []adjustment) {
	for _, a := range list {
		if !a.isCharge() {
			continue
		}
		t.seen()
		if len(a.Reasons) == 0 || normalize(a.Reasons[0].Value) == "" {
			t.fail(a.path+"/cbc:AllowanceChargeReason", "", "a reason in words")
		}
	}
}
