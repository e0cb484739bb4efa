package rules

import (
	"slices"

	"khatm/ubl"
)

// adjustmentCoreRules are the rules of the family BR on discounts, charges, the
// VAT breakdown and references to other documents.
var adjustmentCoreRules = []Rule{
	{
		ID: "BR-31", Flag: Error, Applies: eachAllowance,
		Says:  Words{"A discount on the document must state its amount.", "يجب تحديد مبلغ كل خصم على مستوى المستند."},
		Fix:   Words{"Give the amount of the discount without VAT in `allowance_amount` (cbc:Amount).", "أدخل مبلغ الخصم غير الشامل للضريبة في الحقل `allowance_amount` (العنصر cbc:Amount)."},
		check: discountWithoutAmount,
	},
	{
		ID: "BR-32", Flag: Error, Applies: eachAllowance,
		Says:  Words{"A discount on the document must have the VAT category of the lines that it reduces.", "يجب أن تُحدَّد لكل خصم على مستوى المستند فئة الضريبة للبنود التي يخفّضها."},
		Fix:   Words{"Give the category in `vat_category_code` of the discount (cac:TaxCategory/cbc:ID): S, Z, E or O; use a separate discount for each category.", "أدخل فئة الضريبة في الحقل `vat_category_code` للخصم (العنصر cac:TaxCategory/cbc:ID): S أو Z أو E أو O، واجعل لكل فئة خصمًا مستقلًا."},
		check: discountWithoutCategory,
	},
	{
		ID: "BR-36", Flag: Warning, Applies: eachCharge,
		Says:  Words{"A charge on the document must state its amount.", "يجب تحديد مبلغ كل رسم إضافي على مستوى المستند."},
		Fix:   Words{"Write the amount of the charge without VAT into cbc:Amount.", "اكتب مبلغ الرسم الإضافي غير الشامل للضريبة في العنصر cbc:Amount."},
		check: chargeWithoutAmount,
	},
	{
		ID: "BR-37", Flag: Warning, Applies: eachCharge,
		Says:  Words{"A charge on the document must have a VAT category.", "يجب تحديد فئة الضريبة لكل رسم إضافي على مستوى المستند."},
		Fix:   Words{"Write the category, S, Z, E or O, into cac:TaxCategory/cbc:ID of the charge.", "اكتب فئة الضريبة (S أو Z أو E أو O) في العنصر cac:TaxCategory/cbc:ID للرسم الإضافي."},
		check: chargeWithoutCategory,
	},
	{
		ID: "BR-41", Flag: Error, Applies: eachLineAllowance,
		Says:  Words{"A discount on a line must state its amount.", "يجب تحديد مبلغ كل خصم على مستوى البند."},
		Fix:   Words{"Write the amount of the discount into cbc:Amount.", "اكتب مبلغ الخصم في العنصر cbc:Amount."},
		Dead:  "an empty rule of higher priority matches every discount on a line",
		check: neverReported,
	},
	{
		ID: "BR-43", Flag: Warning, Applies: eachLineCharge,
		Says:  Words{"A charge on a line must state its amount.", "يجب تحديد مبلغ كل رسم إضافي على مستوى البند."},
		Fix:   Words{"Write the amount of the charge without VAT into cbc:Amount.", "اكتب مبلغ الرسم الإضافي غير الشامل للضريبة في العنصر cbc:Amount."},
		check: lineChargeWithoutAmount,
	},
	{
		ID: "BR-45", Flag: Error, Applies: eachSubtotal,
		Says:  Words{"Each row of the VAT breakdown must state the taxable amount.", "يجب أن يتضمن كل صف في تفصيل الضريبة المبلغ الخاضع للضريبة."},
		Fix:   Words{"Write the sum of the category, without VAT, into cbc:TaxableAmount; the service computes it.", "اكتب مجموع مبالغ الفئة دون الضريبة في العنصر cbc:TaxableAmount (تحسبه الخدمة تلقائيًا)."},
		check: missingInSubtotal("/cbc:TaxableAmount", func(s subtotal) *ubl.Text { return s.TaxableAmount }),
	},
	{
		ID: "BR-46", Flag: Error, Applies: eachSubtotal,
		Says:  Words{"Each row of the VAT breakdown must state the amount of the VAT.", "يجب أن يتضمن كل صف في تفصيل الضريبة مبلغ الضريبة."},
		Fix:   Words{"Write the VAT of the category into cbc:TaxAmount; the service computes it.", "اكتب مبلغ الضريبة للفئة في العنصر cbc:TaxAmount (تحسبه الخدمة تلقائيًا)."},
		check: missingInSubtotal("/cbc:TaxAmount", func(s subtotal) *ubl.Text { return s.TaxAmount }),
	},
	{
		ID: "BR-47", Flag: Error, Applies: eachSubtotal,
		Says:  Words{"Each row of the VAT breakdown must have a VAT category.", "يجب أن يتضمن كل صف في تفصيل الضريبة فئة الضريبة."},
		Fix:   Words{"Give `vat_category_code` on the lines (cac:TaxCategory/cbc:ID, with the tax scheme VAT): S, Z, E or O.", "أدخل فئة الضريبة في الحقل `vat_category_code` لكل بند (العنصر cac:TaxCategory/cbc:ID مع القيمة VAT في cac:TaxScheme): S أو Z أو E أو O."},
		check: subtotalWithoutCategory,
	},
	{
		ID: "BR-48", Flag: Error, Applies: eachSubtotal,
		Says:  Words{"Each row of the VAT breakdown must state the VAT rate, unless its category is O.", "يجب أن يتضمن كل صف في تفصيل الضريبة نسبة الضريبة، ما لم تكن فئته O."},
		Fix:   Words{"Give `vat_rate` on the lines (cac:TaxCategory/cbc:Percent): 15 or 5 for S, 0 for the others.", "أدخل نسبة الضريبة في الحقل `vat_rate` لكل بند (العنصر cac:TaxCategory/cbc:Percent): 15 أو 5 للفئة S، و0 لبقية الفئات."},
		check: subtotalWithoutRate,
	},
	{
		ID: "BR-52", Flag: Warning, Applies: Words{"each additional document reference", "كل مرجع إلى مستند إضافي"},
		Says:  Words{"A reference to an additional document must have an identifier.", "يجب أن يتضمن كل مرجع إلى مستند إضافي معرّفًا."},
		Fix:   Words{"Write the identifier into cbc:ID of the cac:AdditionalDocumentReference (ICV, PIH, QR or your own), or remove the reference.", "اكتب المعرّف في العنصر cbc:ID ضمن cac:AdditionalDocumentReference (ICV أو PIH أو QR أو معرّفك الخاص)، أو احذف المرجع."},
		check: unnamedReference,
	},
	{
		ID: "BR-55", Flag: Error, Applies: Words{"each reference to a corrected invoice", "كل مرجع إلى فاتورة أصلية"},
		Says:  Words{"A reference to the invoice that is corrected must give its number.", "يجب أن يتضمن المرجع إلى الفاتورة الأصلية رقم الفاتورة."},
		Fix:   Words{"Give the number of the original invoice in `original_invoice_reference.ref_num` (cac:InvoiceDocumentReference/cbc:ID).", "أدخل رقم الفاتورة الأصلية في الحقل `original_invoice_reference.ref_num` (العنصر cac:InvoiceDocumentReference/cbc:ID)."},
		check: originalWithoutNumber,
	},
}

