package rules

import (
	"strings"

	"khatm/codes"
	"khatm/ubl"
)

// taxRules are those of the family BR-KSA on VAT categories, exemption reasons
// and the VAT of a line.
var taxRules = []Rule{
	{
		ID: "BR-KSA-11", Flag: Error, Applies: eachLine,
		Says:  Words{"A line of category O, outside the scope of VAT, must have the rate 0 or no rate.", "يجب أن تكون نسبة الضريبة 0 لكل بند من الفئة O (خارج نطاق الضريبة)، أو ألا تُذكر."},
		Fix:   Words{"Set the rate of the line to 0 (`lines`, `vat_rate`), or correct its category (`vat_category_code`).", "اجعل نسبة الضريبة في البند 0 (`lines`، `vat_rate`)، أو صحّح فئته (`vat_category_code`)."},
		check: ratedOutOfScopeLine,
	},
	{
		ID: "BR-KSA-18", Flag: Error, Applies: Words{"each VAT category", "كل فئة من فئات ضريبة القيمة المضافة"},
		Says:  Words{"A VAT category must be S (standard), Z (zero-rated), E (exempt) or O (out of scope).", "يجب أن تكون فئة الضريبة S (خاضعة للنسبة الأساسية) أو Z (خاضعة لنسبة الصفر) أو E (معفاة) أو O (خارج نطاق الضريبة)."},
		Fix:   Words{"Set the category to S, Z, E or O (`vat_category_code`).", "اجعل فئة الضريبة S أو Z أو E أو O (`vat_category_code`)."},
		check: unknownSaudiCategory,
	},
	{
		ID: "BR-KSA-23", Flag: Warning, Applies: Words{"each exempt row of the VAT breakdown", "كل صف من الفئة E (معفاة) في تفصيل الضريبة"},
		Says:  Words{"A row of category E must give an exemption reason code.", "يجب أن يتضمن صف الفئة E (المعفاة) رمز سبب الإعفاء."},
		Fix:   Words{"Give a code such as VATEX-SA-29 or VATEX-SA-30 (`vat_exemption_reason_code`).", "أدخل رمز سبب الإعفاء، مثل VATEX-SA-29 أو VATEX-SA-30 (`vat_exemption_reason_code`)."},
		check: withoutReasonCode("E"),
	},
	{
		ID: "BR-KSA-24", Flag: Warning, Applies: Words{"each out-of-scope row of the VAT breakdown", "كل صف من الفئة O (خارج نطاق الضريبة) في تفصيل الضريبة"},
		Says:  Words{"A row of category O must give a reason code.", "يجب أن يتضمن صف الفئة O (خارج نطاق الضريبة) رمز السبب."},
		Fix:   Words{"Give the code VATEX-SA-OOS and the reason in words (`vat_exemption_reason_code`, `vat_exemption_reason_text`).", "أدخل الرمز VATEX-SA-OOS ونص السبب (`vat_exemption_reason_code` و`vat_exemption_reason_text`)."},
		check: withoutReasonCode("O"),
	},
	{
		ID: "BR-KSA-69", Flag: Warning, Applies: Words{"each zero-rated row of the VAT breakdown", "كل صف من الفئة Z (خاضعة لنسبة الصفر) في تفصيل الضريبة"},
		Says:  Words{"A row of category Z must give the reason code of the zero rate.", "يجب أن يتضمن صف الفئة Z (الخاضعة لنسبة الصفر) رمز السبب."},
		Fix:   Words{"Give a code such as VATEX-SA-32 or VATEX-SA-35 (`vat_exemption_reason_code`).", "أدخل رمز السبب، مثل VATEX-SA-32 أو VATEX-SA-35 (`vat_exemption_reason_code`)."},
		check: withoutReasonCode("Z"),
	},
	{
		ID: "BR-KSA-25", Flag: Warning, Applies: Words{"simplified documents whose only exemption reasons are private education or healthcare", "المستندات المبسطة التي لا سبب للإعفاء فيها إلا الخدمات التعليمية الخاصة أو الخدمات الصحية الخاصة"},
		Says:  Words{"A simplified document on private education or healthcare at the zero rate must have the name of the buyer.", "يجب أن يتضمن المستند المبسط اسم المشتري إذا كان لخدمات تعليمية خاصة أو خدمات صحية خاصة خاضعة لنسبة الصفر."},
		Fix:   Words{"Give the citizen's name (`buyer.buyer_name_arabic` or `buyer.buyer_name`).", "أدخل اسم المواطن (`buyer.buyer_name_arabic` أو `buyer.buyer_name`)."},
		check: namelessCitizen,
	},
	{
		ID: "BR-KSA-49", Flag: Error, Applies: Words{"private education or healthcare to citizens", "الخدمات التعليمية الخاصة أو الخدمات الصحية الخاصة للمواطنين"},
		Says:  Words{"Private education or healthcare at the zero rate requires the buyer's national ID.", "يُشترط لتطبيق نسبة الصفر على الخدمات التعليمية الخاصة أو الخدمات الصحية الخاصة ذكر رقم الهوية الوطنية للمشتري."},
		Fix:   Words{"Give the buyer's identification with the scheme NAT (`buyer.additional_buyer_id`).", "أدخل معرّف المشتري من النوع NAT (`buyer.additional_buyer_id`)."},
		check: citizenWithoutNationalID,
	},
	{
		ID: "BR-KSA-51", Flag: Warning, Applies: eachLine,
		Says:  Words{"The total of a line with VAT must be its net amount plus its VAT.", "يجب أن يكون إجمالي البند الشامل للضريبة مساويًا للمبلغ الصافي للبند مضافًا إليه مبلغ الضريبة."},
		Fix:   Words{"Add the net amount and the VAT amount of the line and write the sum into cbc:RoundingAmount.", "اجمع المبلغ الصافي للبند ومبلغ الضريبة، واكتب الناتج في العنصر cbc:RoundingAmount."},
		check: wrongLineTotalWithVAT,
	},
	{
		ID: "BR-KSA-52", Flag: Error, Applies: standardDocuments,
		Says:  Words{"Each line of a standard document must give its VAT amount.", "يجب أن يتضمن كل بند في المستند الضريبي (غير المبسط) مبلغ ضريبة القيمة المضافة."},
		Fix:   Words{"Add cac:TaxTotal/cbc:TaxAmount to the line.", "أضف العنصر cac:TaxTotal/cbc:TaxAmount إلى البند."},
		check: together(linesWithout("cbc:TaxAmount", func(t *ubl.TaxTotal) *ubl.Text { return t.TaxAmount })),
	},
	{
		ID: "BR-KSA-53", Flag: Error, Applies: standardDocuments,
		Says:  Words{"Each line of a standard document must give its total with VAT.", "يجب أن يتضمن كل بند في المستند الضريبي (غير المبسط) إجماليه الشامل للضريبة."},
		Fix:   Words{"Add cac:TaxTotal/cbc:RoundingAmount to the line.", "أضف العنصر cac:TaxTotal/cbc:RoundingAmount إلى البند."},
		check: together(linesWithout("cbc:RoundingAmount", func(t *ubl.TaxTotal) *ubl.Text { return t.RoundingAmount })),
	},
}

