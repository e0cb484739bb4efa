package rules

import (
	"slices"

	"khatm/money"
	"khatm/ubl"
)

// totalRules are the family BR-CO: totals that must equal their sums.
var totalRules = []Rule{
	{
		ID: "BR-CO-04", Flag: Error, Applies: eachLine,
		Says:  Words{"Each line must have the VAT category of its item.", "يجب أن تُحدَّد فئة الضريبة في كل بند."},
		Fix:   Words{"Set `vat_category_code` of the line to S, Z, E or O; in XML it is cbc:ID of a cac:ClassifiedTaxCategory whose scheme is VAT.", "اجعل `vat_category_code` في البند S أو Z أو E أو O؛ وهو في ملف XML العنصر cbc:ID داخل cac:ClassifiedTaxCategory، وقيمة cac:TaxScheme فيه VAT."},
		check: missingItemCategory,
	},
	{
		ID: "BR-CO-10", Flag: Warning, Applies: everyDocument,
		Says:  Words{"The total of the lines must equal the sum of the net amounts of all lines.", "يجب أن يساوي مجموع البنود حاصل جمع المبالغ الصافية لجميع البنود."},
		Fix:   Words{"Add up the net amounts of the lines and write the sum into LineExtensionAmount of cac:LegalMonetaryTotal.", "اجمع المبالغ الصافية للبنود واكتب المجموع في LineExtensionAmount ضمن cac:LegalMonetaryTotal."},
		check: wrongLineTotal,
	},
	{
		ID: "BR-CO-11", Flag: Error, Applies: Words{"documents with discounts on the document", "المستندات التي فيها خصومات على مستوى المستند"},
		Says:  Words{"The total of discounts must equal the sum of the discounts on the document; without discounts it may be left out.", "يجب أن يساوي إجمالي الخصومات مجموع الخصومات على مستوى المستند، ويجوز حذفه إذا لم توجد خصومات."},
		Fix:   Words{"Add up the discounts (`allowance_amount`) and write the sum into AllowanceTotalAmount.", "اجمع مبالغ الخصومات (`allowance_amount`) واكتب المجموع في AllowanceTotalAmount."},
		check: wrongAdjustmentTotal("cbc:AllowanceTotalAmount", adjustment.isAllowance, func(m *ubl.MonetaryTotal) *ubl.Text { return m.AllowanceTotalAmount }),
	},
	{
		ID: "BR-CO-12", Flag: Error, Applies: Words{"documents with charges on the document", "المستندات التي فيها رسوم إضافية على مستوى المستند"},
		Says:  Words{"The total of charges must equal the sum of the charges on the document; without charges it may be left out, but not left empty.", "يجب أن يساوي إجمالي الرسوم الإضافية مجموع الرسوم الإضافية على مستوى المستند، ويجوز حذفه إذا لم توجد رسوم إضافية، ولا يجوز تركه فارغًا."},
		Fix:   Words{"Add up the charges and write the sum into ChargeTotalAmount, or remove the empty element.", "اجمع مبالغ الرسوم الإضافية واكتب المجموع في ChargeTotalAmount، أو احذف العنصر الفارغ."},
		check: wrongAdjustmentTotal("cbc:ChargeTotalAmount", adjustment.isCharge, func(m *ubl.MonetaryTotal) *ubl.Text { return m.ChargeTotalAmount }),
	},
	{
		ID: "BR-CO-13", Flag: Warning, Applies: everyDocument,
		Says:  Words{"The total without VAT must be the sum of the lines minus the discounts plus the charges on the document.", "يجب أن يكون الإجمالي غير الشامل للضريبة مساويًا لمجموع البنود، مطروحًا منه إجمالي الخصومات ومضافًا إليه إجمالي الرسوم الإضافية على مستوى المستند."},
		Fix:   Words{"Correct TaxExclusiveAmount: lines minus AllowanceTotalAmount plus ChargeTotalAmount.", "صحّح TaxExclusiveAmount: مجموع البنود ناقص AllowanceTotalAmount زائد ChargeTotalAmount."},
		check: wrongTaxExclusive,
	},
	{
		ID: "BR-CO-14", Flag: Error, Applies: everyDocument,
		Says:  Words{"The VAT total must equal the sum of the VAT amounts in the breakdown.", "يجب أن يساوي إجمالي ضريبة القيمة المضافة مجموع مبالغ الضريبة في تفصيل الضريبة."},
		Fix:   Words{"Add up TaxAmount of the rows and write the sum into TaxAmount of the cac:TaxTotal that holds them.", "اجمع TaxAmount للصفوف واكتب المجموع في TaxAmount ضمن cac:TaxTotal الذي يحوي الصفوف."},
		check: wrongTaxTotal,
	},
	{
		ID: "BR-CO-15", Flag: Error, Applies: everyDocument,
		Says:  Words{"The total with VAT must be the total without VAT plus the VAT of the breakdown, and the VAT total must be given in the currency of the document.", "يجب أن يكون الإجمالي الشامل للضريبة مساويًا للإجمالي غير الشامل للضريبة مضافًا إليه مبلغ الضريبة الوارد في تفصيل الضريبة، وأن يُذكر إجمالي الضريبة بعملة المستند."},
		Fix:   Words{"Correct TaxInclusiveAmount, and give a TaxAmount whose currencyID is the document's `currency`.", "صحّح TaxInclusiveAmount، وأضف TaxAmount، واجعل السمة currencyID فيه مطابقة لعملة المستند (`currency`)."},
		check: together(wrongTaxInclusive),
	},
	{
		ID: "BR-CO-16", Flag: Warning, Applies: everyDocument,
		Says:  Words{"The amount due must be the total with VAT minus the prepaid amount plus the rounding.", "يجب أن يكون المبلغ المستحق مساويًا للإجمالي الشامل للضريبة، مطروحًا منه المبلغ المدفوع مقدمًا ومضافًا إليه فرق التقريب."},
		Fix:   Words{"Correct PayableAmount: TaxInclusiveAmount minus PrepaidAmount plus PayableRoundingAmount; in JSON this is `expected_payable_amount`.", "صحّح PayableAmount: قيمة TaxInclusiveAmount ناقص PrepaidAmount زائد PayableRoundingAmount؛ والحقل المقابل في JSON هو `expected_payable_amount`."},
		check: wrongPayable,
	},
	{
		ID: "BR-CO-17", Flag: Warning, Applies: eachSubtotal,
		Says: Words{
			"The VAT of each row of the breakdown must be its taxable amount times its rate, with a tolerance of 0.01 for each line of the document; the rate is required, even if it is 0.",
			"يجب أن تساوي الضريبة في كل صف من تفصيل الضريبة حاصل ضرب المبلغ الخاضع للضريبة في النسبة، بفارق لا يتجاوز 0.01 لكل بند في المستند؛ ويجب ذكر النسبة ولو كانت 0.",
		},
		Fix:   Words{"Recalculate TaxAmount of the row from TaxableAmount and Percent; give Percent 0 where no VAT is due.", "أعد حساب TaxAmount للصف من TaxableAmount وPercent، واكتب Percent بقيمة 0 حيث لا تُستحق ضريبة."},
		check: wrongSubtotalTax,
	},
	{
		ID: "BR-CO-18", Flag: Error, Applies: everyDocument,
		Says:  Words{"The document must have at least one row of VAT breakdown.", "يجب أن يتضمن المستند صفًّا واحدًا على الأقل في تفصيل الضريبة."},
		Fix:   Words{"Give a cac:TaxSubtotal for each VAT category and rate.", "أضف عنصر cac:TaxSubtotal مستقلًا لكل فئة ضريبة ونسبتها."},
		check: missingBreakdown,
	},
}

