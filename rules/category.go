package rules

import (
	"slices"

	"khatm/money"
	"khatm/ubl"
)

// vatCategory is a VAT category with its own family of rules. The families have
// nearly the same rules; those are built by the functions below.
type vatCategory struct {
	letter string
	name   Words
}

var (
	standardRated = vatCategory{"S", Words{"standard rated (S)", "النسبة الأساسية (S)"}}
	zeroRated     = vatCategory{"Z", Words{"zero rated (Z)", "نسبة الصفر (Z)"}}
	exempt        = vatCategory{"E", Words{"exempt (E)", "التوريدات المعفاة (E)"}}
	outOfScope    = vatCategory{"O", Words{"outside the scope of VAT (O)", "التوريدات خارج نطاق الضريبة (O)"}}
)

func (c vatCategory) documents() Words {
	return Words{"documents with a line, discount or charge that is " + c.name.EN, "المستندات التي تتضمن بندًا أو خصمًا أو رسمًا إضافيًا من فئة " + c.name.AR}
}

func (c vatCategory) lines() Words {
	return Words{"each line that is " + c.name.EN, "كل بند من فئة " + c.name.AR}
}

func (c vatCategory) allowances() Words {
	return Words{"each discount that is " + c.name.EN, "كل خصم من فئة " + c.name.AR}
}

func (c vatCategory) charges() Words {
	return Words{"each charge that is " + c.name.EN, "كل رسم إضافي من فئة " + c.name.AR}
}

func (c vatCategory) subtotals() Words {
	return Words{"each row of the VAT breakdown that is " + c.name.EN, "كل صف من فئة " + c.name.AR + " في تفصيل الضريبة"}
}

// rowInBreakdown returns rule 01 of each family.
func rowInBreakdown(id string, c vatCategory) Rule {
	return Rule{
		ID: id, Flag: Warning, Applies: c.documents(),
		Says: Words{
			"When a line, discount or charge is " + c.name.EN + ", the VAT breakdown must have a row of that category.",
			"إذا كان أحد البنود أو الخصومات أو الرسوم الإضافية من فئة " + c.name.AR + " فيجب أن يتضمن تفصيل الضريبة صفًّا لهذه الفئة.",
		},
		Fix: Words{
			"Add a cac:TaxSubtotal of category " + c.letter + ", or correct `vat_category_code` where it is wrong.",
			"أضف عنصر cac:TaxSubtotal من الفئة " + c.letter + "، أو صحّح قيمة `vat_category_code` إن كانت خاطئة.",
		},
		check: missingRow(c.letter),
	}
}

func missingRow(letter string) func(*document, *trial) {
	return func(d *document, t *trial) {
		if !occurs(d, letter) {
			return
		}
		t.seen()
		if !slices.ContainsFunc(d.subtotals, func(s subtotal) bool { return isVAT(s.category, letter) }) {
			t.fail("/Invoice/cac:TaxTotal/cac:TaxSubtotal", "", "a row of category "+letter)
		}
	}
}

// occurs reports whether any item, discount or charge in the document has that
// category.
func occurs(d *document, letter string) bool {
	is := func(c *ubl.TaxCategory) bool { return isVAT(c, letter) }
	for i := range d.lines {
		if slices.ContainsFunc(d.lines[i].item.TaxCategories, is) {
			return true
		}
	}
	for a := range d.everyAdjustment {
		if slices.ContainsFunc(a.TaxCategories, is) {
			return true
		}
	}
	for _, s := range d.straysNamed("cac:ClassifiedTaxCategory") {
		if is(strayCategory(s.node)) {
			return true
		}
	}
	return false
}

// taxableOfCategory returns rule 08 of the families Z, E and O.
func taxableOfCategory(id string, c vatCategory) Rule {
	return Rule{
		ID: id, Flag: Warning, Applies: c.subtotals(),
		Says: Words{
			"The taxable amount of a row that is " + c.name.EN + " must equal the net amounts of all lines of the category plus its charges minus its discounts. Two rows of the category, for two reasons, always fail this rule.",
			"يجب أن يكون المبلغ الخاضع للضريبة في صف فئة " + c.name.AR + " مساويًا لمجموع المبالغ الصافية لجميع بنود الفئة، مضافًا إليه رسومها الإضافية ومطروحًا منه خصوماتها. وإذا كان للفئة صفّان بسببين مختلفين فستظهر هذه المخالفة دائمًا.",
		},
		Fix: Words{
			"Correct cbc:TaxableAmount of the row. If the category has two reasons, ignore the warning or split the sale into two invoices.",
			"صحّح cbc:TaxableAmount للصف. وإذا كان للفئة نفسها سببان مختلفان للإعفاء فتجاهل التحذير، أو قسّم البيع على فاتورتين.",
		},
		check: wrongCategoryTaxable(c.letter),
	}
}

// wrongCategoryTaxable compares each row with all lines of the category, even
// if several rows share them.
func wrongCategoryTaxable(letter string) func(*document, *trial) {
	return func(d *document, t *trial) {
		isRow := func(s subtotal) bool { return isVAT(s.category, letter) }
		if !slices.ContainsFunc(d.subtotals, isRow) {
			return
		}
		want, found := taxableOf(d, letter)
		for _, s := range d.subtotals {
			if !isRow(s) {
				continue
			}
			if !found {
				t.fail(s.path, s.category.ID.String(), "a line, discount or charge of category "+letter)
				continue
			}
			mustEqual(t, s.path, "cbc:TaxableAmount", s.TaxableAmount, want)
		}
	}
}

// taxableOf returns the sum of the net amounts of a category's lines and its
// charges minus its discounts. Like the sheets, it compares the letter only;
// found reports whether anything has the category under the scheme VAT.
func taxableOf(d *document, letter string) (taxable money.Decimal, found bool) {
	var sum tally
	for i := range d.lines {
		of, underVAT := among(d.lines[i].item.TaxCategories, letter)
		found = found || underVAT
		if of {
			sum.add(d.lines[i].LineExtensionAmount.String())
		}
	}
	for _, a := range d.adjustments {
		of, underVAT := among(a.TaxCategories, letter)
		found = found || underVAT
		switch {
		case of && a.isCharge():
			sum.add(a.Amount.String())
		case of && a.isAllowance():
			sum.sub(a.Amount.String())
		}
	}
	return sum.total(), found
}

// among reports whether one of the categories has that letter, and whether one
// has it under the scheme VAT.
func among(categories []*ubl.TaxCategory, letter string) (of, vat bool) {
	for _, c := range categories {
		if normalize(c.ID.String()) == letter {
			of, vat = true, vat || underVAT(c)
		}
	}
	return of, vat
}

// mustEqual fails if the amount is missing or differs from want.
func mustEqual(t *trial, within, name string, amount *ubl.Text, want money.Decimal) {
	t.seen()
	if got, ok := decimal(amount.String()); !ok || !got.Equal(want) {
		t.fail(within+"/"+name, amount.String(), written(want))
	}
}

// written formats a number with two decimals, or with more if it has more.
func written(d money.Decimal) string {
	if d.Places() > 2 {
		return d.String()
	}
	return d.Fixed2()
}
