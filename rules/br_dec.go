package rules

import "khatm/ubl"

// decimalRules are the family BR-DEC: the number of decimals of amounts.
var decimalRules = []Rule{
	twoDecimals("BR-DEC-01", eachAllowance, allowanceAmount, ofDocument(adjustment.isAllowance, "cbc:Amount", adjustmentAmount)),
	twoDecimals("BR-DEC-02", eachAllowance, allowanceBase, ofDocument(adjustment.isAllowance, "cbc:BaseAmount", adjustmentBase)),
	twoDecimals("BR-DEC-05", eachCharge, chargeAmount, ofDocument(adjustment.isCharge, "cbc:Amount", adjustmentAmount)),
	twoDecimals("BR-DEC-06", eachCharge, chargeBase, ofDocument(adjustment.isCharge, "cbc:BaseAmount", adjustmentBase)),
	twoDecimals("BR-DEC-09", everyDocument, Words{"total of the lines", "مجموع البنود"},
		ofTotals("cbc:LineExtensionAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.LineExtensionAmount })),
	twoDecimals("BR-DEC-10", wherePresent, Words{"total of discounts", "إجمالي الخصومات"},
		ofTotals("cbc:AllowanceTotalAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.AllowanceTotalAmount })),
	twoDecimals("BR-DEC-11", wherePresent, Words{"total of charges", "إجمالي الرسوم الإضافية"},
		ofTotals("cbc:ChargeTotalAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.ChargeTotalAmount })),
	twoDecimals("BR-DEC-12", everyDocument, Words{"total without VAT", "الإجمالي غير الشامل للضريبة"},
		ofTotals("cbc:TaxExclusiveAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.TaxExclusiveAmount })),
	twoDecimals("BR-DEC-13", everyDocument, Words{"VAT total in the currency of the document", "إجمالي ضريبة القيمة المضافة بعملة المستند"},
		ofTaxTotals(func(d *document) *ubl.Text { return d.DocumentCurrencyCode })),
	twoDecimals("BR-DEC-14", everyDocument, Words{"total with VAT", "الإجمالي الشامل للضريبة"},
		ofTotals("cbc:TaxInclusiveAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.TaxInclusiveAmount })),
	twoDecimals("BR-DEC-15", everyDocument, Words{"VAT total in riyals", "إجمالي ضريبة القيمة المضافة بالريال السعودي"},
		ofTaxTotals(func(d *document) *ubl.Text { return d.TaxCurrencyCode })),
	twoDecimals("BR-DEC-16", wherePresent, Words{"amount paid in advance", "المبلغ المدفوع مقدمًا"},
		ofTotals("cbc:PrepaidAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.PrepaidAmount })),
	twoDecimals("BR-DEC-17", wherePresent, Words{"rounding amount", "فرق التقريب"},
		ofTotals("cbc:PayableRoundingAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.PayableRoundingAmount })),
	twoDecimals("BR-DEC-18", everyDocument, Words{"amount due (`expected_payable_amount`)", "المبلغ المستحق (`expected_payable_amount`)"},
		ofTotals("cbc:PayableAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.PayableAmount })),
	twoDecimals("BR-DEC-19", eachSubtotal, Words{"taxable amount of a VAT category", "المبلغ الخاضع للضريبة لكل فئة"},
		ofSubtotals("cbc:TaxableAmount", func(s *ubl.TaxSubtotal) *ubl.Text { return s.TaxableAmount })),
	twoDecimals("BR-DEC-20", eachSubtotal, Words{"VAT amount of a VAT category", "مبلغ الضريبة لكل فئة"},
		ofSubtotals("cbc:TaxAmount", func(s *ubl.TaxSubtotal) *ubl.Text { return s.TaxAmount })),
	twoDecimals("BR-DEC-23", eachLine, Words{"net amount of a line", "المبلغ الصافي للبند"}, tooPreciseNet),
	shadowed(twoDecimals("BR-DEC-24", eachLineAllowance, Words{"amount of a discount on a line", "مبلغ الخصم على البند"}, neverReported)),
	shadowed(twoDecimals("BR-DEC-25", eachLineAllowance, Words{"base of a discount on a line", "المبلغ الأساسي للخصم على البند"}, neverReported)),
	twoDecimals("BR-DEC-27", eachLineCharge, Words{"amount of a charge on a line", "مبلغ الرسم الإضافي على البند"}, ofLines("cbc:Amount", adjustmentAmount)),
	twoDecimals("BR-DEC-28", eachLineCharge, Words{"base of a charge on a line", "المبلغ الأساسي للرسم الإضافي على البند"}, ofLines("cbc:BaseAmount", adjustmentBase)),
}

var (
	allowanceAmount = Words{"discount amount (`allowance_amount`)", "مبلغ الخصم (`allowance_amount`)"}
	allowanceBase   = Words{"base amount of a discount", "المبلغ الأساسي للخصم"}
	chargeAmount    = Words{"charge amount", "مبلغ الرسم الإضافي"}
	chargeBase      = Words{"base amount of a charge", "المبلغ الأساسي للرسم الإضافي"}
)

// twoDecimals returns the rule that an amount may have at most two decimals.
func twoDecimals(id string, applies, name Words, check func(*document, *trial)) Rule {
	return Rule{
		ID: id, Flag: Warning, Applies: applies,
		Says:  Words{"The " + name.EN + " must have at most two decimals.", "يجب ألا يتجاوز عدد المنازل العشرية في " + name.AR + " منزلتين."},
		Fix:   Words{"Round the " + name.EN + " to two decimals; trailing zeros count.", "قرّب " + name.AR + " إلى منزلتين عشريتين؛ وتُحتسب الأصفار في آخر الرقم أيضًا."},
		check: check,
	}
}

// shadowed marks a rule on discounts on lines as dead: an empty rule of higher
// priority in the sheet matches them all.
func shadowed(r Rule) Rule {
	r.Dead = "an empty rule of the sheet with higher priority matches every discount on a line"
	return r
}

func adjustmentAmount(a *ubl.AllowanceCharge) *ubl.Text { return a.Amount }
func adjustmentBase(a *ubl.AllowanceCharge) *ubl.Text   { return a.BaseAmount }

func ofDocument(is func(adjustment) bool, name string, of func(*ubl.AllowanceCharge) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, a := range d.adjustments {
			if text := of(a.AllowanceCharge); text != nil && is(a) {
				tooPrecise(t, a.path, name, text)
			}
		}
	}
}

// ofLines returns a check for charges on lines; the rules on discounts are
// shadowed.
func ofLines(name string, of func(*ubl.AllowanceCharge) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for i := range d.lines {
			for _, a := range d.lines[i].adjustments {
				if text := of(a.AllowanceCharge); text != nil && a.isCharge() {
					tooPrecise(t, a.path, name, text)
				}
			}
		}
	}
}

func ofTotals(name string, of func(*ubl.MonetaryTotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) { tooPrecise(t, totalsPath, name, of(d.totals)) }
}

// ofTaxTotals returns a check for the VAT totals whose currency is exactly the
// one that currency returns.
func ofTaxTotals(currency func(*document) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		code := currency(d)
		for i, total := range d.TaxTotals {
			if code != nil && isIn(total.TaxAmount, code.Value) {
				tooPrecise(t, numbered("/Invoice/cac:TaxTotal", i), "cbc:TaxAmount", total.TaxAmount)
			}
		}
	}
}

func ofSubtotals(name string, of func(*ubl.TaxSubtotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, s := range d.subtotals {
			tooPrecise(t, s.path, name, of(s.TaxSubtotal))
		}
	}
}

func tooPreciseNet(d *document, t *trial) {
	for i := range d.lines {
		tooPrecise(t, d.lines[i].path, "cbc:LineExtensionAmount", d.lines[i].LineExtensionAmount)
	}
}

// tooPrecise reports an amount with more than two decimals.
func tooPrecise(t *trial, within, name string, amount *ubl.Text) {
	if amount == nil {
		return
	}
	t.seen()
	if decimals(amount.Value) > 2 {
		t.fail(within+"/"+name, amount.Value, "at most two decimals")
	}
}
