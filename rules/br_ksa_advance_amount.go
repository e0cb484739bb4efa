package rules

import (
	"slices"

	"khatm/codes"
	"khatm/ubl"
)

// advanceAmountRules are those of BR-KSA on the amounts of deducted advance
// payments, and on the exemption reasons of advances without VAT.
var advanceAmountRules = []Rule{
	{
		ID: "BR-KSA-79", Flag: Warning, Applies: eachAdvance,
		Says:  Words{"The VAT of an advance must be its taxable amount times its rate, rounded to two decimals.", "يجب أن يكون مبلغ الضريبة للدفعة المقدمة مساويًا للمبلغ الخاضع للضريبة مضروبًا في نسبة الضريبة، بعد التقريب إلى منزلتين عشريتين."},
		Fix:   Words{"Multiply TaxableAmount by Percent, divide by 100 and write the result into TaxAmount.", "اضرب TaxableAmount في Percent، ثم اقسم على 100، واكتب الناتج في TaxAmount."},
		check: wrongAdvanceVAT,
	},
	{
		ID: "BR-KSA-80", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"The prepaid amount must be the sum of the taxable amounts and the VAT of all deducted advances.", "يجب أن يكون المبلغ المدفوع مقدمًا مساويًا لمجموع المبالغ الخاضعة للضريبة ومبالغ الضريبة لجميع الدفعات المقدمة المخصومة."},
		Fix:   Words{"Add up TaxableAmount and TaxAmount of the advances on the lines and write the sum into PrepaidAmount; if there are no advances, leave both out.", "اجمع TaxableAmount وTaxAmount للدفعات المقدمة في البنود واكتب المجموع في PrepaidAmount. وإن لم توجد دفعات مقدمة فاحذف PrepaidAmount، واحذف TaxSubtotal من البنود."},
		check: wrongPrepaid,
	},
	{
		ID: "BR-KSA-82", Flag: Error, Applies: deductedAdvances,
		Says:  Words{"A line that deducts an advance must have no amount itself: price, net amount, VAT, total, discounts and charges must be 0.", "يجب أن تكون جميع مبالغ البند الذي تُخصم به دفعة مقدمة 0: السعر والمبلغ الصافي والضريبة والإجمالي والخصومات والرسوم الإضافية."},
		Fix:   Words{"Write 0.00 into PriceAmount, LineExtensionAmount, TaxAmount and RoundingAmount of the line; the amount of the advance is in its TaxSubtotal.", "اكتب 0.00 في PriceAmount وLineExtensionAmount وTaxAmount وRoundingAmount في البند؛ أما مبلغ الدفعة المقدمة فيُكتب في TaxSubtotal للبند."},
		check: sellingAdvanceLine,
	},
	{
		ID: "BR-KSA-93", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance in the category Z (zero rated) should give a reason code.", "إذا كانت الدفعة المقدمة من الفئة Z (خاضعة لنسبة الصفر) فينبغي ذكر رمز السبب."},
		Fix:   Words{"Add TaxExemptionReasonCode to the TaxCategory of the advance, e.g. VATEX-SA-35.", "أضف TaxExemptionReasonCode إلى TaxCategory للدفعة المقدمة، بقيمة مثل VATEX-SA-35."},
		check: atStandardRates(advanceWithoutCode(codes.ZeroRated)),
	},
	{
		ID: "BR-KSA-94", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance in the category E (exempt) should give a reason code.", "إذا كانت الدفعة المقدمة من الفئة E (معفاة) فينبغي ذكر رمز سبب الإعفاء."},
		Fix:   Words{"Add TaxExemptionReasonCode to the TaxCategory of the advance, e.g. VATEX-SA-29.", "أضف TaxExemptionReasonCode إلى TaxCategory للدفعة المقدمة، بقيمة مثل VATEX-SA-29."},
		check: atStandardRates(advanceWithoutCode(codes.Exempt)),
	},
	{
		ID: "BR-KSA-95", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance in the category O (not subject to VAT) should give a reason code.", "إذا كانت الدفعة المقدمة من الفئة O (خارج نطاق الضريبة) فينبغي ذكر رمز السبب."},
		Fix:   Words{"Add TaxExemptionReasonCode VATEX-SA-OOS to the TaxCategory of the advance.", "أضف TaxExemptionReasonCode بالقيمة VATEX-SA-OOS إلى TaxCategory للدفعة المقدمة."},
		check: atStandardRates(advanceWithoutCode(codes.NotSubjectToVAT)),
	},
	{
		ID: "BR-KSA-96", Flag: Warning, Applies: deductedAdvances,
		Says:  Words{"An advance with an exemption reason code must give the reason in words as well.", "إذا ذُكر للدفعة المقدمة رمز سبب الإعفاء من الضريبة وجب ذكر نص السبب أيضًا."},
		Fix:   Words{"Add TaxExemptionReason to the TaxCategory of the advance.", "أضف نص السبب TaxExemptionReason إلى TaxCategory للدفعة المقدمة."},
		check: atStandardRates(advanceWithoutReason),
	},
}