func missingItemCategory(d *document, t *trial) {
	for i := range d.lines {
		t.seen()
		named := func(c *ubl.TaxCategory) bool { return c.ID != nil && underVAT(c) }
		if !slices.ContainsFunc(d.lines[i].item.TaxCategories, named) {
			t.fail(d.lines[i].path+"/cac:Item/cac:ClassifiedTaxCategory/cbc:ID", "", "S, Z, E or O")
		}
	}
}

func wrongLineTotal(d *document, t *trial) {
	if d.MonetaryTotal == nil {
		return
	}
	var sum tally
	for _, l := range d.Lines {
		sum.add(l.LineExtensionAmount.String())
	}
	mustEqual(t, totalsPath, "cbc:LineExtensionAmount", d.totals.LineExtensionAmount, round2(sum.total()))
}

// wrongAdjustmentTotal returns a check of the total of discounts, or of
// charges.
func wrongAdjustmentTotal(name string, is func(adjustment) bool, of func(*ubl.MonetaryTotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		total, some := of(d.totals), slices.ContainsFunc(d.adjustments, is)
		if d.MonetaryTotal == nil || total == nil && !some {
			return
		}
		var sum tally
		for _, a := range d.adjustments {
			if is(a) {
				sum.add(a.Amount.String())
			}
		}
		mustEqual(t, totalsPath, name, total, round2(sum.total()))
	}
}