func discountWithoutAmount(d *document, t *trial) {
	withoutAmount(t, d.adjustments, adjustment.isAllowance)
}

func chargeWithoutAmount(d *document, t *trial) {
	withoutAmount(t, d.adjustments, adjustment.isCharge)
}

func lineChargeWithoutAmount(d *document, t *trial) {
	for _, l := range d.lines {
		withoutAmount(t, l.adjustments, adjustment.isCharge)
	}
}

func withoutAmount(t *trial, list []adjustment, kind func(adjustment) bool) {
	for _, a := range list {
		if !kind(a) {
			continue
		}
		t.seen()
		if a.Amount == nil {
			t.fail(a.path+"/cbc:Amount", "", "an amount")
		}
	}
}

func discountWithoutCategory(d *document, t *trial) {
	named := func(c *ubl.TaxCategory) bool { return underVAT(c) && c.ID.String() != "" }
	for _, a := range d.adjustments {
		if !a.isAllowance() {
			continue
		}
		t.seen()
		if !slices.ContainsFunc(a.TaxCategories, named) {
			t.fail(a.path+"/cac:TaxCategory/cbc:ID", "", "a VAT category")
		}
	}
}

// chargeWithoutCategory reports charges without a VAT category. It requires
// less than BR-32 does of a discount: the tax scheme does not matter, and the
// identifier may be empty.
func chargeWithoutCategory(d *document, t *trial) {
	named := func(c *ubl.TaxCategory) bool { return c.ID != nil }
	for _, a := range d.adjustments {
		if !a.isCharge() {
			continue
		}
		t.seen()
		if !slices.ContainsFunc(a.TaxCategories, named) {
			t.fail(a.path+"/cac:TaxCategory/cbc:ID", "", "a VAT category")
		}
	}
}

// missingInSubtotal returns a check for rows of the breakdown where an amount is
// absent.
func missingInSubtotal(name string, amount func(subtotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, s := range d.subtotals {
			t.seen()
			if amount(s) == nil {
				t.fail(s.path+name, "", "an amount")
			}
		}
	}
}

func subtotalWithoutCategory(d *document, t *trial) {
	for _, s := range d.subtotals {
		t.seen()
		if s.category.ID == nil || !underVAT(s.category) {
			t.fail(s.path+"/cac:TaxCategory/cbc:ID", s.category.ID.String(), "a VAT category")
		}
	}
}

func subtotalWithoutRate(d *document, t *trial) {
	for _, s := range d.subtotals {
		t.seen()
		if !isVAT(s.category, "O") && (s.category.Percent == nil || !underVAT(s.category)) {
			t.fail(s.path+"/cac:TaxCategory/cbc:Percent", s.category.Percent.String(), "a VAT rate")
		}
	}
}

func unnamedReference(d *document, t *trial) {
	for i, r := range d.AdditionalDocumentReferences {
		t.seen()
		if r.ID.String() == "" {
			t.fail(numbered("/Invoice/cac:AdditionalDocumentReference", i)+"/cbc:ID", "", "an identifier")
		}
	}
}

// originalWithoutNumber reports references to an invoice without its number, of
// the document and of lines.
func originalWithoutNumber(d *document, t *trial) {
	for i, b := range d.BillingReferences {
		t.seen()
		if orEmpty(b.InvoiceDocumentReference).ID.String() == "" {
			t.fail(numbered("/Invoice/cac:BillingReference", i)+"/cac:InvoiceDocumentReference/cbc:ID", "", "an invoice number")
		}
	}
	for _, s := range d.straysNamed("cac:BillingReference") {
		t.seen()
		if leaf(s.node.Child("cac:InvoiceDocumentReference"), "cbc:ID").String() == "" {
			t.fail(s.path+"/cac:InvoiceDocumentReference/cbc:ID", "", "an invoice number")
		}
	}
}