func ratedOutOfScopeLine(d *document, t *trial) {
	for _, l := range d.lines {
		ratedCategories(t, l.path, "/cac:Item/cac:ClassifiedTaxCategory", l.item.TaxCategories)
	}
}

func unknownSaudiCategory(d *document, t *trial) {
	for _, s := range d.subtotals {
		unknownSaudiLetter(t, s.path, "/cac:TaxCategory", s.category)
	}
	for _, s := range d.lineSubtotals {
		unknownSaudiLetter(t, s.path, "/cac:TaxCategory", s.category)
	}
	for _, a := range d.adjustments {
		for _, c := range a.TaxCategories {
			unknownSaudiLetter(t, a.path, "/cac:TaxCategory", c)
		}
	}
	for _, l := range d.lines {
		for _, c := range l.item.TaxCategories {
			unknownSaudiLetter(t, l.path, "/cac:Item/cac:ClassifiedTaxCategory", c)
		}
	}
	for _, s := range d.strayCategoryIDs() {
		unknownSaudiLetter(t, strings.TrimSuffix(s.path, "/cbc:ID"), "", &ubl.TaxCategory{ID: &ubl.Text{Value: s.node.Text}})
	}
}

// unknownSaudiLetter reports a category other than S, Z, E and O. It searches
// the list as one string, as the sheet does, so that an empty category and "S
// Z" pass.
func unknownSaudiLetter(t *trial, path, step string, c *ubl.TaxCategory) {
	if c.ID == nil {
		return
	}
	t.seen()
	if list := " S Z E O "; !strings.Contains(list, c.ID.Value) {
		t.fail(path+step+"/cbc:ID", c.ID.Value, "S, Z, E or O")
	}
}