// wrongTaxExclusive checks the total without VAT. Without discounts and charges
// it must equal LineExtensionAmount as stated. With them the sheet sums up the
// lines in doubles, and its result can differ from the exact sum by a cent.
func wrongTaxExclusive(d *document, t *trial) {
	if d.MonetaryTotal == nil {
		return
	}
	discounts, charges := d.totals.AllowanceTotalAmount, d.totals.ChargeTotalAmount
	want, ok := decimal(d.totals.LineExtensionAmount.String())
	if discounts != nil || charges != nil {
		off, _ := decimal(discounts.String())
		on, readable := decimal(charges.String())
		want, ok = round2(netsInDoubles(d).Add(on).Sub(off)), readable || charges == nil
	}
	if !ok {
		t.fail(totalsPath+"/cbc:TaxExclusiveAmount", d.totals.TaxExclusiveAmount.String(), "lines minus discounts plus charges")
		return
	}
	mustEqual(t, totalsPath, "cbc:TaxExclusiveAmount", d.totals.TaxExclusiveAmount, want)
}

func netsInDoubles(d *document) money.Decimal {
	nets := make([]string, 0, len(d.Lines))
	for _, l := range d.Lines {
		if l.LineExtensionAmount != nil {
			nets = append(nets, l.LineExtensionAmount.Value)
		}
	}
	return sumInDoubles(nets)
}

func wrongTaxTotal(d *document, t *trial) {
	for i, total := range d.TaxTotals {
		if len(total.Subtotals) > 0 {
			mustEqual(t, numbered("/Invoice/cac:TaxTotal", i), "cbc:TaxAmount", total.TaxAmount, round2(taxOfRows(total)))
		}
	}
}

func taxOfRows(total *ubl.TaxTotal) money.Decimal {
	var sum tally
	for _, s := range total.Subtotals {
		sum.add(s.TaxAmount.String())
	}
	return sum.total()
}

// wrongTaxInclusive checks the total with VAT, and that there is a VAT total in
// the currency of the document. It does not apply to a document without a
// currency.
func wrongTaxInclusive(d *document, t *trial) {
	if d.DocumentCurrencyCode == nil {
		return
	}
	currency := d.DocumentCurrencyCode.Value
	t.seen()
	if !slices.ContainsFunc(d.TaxTotals, func(total *ubl.TaxTotal) bool { return isIn(total.TaxAmount, currency) }) {
		t.fail("/Invoice/cac:TaxTotal/cbc:TaxAmount/@currencyID", "", currency)
	}
	want, ok := decimal(d.totals.TaxExclusiveAmount.String())
	for _, total := range d.TaxTotals {
		want = want.Add(taxOfRows(total))
	}
	if !ok {
		t.fail(totalsPath+"/cbc:TaxInclusiveAmount", d.totals.TaxInclusiveAmount.String(), "TaxExclusiveAmount plus VAT")
		return
	}
	mustEqual(t, totalsPath, "cbc:TaxInclusiveAmount", d.totals.TaxInclusiveAmount, round2(want))
}

// isIn reports whether the currency of an amount is exactly currency.
func isIn(amount *ubl.Text, currency string) bool {
	return amount != nil && slices.ContainsFunc(amount.Attrs, func(a ubl.Attr) bool { return a.Name == "currencyID" && a.Value == currency })
}

// wrongPayable checks the payable amount. As in the sheet, each side is rounded
// only if something is subtracted from it.
func wrongPayable(d *document, t *trial) {
	if d.MonetaryTotal == nil {
		return
	}
	t.seen()
	due, hasDue := decimal(d.totals.PayableAmount.String())
	want, hasTotal := decimal(d.totals.TaxInclusiveAmount.String())
	prepaid, _ := decimal(d.totals.PrepaidAmount.String())
	rounding, _ := decimal(d.totals.PayableRoundingAmount.String())
	if d.totals.PayableRoundingAmount != nil {
		due = round2(due.Sub(rounding))
	}
	if d.totals.PrepaidAmount != nil {
		want = round2(want.Sub(prepaid))
	}
	if !hasDue || !hasTotal || !due.Equal(want) {
		t.fail(totalsPath+"/cbc:PayableAmount", d.totals.PayableAmount.String(), written(want.Add(rounding)))
	}
}

func wrongSubtotalTax(d *document, t *trial) {
	for _, s := range d.subtotals {
		wrongTax(d, t, s)
	}
}

// wrongTax checks the VAT amount of a row, for BR-CO-17 and BR-S-09. The rate
// counts only under the scheme VAT.
func wrongTax(d *document, t *trial, s subtotal) {
	t.seen()
	rate := ""
	if underVAT(s.category) {
		rate = s.category.Percent.String()
	}
	want, ok := vatWithin(s.TaxAmount.String(), s.TaxableAmount.String(), rate, len(d.Lines))
	switch {
	case ok:
	case rate == "":
		t.fail(s.path+"/cac:TaxCategory/cbc:Percent", "", "a VAT rate")
	default:
		t.fail(s.path+"/cbc:TaxAmount", s.TaxAmount.String(), want)
	}
}

func missingBreakdown(d *document, t *trial) {
	t.seen()
	if len(d.subtotals) == 0 {
		t.fail("/Invoice/cac:TaxTotal/cac:TaxSubtotal", "", "a row for each VAT category and rate")
	}
}