var eachAdvance = Words{"each advance on a line", "كل دفعة مقدمة واردة في بند"}

func wrongAdvanceVAT(d *document, t *trial) {
	for _, s := range d.lineSubtotals {
		t.seen()
		tax, taxable, rate := s.TaxAmount.String(), s.TaxableAmount.String(), s.category.Percent.String()
		if !rightAdvanceVAT(s.category, tax, taxable, rate) {
			t.fail(s.path+"/cbc:TaxAmount", tax, formatProduct(taxable, rate))
		}
	}
}

// rightAdvanceVAT reports whether the VAT of an advance is right. It must be 0
// in the categories E and Z, and in every category but S if there is no rate;
// it must also equal amount times rate, so that nothing passes without a rate.
// In all other cases the VAT may differ by 0.01 and is computed in doubles.
func rightAdvanceVAT(c *ubl.TaxCategory, tax, taxable, rate string) bool {
	category, blank := normalize(c.ID.String()), normalize(rate) == ""
	if category != codes.StandardRated && (blank || category == codes.Exempt || category == codes.ZeroRated) {
		got := formatted(tax)
		return got == formatProduct(taxable, "0") && got == formatProduct(taxable, rate)
	}
	if !underVAT(c) {
		return !blank && tax == "" // missing values on both sides compare as equal
	}
	return !blank && vatGiveOrTake(tax, taxable, rate)
}

// formatProduct returns format-number() of rate percent of an amount, or NaN if
// one of them is missing.
func formatProduct(amount, rate string) string {
	a, haveAmount := decimal(amount)
	r, haveRate := decimal(rate)
	if !haveAmount || !haveRate {
		return "NaN"
	}
	return formatDecimal(round2(a.Percent(r)))
}

// wrongPrepaid checks that the prepaid amount equals the sum of the advances.
// It compares texts with two decimals and sums up in doubles, as the sheet
// does.
func wrongPrepaid(d *document, t *trial) {
	if d.totals.PrepaidAmount == nil && len(d.lineSubtotals) == 0 {
		return
	}
	t.seen()
	var taxables, taxes []string
	for _, s := range d.lineSubtotals {
		if s.TaxableAmount != nil {
			taxables = append(taxables, s.TaxableAmount.Value)
		}
		if s.TaxAmount != nil {
			taxes = append(taxes, s.TaxAmount.Value)
		}
	}
	prepaid, _ := decimal(d.totals.PrepaidAmount.String())
	taxable, tax := sumOfDoubles(taxables), sumOfDoubles(taxes)
	want := formatDouble(taxable + tax)
	undue := prepaid.IsZero() && len(taxables)+len(taxes) > 0
	strange := !prepaid.IsZero() && taxable > 0 && tax > 0 && d.refersToOthers()
	if undue || strange || formatDecimal(prepaid) != want {
		t.fail(totalsPath+"/cbc:PrepaidAmount", d.totals.PrepaidAmount.String(), want)
	}
}

// refersToOthers reports whether a line refers to a document that is not an
// advance payment invoice.
func (d *document) refersToOthers() bool {
	return slices.ContainsFunc(d.Lines, func(l *ubl.Line) bool {
		return slices.ContainsFunc(l.DocumentReferences, func(r *ubl.DocumentReference) bool {
			return r.DocumentTypeCode != nil && r.DocumentTypeCode.Value != advanceType
		})
	})
}

// sellingAdvanceLine reports lines that deduct an advance but have an amount of
// their own. It skips references of another type, including a 386 with blanks
// around it: for those the sheet evaluates only BR-KSA-74.
func sellingAdvanceLine(d *document, t *trial) {
	if !d.deducts() {
		return
	}
	for _, l := range d.lines {
		for _, r := range l.DocumentReferences {
			if r.DocumentTypeCode != nil && r.DocumentTypeCode.Value != advanceType {
				continue
			}
			t.seen()
			if name, amount := amountOnLine(l); name != "" {
				t.fail(l.path+name, amount.String(), "0.00")
			}
			if name, amount := adjustmentOnLine(l); name != "" {
				t.fail(l.path+name, amount.String(), "0.00")
			}
		}
	}
}