// withoutReasonCode returns a check for rows of a category without a reason
// code. It ignores the tax scheme.
func withoutReasonCode(letter string) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, s := range d.subtotals {
			if normalize(s.category.ID.String()) != letter {
				continue
			}
			t.seen()
			if normalize(s.category.TaxExemptionReasonCode.String()) == "" {
				t.fail(s.path+"/cac:TaxCategory/cbc:TaxExemptionReasonCode", "", "a code of category "+letter)
			}
		}
	}
}

// namelessCitizen reports simplified documents for private education or
// healthcare without the citizen's name. It applies only if the document has no
// other exemption reason. As in the sheet, a part of one of the two codes
// counts as the code.
func namelessCitizen(d *document, t *trial) {
	if !d.beginsWith("02") {
		return
	}
	found := false
	for _, s := range d.exemptions() {
		if list := " VATEX-SA-HEA VATEX-SA-EDU "; !strings.Contains(list, s.category.TaxExemptionReasonCode.Value) {
			return
		}
		found = true
	}
	if !found {
		return
	}
	t.seen()
	if !d.buyerIsNamed() {
		t.fail(buyerPath+"/cac:PartyLegalEntity/cbc:RegistrationName", "", "the citizen's name")
	}
}

// exemptions returns the rows with a reason code, of the document and of lines.
func (d *document) exemptions() []subtotal {
	var all []subtotal
	for _, list := range [][]subtotal{d.subtotals, d.lineSubtotals} {
		for _, s := range list {
			if s.category.TaxExemptionReasonCode != nil {
				all = append(all, s)
			}
		}
	}
	return all
}

func citizenWithoutNationalID(d *document, t *trial) {
	national := false
	for _, id := range d.buyer.Identifications {
		national = national || id.ID.Attr("schemeID") == codes.NationalID
	}
	var reasons []string
	for _, s := range d.exemptions() {
		reasons = append(reasons, s.category.TaxExemptionReasonCode.Value)
	}
	// The schema allows a VAT total within a discount.
	for _, total := range d.straysNamed("cac:TaxTotal") {
		for _, s := range appendNamed(nil, total, "cac:TaxCategory") {
			reasons = append(reasons, leaf(s.node, "cbc:TaxExemptionReasonCode").String())
		}
	}
	for _, code := range reasons {
		if code != codes.PrivateEducation && code != codes.PrivateHealthcare {
			continue
		}
		t.seen()
		if !national {
			t.fail(buyerPath+"/cac:PartyIdentification/cbc:ID", "", "a national ID for "+code)
		}
	}
}

func wrongLineTotalWithVAT(d *document, t *trial) {
	for _, l := range d.lines {
		for i, total := range l.TaxTotals {
			t.seen()
			got := total.RoundingAmount.String()
			if want, ok := isSum(got, total.TaxAmount.String(), l.LineExtensionAmount.String()); !ok {
				t.fail(numbered(l.path+"/cac:TaxTotal", i)+"/cbc:RoundingAmount", got, want)
			}
		}
	}
}

// linesWithout returns a check for lines of standard documents that lack an
// amount.
func linesWithout(name string, of func(*ubl.TaxTotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		if !knownStandard(d) {
			return
		}
		for _, l := range d.lines {
			t.seen()
			there := false
			for _, total := range l.TaxTotals {
				there = there || of(total).String() != ""
			}
			if !there {
				t.fail(l.path+"/cac:TaxTotal/"+name, "", "an amount")
			}
		}
	}
}
