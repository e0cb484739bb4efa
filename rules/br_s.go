package rules

import "slices"

// standardRateRules are the family BR-S: VAT at the standard rate.
var standardRateRules = []Rule{
	rowInBreakdown("BR-S-01", standardRated),
	{
		ID: "BR-S-05", Flag: Warning, Applies: standardRated.lines(),
		Says:  Words{"A line at the standard rate must have a VAT rate above 0.", "يجب أن تكون نسبة ضريبة القيمة المضافة أكبر من 0 في كل بند خاضع للنسبة الأساسية."},
		Fix:   Words{"Set `vat_rate` of the line to 15 or 5, or use category Z, E or O if no VAT is due.", "اجعل `vat_rate` في البند 15 أو 5، أو استخدم الفئة Z أو E أو O إذا لم تكن الضريبة مستحقة."},
		check: wrongLineRate("S", isPositive, "more than 0"),
	},
	{
		ID: "BR-S-06", Flag: Error, Applies: standardRated.allowances(),
		Says:  Words{"A discount at the standard rate must have a VAT rate above 0.", "يجب أن تكون نسبة ضريبة القيمة المضافة أكبر من 0 في كل خصم خاضع للنسبة الأساسية."},
		Fix:   Words{"Set `vat_rate` of the discount in `document_level_allowances` to the rate of the lines that it reduces.", "اجعل `vat_rate` للخصم في `document_level_allowances` مساوية لنسبة البنود التي يخفّضها."},
		check: wrongAdjustmentRate("S", adjustment.isAllowance, isPositive, "more than 0"),
	},
	{
		ID: "BR-S-07", Flag: Warning, Applies: standardRated.charges(),
		Says:  Words{"A charge at the standard rate must have a VAT rate above 0.", "يجب أن تكون نسبة ضريبة القيمة المضافة أكبر من 0 في كل رسم إضافي خاضع للنسبة الأساسية."},
		Fix:   Words{"Set cbc:Percent of the charge to 15 or 5.", "اجعل cbc:Percent للرسم الإضافي 15 أو 5."},
		check: wrongAdjustmentRate("S", adjustment.isCharge, isPositive, "more than 0"),
	},
	{
		ID: "BR-S-08", Flag: Warning, Applies: standardRated.subtotals(),
		Says: Words{
			"The taxable amounts of category S, over all its rates, must equal the net amounts of its lines plus its charges minus its discounts.",
			"يجب أن يكون مجموع المبالغ الخاضعة للضريبة في الفئة S، بجميع نسبها، مساويًا لمجموع المبالغ الصافية لبنود الفئة، مضافًا إليه رسومها الإضافية ومطروحًا منه خصوماتها.",
		},
		Fix: Words{
			"Correct cbc:TaxableAmount of the rows of category S, or the wrong category of a line, discount or charge.",
			"صحّح cbc:TaxableAmount في صفوف الفئة S، أو صحّح فئة البند أو الخصم أو الرسم الإضافي المصنَّف خطأً.",
		},
		check: wrongStandardTaxable,
	},
	{
		ID: "BR-S-09", Flag: Warning, Applies: standardRated.subtotals(),
		Says: Words{
			"The VAT of a row at the standard rate must be its taxable amount times its rate, with a tolerance of 0.01 for each line of the document.",
			"يجب أن تساوي ضريبة القيمة المضافة في كل صف خاضع للنسبة الأساسية حاصل ضرب المبلغ الخاضع للضريبة في النسبة، بفارق لا يتجاوز 0.01 لكل بند في المستند.",
		},
		Fix: Words{
			"Multiply the taxable amount by the rate, round to two decimals and write that into cbc:TaxAmount; give the rate in cbc:Percent.",
			"اضرب المبلغ الخاضع للضريبة في النسبة، وقرّب الناتج إلى منزلتين عشريتين، واكتبه في cbc:TaxAmount. واذكر النسبة في cbc:Percent.",
		},
		check: wrongStandardTax,
	},
	{
		ID: "BR-S-10", Flag: Warning, Applies: standardRated.subtotals(),
		Says:  Words{"A row of the breakdown at the standard rate must not give an exemption reason.", "يجب ألا يتضمن صف النسبة الأساسية في تفصيل الضريبة سبب الإعفاء من الضريبة."},
		Fix:   Words{"Leave `vat_exemption_reason_code` and `vat_exemption_reason_text` empty, or use category Z, E or O with `vat_rate` 0.", "اترك `vat_exemption_reason_code` و`vat_exemption_reason_text` فارغين، أو استخدم الفئة Z أو E أو O مع `vat_rate` بقيمة 0."},
		check: reasonAtStandardRate,
	},
}

// wrongStandardTaxable checks the sum of the rows of a TaxTotal, so that the
// rates 5 and 15 are checked together. If the sum is wrong, each row fails.
func wrongStandardTaxable(d *document, t *trial) {
	if !slices.ContainsFunc(d.subtotals, func(s subtotal) bool { return isVAT(s.category, "S") }) {
		return
	}
	want, found := taxableOf(d, "S")
	for i, total := range d.TaxTotals {
		var sum tally
		for _, s := range total.Subtotals {
			if normalize(orEmpty(s.TaxCategory).ID.String()) == "S" {
				sum.add(s.TaxableAmount.String())
			}
		}
		got := sum.total()
		for j, s := range total.Subtotals {
			if !isVAT(orEmpty(s.TaxCategory), "S") {
				continue
			}
			t.seen()
			if !found || !got.Equal(want) {
				path := numbered(numbered("/Invoice/cac:TaxTotal", i)+"/cac:TaxSubtotal", j)
				t.fail(path+"/cbc:TaxableAmount", written(got), written(want))
			}
		}
	}
}

func wrongStandardTax(d *document, t *trial) {
	for _, s := range d.subtotals {
		if isVAT(s.category, "S") {
			wrongTax(d, t, s)
		}
	}
}

// reasonAtStandardRate reports rows of category S with an exemption reason. It
// applies only if some category is exactly S, but then also checks rows with
// blanks around the S.
func reasonAtStandardRate(d *document, t *trial) {
	named := slices.ContainsFunc(d.subtotals, func(s subtotal) bool { return s.category.ID.String() == "S" })
	for _, s := range d.subtotals {
		if !named || !isVAT(s.category, "S") {
			continue
		}
		t.seen()
		if c := s.category; c.TaxExemptionReasonCode != nil || len(c.TaxExemptionReasons) > 0 {
			t.fail(s.path+"/cac:TaxCategory", c.TaxExemptionReasonCode.String(), "no exemption reason")
		}
	}
}
