package rules

import (
	"slices"

	"khatm/ubl"
)

// zeroOnLines returns rule 05 of the families Z and E.
func zeroOnLines(id string, c vatCategory) Rule {
	return Rule{
		ID: id, Flag: Error, Applies: c.lines(),
		Says: Words{
			"A line that is " + c.name.EN + " must have the VAT rate 0.",
			"يجب أن تكون نسبة ضريبة القيمة المضافة 0 في كل بند من فئة " + c.name.AR + ".",
		},
		Fix: Words{
			"Set `vat_rate` of the line to 0, or use category S if VAT is due.",
			"اجعل `vat_rate` في البند 0، أو استخدم الفئة S إذا كان البند خاضعًا للنسبة الأساسية.",
		},
		check: wrongLineRate(c.letter, isZero, "0"),
	}
}

// zeroOnAllowances returns rule 06 of the families Z and E.
func zeroOnAllowances(id string, c vatCategory) Rule {
	return Rule{
		ID: id, Flag: Error, Applies: c.allowances(),
		Says: Words{
			"A discount that is " + c.name.EN + " must have the VAT rate 0.",
			"يجب أن تكون نسبة ضريبة القيمة المضافة 0 في كل خصم من فئة " + c.name.AR + ".",
		},
		Fix: Words{
			"Set `vat_rate` of the discount in `document_level_allowances` to 0, or use category S if VAT is due on the lines that it reduces.",
			"اجعل `vat_rate` للخصم في `document_level_allowances` بقيمة 0، أو استخدم له الفئة S إذا كان يخفّض بنودًا خاضعة للنسبة الأساسية.",
		},
		check: wrongAdjustmentRate(c.letter, adjustment.isAllowance, isZero, "0"),
	}
}

// zeroOnCharges returns rule 07 of the families Z and E.
func zeroOnCharges(id string, c vatCategory) Rule {
	return Rule{
		ID: id, Flag: Error, Applies: c.charges(),
		Says: Words{
			"A charge on the document that is " + c.name.EN + " must have the VAT rate 0.",
			"يجب أن تكون نسبة ضريبة القيمة المضافة 0 في كل رسم إضافي على مستوى المستند من فئة " + c.name.AR + ".",
		},
		Fix: Words{
			"Set cbc:Percent of the charge to 0, or use category S if VAT is due on it.",
			"اجعل cbc:Percent للرسم الإضافي 0، أو استخدم الفئة S إذا كان خاضعًا للنسبة الأساسية.",
		},
		check: together(noZeroRate(c.letter)),
	}
}

// noTax returns rule 09 of the families Z, E and O.
func noTax(id string, c vatCategory) Rule {
	return Rule{
		ID: id, Flag: Error, Applies: c.subtotals(),
		Says: Words{
			"The VAT amount of a row that is " + c.name.EN + " must be 0.",
			"يجب أن يكون مبلغ ضريبة القيمة المضافة 0 في كل صف من فئة " + c.name.AR + ".",
		},
		Fix: Words{
			"Set cbc:TaxAmount of the row to 0, or use category S if VAT is due.",
			"اجعل cbc:TaxAmount للصف 0، أو استخدم الفئة S إذا كان التوريد خاضعًا للنسبة الأساسية.",
		},
		check: taxDespite(c.letter),
	}
}

// wrongLineRate returns a check for lines of a category with a wrong rate.
func wrongLineRate(letter string, right func(*ubl.Text) bool, want string) func(*document, *trial) {
	return func(d *document, t *trial) {
		for i := range d.lines {
			for j, c := range d.lines[i].item.TaxCategories {
				if !isVAT(c, letter) {
					continue
				}
				t.seen()
				if !right(c.Percent) {
					t.fail(numbered(d.lines[i].path+"/cac:Item/cac:ClassifiedTaxCategory", j)+"/cbc:Percent", c.Percent.String(), want)
				}
			}
		}
	}
}

// wrongAdjustmentRate returns a check for discounts or charges of a category
// with a wrong rate, including those on lines and in prices.
func wrongAdjustmentRate(letter string, is func(adjustment) bool, right func(*ubl.Text) bool, want string) func(*document, *trial) {
	return func(d *document, t *trial) {
		for a := range d.everyAdjustment {
			for i, c := range a.TaxCategories {
				if !isVAT(c, letter) || !is(a) {
					continue
				}
				t.seen()
				if !right(c.Percent) {
					t.fail(numbered(a.path+"/cac:TaxCategory", i)+"/cbc:Percent", c.Percent.String(), want)
				}
			}
		}
	}
}

// noZeroRate returns a check for charges of a category whose rate is not 0. It
// requires less than the text of the rule: in the sheet it is enough that any
// discount or charge on the document, of any category, has the rate 0.
func noZeroRate(letter string) func(*document, *trial) {
	return func(d *document, t *trial) {
		content := slices.ContainsFunc(d.adjustments, func(a adjustment) bool {
			return slices.ContainsFunc(a.TaxCategories, func(c *ubl.TaxCategory) bool { return isZero(c.Percent) })
		})
		for _, a := range d.adjustments {
			for i, c := range a.TaxCategories {
				if !isVAT(c, letter) || !a.isCharge() {
					continue
				}
				t.seen()
				if !content {
					t.fail(numbered(a.path+"/cac:TaxCategory", i)+"/cbc:Percent", c.Percent.String(), "0")
				}
			}
		}
	}
}

func taxDespite(letter string) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, s := range d.subtotals {
			if !isVAT(s.category, letter) {
				continue
			}
			t.seen()
			if !isZero(s.TaxAmount) {
				t.fail(s.path+"/cbc:TaxAmount", s.TaxAmount.String(), "0.00")
			}
		}
	}
}

// isZero reports whether a number is 0, and isPositive whether it is above 0.
// Both return false for a missing number.
func isZero(number *ubl.Text) bool {
	if n, ok := toFixed(number.String()); ok {
		return n == 0
	}
	n, ok := decimal(number.String())
	return ok && n.IsZero()
}

func isPositive(number *ubl.Text) bool {
	if n, ok := toFixed(number.String()); ok {
		return n > 0
	}
	n, ok := decimal(number.String())
	return ok && n.Sign() > 0
}