// amountOnLine returns an amount of the line that is not 0. If the line has
// several totals, one of them being 0 is enough.
func amountOnLine(l *line) (name string, amount *ubl.Text) {
	var taxes, totals []*ubl.Text
	for _, total := range l.TaxTotals {
		taxes, totals = append(taxes, total.TaxAmount), append(totals, total.RoundingAmount)
	}
	switch {
	case !isPlainZero(l.LineExtensionAmount.String()):
		return "/cbc:LineExtensionAmount", l.LineExtensionAmount
	case !anyText(taxes, isPlainZero):
		return "/cac:TaxTotal[1]/cbc:TaxAmount", firstText(taxes)
	case !anyText(totals, isWholeZero):
		return "/cac:TaxTotal[1]/cbc:RoundingAmount", firstText(totals)
	case !isPlainZero(l.price.PriceAmount.String()):
		return "/cac:Price/cbc:PriceAmount", l.price.PriceAmount
	}
	return "", nil
}

// adjustmentOnLine returns the first discount or charge of a line if none of them
// is 0. The sheet reports it separately.
func adjustmentOnLine(l *line) (name string, amount *ubl.Text) {
	var amounts []*ubl.Text
	for _, a := range l.AllowanceCharges {
		amounts = append(amounts, a.Amount)
	}
	if len(amounts) == 0 || anyText(amounts, isPlainZero) {
		return "", nil
	}
	return "/cac:AllowanceCharge[1]/cbc:Amount", amounts[0]
}

func anyText(list []*ubl.Text, holds func(string) bool) bool {
	return slices.ContainsFunc(list, func(t *ubl.Text) bool { return holds(t.String()) })
}

func firstText(list []*ubl.Text) *ubl.Text {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func advanceWithoutCode(category string) func(*document, *trial) {
	return func(d *document, t *trial) {
		if len(d.lineSubtotals) == 0 || !d.hasStandardRate() {
			return
		}
		for _, s := range d.lineSubtotals {
			if !isVAT(s.category, category) {
				continue
			}
			t.seen()
			if normalize(s.category.TaxExemptionReasonCode.String()) == "" {
				t.fail(s.path+"/cac:TaxCategory/cbc:TaxExemptionReasonCode", "", "the code of the reason")
			}
		}
	}
}

func advanceWithoutReason(d *document, t *trial) {
	if len(d.lineSubtotals) == 0 || !d.hasStandardRate() {
		return
	}
	for _, s := range d.lineSubtotals {
		if isUntaxed(s.category) && underVAT(s.category) {
			codeWithoutReason(t, s)
		}
	}
}

// atStandardRates returns a check whose failures are counted once for each
// category with the standard VAT rate.
func atStandardRates(check func(*document, *trial)) func(*document, *trial) {
	return atEach(standardRates, check)
}

// standardRates returns the number of categories in the document with the
// standard VAT rate. The sheet tests the exemption reasons of all advances, and
// all standard rates, again at each of them.
func standardRates(d *document) int {
	standard := func(c *ubl.TaxCategory) bool { return isVAT(c, codes.StandardRated) }
	rows := func(s subtotal) bool { return standard(s.category) }
	n := countIf(d.subtotals, rows) + countIf(d.lineSubtotals, rows)
	for _, l := range d.lines {
		n += countIf(l.item.TaxCategories, standard)
	}
	for a := range d.everyAdjustment {
		if a.isCharge() || a.isAllowance() {
			n += countIf(a.TaxCategories, standard)
		}
	}
	return n
}

// hasStandardRate reports whether anything in the document has the standard
// VAT rate. The sheet reaches the exemption reasons of advances only in
// documents that contain such a category.
func (d *document) hasStandardRate() bool {
	rows := func(s subtotal) bool { return isVAT(s.category, codes.StandardRated) }
	return slices.ContainsFunc(d.subtotals, rows) || slices.ContainsFunc(d.lineSubtotals, rows) ||
		slices.ContainsFunc(d.adjustments, atStandardRate) ||
		slices.ContainsFunc(d.lines, func(l *line) bool {
			return anyStandard(l.item.TaxCategories) || slices.ContainsFunc(l.adjustments, atStandardRate) ||
				slices.ContainsFunc(l.price.AllowanceCharges, func(a *ubl.AllowanceCharge) bool {
					return atStandardRate(adjustment{a, ""})
				})
		})
}

func atStandardRate(a adjustment) bool {
	return (a.isCharge() || a.isAllowance()) && anyStandard(a.TaxCategories)
}

func anyStandard(list []*ubl.TaxCategory) bool {
	return slices.ContainsFunc(list, func(c *ubl.TaxCategory) bool { return isVAT(c, codes.StandardRated) })
}
