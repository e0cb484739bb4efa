package rules

import (
	"strings"

	"khatm/money"
	"khatm/ubl"
)

// saudiDecimalRules are the family BR-KSA-DEC: percentages, and the amounts of
// lines that exist only in Saudi Arabia.
var saudiDecimalRules = []Rule{
	{
		ID: "BR-KSA-DEC-01", Flag: Error, Applies: Words{"each discount that gives a percentage", "كل خصم ذُكرت نسبته المئوية"},
		Says:  Words{"The percentage of a discount must be between 0 and 100 and have at most two decimals.", "يجب أن تكون نسبة الخصم بين 0 و100 وبمنزلتين عشريتين على الأكثر."},
		Fix:   Words{"Write MultiplierFactorNumeric as a number such as 12.50, without a percent sign.", "اكتب MultiplierFactorNumeric رقمًا مثل 12.50 دون علامة النسبة المئوية."},
		check: wrongDiscountPercentage,
	},
	{
		ID: "BR-KSA-DEC-02", Flag: Error, Applies: Words{"each VAT rate", "كل نسبة لضريبة القيمة المضافة"},
		Says:  Words{"A VAT rate must be between 0 and 100 and have at most two decimals.", "يجب أن تكون نسبة ضريبة القيمة المضافة بين 0 و100 وبمنزلتين عشريتين على الأكثر."},
		Fix:   Words{"Write `vat_rate` as a number such as 15 or 15.00, without a percent sign.", "اكتب `vat_rate` رقمًا مثل 15 أو 15.00 دون علامة النسبة المئوية."},
		check: wrongRate,
	},
	twoDecimals("BR-KSA-DEC-03", eachLine, Words{"VAT amount of a line", "مبلغ ضريبة القيمة المضافة للبند"},
		ofLineTax("cbc:TaxAmount", func(x *ubl.TaxTotal) *ubl.Text { return x.TaxAmount })),
	twoDecimals("BR-KSA-DEC-04", eachLine, Words{"amount of a line with VAT", "مبلغ البند الشامل للضريبة"},
		ofLineTax("cbc:RoundingAmount", func(x *ubl.TaxTotal) *ubl.Text { return x.RoundingAmount })),
	twoDecimals("BR-KSA-DEC-06", deductedAdvances, Words{"taxable amount and the VAT amount of an advance (`vat_category_taxable_amount`, `vat_category_tax_amount`)", "المبلغ الخاضع للضريبة ومبلغ الضريبة للدفعة المقدمة (`vat_category_taxable_amount` و`vat_category_tax_amount`)"},
		tooPreciseAdvance),
}

// wrongDiscountPercentage reports percentages of discounts that are not valid.
// It skips discounts in prices.
func wrongDiscountPercentage(d *document, t *trial) {
	for a := range d.everyAdjustment {
		factor := a.MultiplierFactorNumeric.String()
		if factor == "" || !a.isAllowance() || a.inPrice() {
			continue
		}
		t.seen()
		if !isPercentage(factor) {
			t.fail(a.path+"/cbc:MultiplierFactorNumeric", factor, "0 to 100 with at most two decimals")
		}
	}
}

var hundred = money.FromInt(100)

// isPercentage reports whether a text is a number from 0 to 100 with at most
// two decimals. Blanks after the number count as decimals.
func isPercentage(text string) bool {
	if decimals(text) > 2 {
		return false
	}
	if n, ok := toFixed(text); ok {
		return 0 <= n && n <= 100*million
	}
	n, ok := decimal(text)
	return ok && n.Sign() >= 0 && n.Cmp(hundred) <= 0
}

// wrongRate reports VAT rates that are not percentages. It skips empty rates.
func wrongRate(d *document, t *trial) {
	for _, s := range d.subtotals {
		if notPercentage(t, s.category.Percent) {
			failRate(t, s.path+"/cac:TaxCategory", s.category.Percent)
		}
	}
	for _, s := range d.lineSubtotals {
		if notPercentage(t, s.category.Percent) {
			failRate(t, s.path+"/cac:TaxCategory", s.category.Percent)
		}
	}
	for i := range d.lines {
		for j, c := range d.lines[i].item.TaxCategories {
			if notPercentage(t, c.Percent) {
				failRate(t, numbered(d.lines[i].path+"/cac:Item/cac:ClassifiedTaxCategory", j), c.Percent)
			}
		}
	}
	for a := range d.everyAdjustment {
		for i, c := range a.TaxCategories {
			if notPercentage(t, c.Percent) {
				failRate(t, numbered(a.path+"/cac:TaxCategory", i), c.Percent)
			}
		}
	}
	for _, s := range d.straysNamed("cac:TaxCategory") {
		if c := strayCategory(s.node); strings.HasSuffix(s.path, "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory") && notPercentage(t, c.Percent) {
			failRate(t, s.path, c.Percent)
		}
	}
}

func notPercentage(t *trial, rate *ubl.Text) bool {
	if rate == nil || normalize(rate.Value) == "" {
		return false
	}
	t.seen()
	return !isPercentage(rate.Value)
}

func failRate(t *trial, category string, rate *ubl.Text) {
	t.fail(category+"/cbc:Percent", rate.Value, "0 to 100 with at most two decimals")
}

func ofLineTax(name string, of func(*ubl.TaxTotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for i := range d.lines {
			for j, total := range d.lines[i].TaxTotals {
				if text := of(total); text != nil {
					t.seen()
					if decimals(text.Value) > 2 {
						t.fail(numbered(d.lines[i].path+"/cac:TaxTotal", j)+"/"+name, text.Value, "at most two decimals")
					}
				}
			}
		}
	}
}

// tooPreciseAdvance reports amounts of advances with more than two decimals, if
// there is a prepaid amount.
func tooPreciseAdvance(d *document, t *trial) {
	if !isPositive(d.totals.PrepaidAmount) {
		return
	}
	for _, s := range d.lineSubtotals {
		t.group(func() {
			tooPrecise(t, s.path, "cbc:TaxableAmount", s.TaxableAmount)
			tooPrecise(t, s.path, "cbc:TaxAmount", s.TaxAmount)
		})
	}
}
