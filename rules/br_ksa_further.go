package rules

import (
	"regexp"
	"slices"
	"strings"

	"khatm/codes"
	"khatm/ubl"
)

// furtherRules are those of BR-KSA from later editions of the standard: on the
// identification of the buyer, on rates and reasons, and on supplies to the
// government.
var furtherRules = []Rule{
	{
		ID: "BR-KSA-81", Flag: Warning, Applies: standardDocuments,
		Says:  Words{"A buyer without a VAT number must have another identification.", "يجب ذكر معرّف آخر للمشتري الذي ليس له رقم ضريبي."},
		Fix:   Words{"Give the buyer a `vat_registration_number`, or an `additional_buyer_id` such as a commercial registration (CRN).", "أدخل الرقم الضريبي للمشتري (`vat_registration_number`) أو معرّفًا آخر (`additional_buyer_id`) مثل السجل التجاري (CRN)."},
		check: unidentifiedBuyer,
	},
	{
		ID: "BR-KSA-83", Flag: Warning, Applies: eachSubtotal,
		Says:  Words{"A row of the VAT breakdown with the code of an exemption reason must give the reason in words as well.", "إذا ذُكر في صف من تفصيل الضريبة رمز سبب الإعفاء من الضريبة وجب ذكر نص السبب أيضًا."},
		Fix:   Words{"Write the reason in words into `vat_exemption_reason_text`.", "اكتب نص سبب الإعفاء من الضريبة في `vat_exemption_reason_text`."},
		check: missingExemptionReason,
	},
	{
		ID: "BR-KSA-84", Flag: Error, Applies: standardRateParts,
		Says:  Words{"The VAT rate of the category S must be 15 or 5 percent.", "يجب أن تكون نسبة الضريبة للفئة S هي 15% أو 5%."},
		Fix:   Words{"Set `vat_rate` to 15 or 5; for another rate use another `vat_category_code`.", "اجعل قيمة `vat_rate` هي 15 أو 5، أو اختر فئة أخرى في `vat_category_code` إن كانت النسبة غير 15 و5."},
		check: atStandardRates(unusualStandardRate),
	},
	{
		ID: "BR-KSA-85", Flag: Warning, Applies: wherePresent,
		Says:  Words{"The buyer's telephone number must begin with 0 or +, followed by 4 to 15 digits.", "يجب أن يبدأ رقم هاتف المشتري بالرقم 0 أو بعلامة +، وأن يلي ذلك من 4 إلى 15 رقمًا."},
		Fix:   Words{"Write the number without blanks or hyphens, e.g. +966501234567.", "اكتب رقم الهاتف دون مسافات أو شرطات، مثل +966501234567."},
		check: malformedTelephone,
	},
	{
		ID: "BR-KSA-92", Flag: Error, Applies: Words{"documents for supplies to the government (position 9 of the transaction code is 1)", "مستندات التوريد للجهات الحكومية (الخانة التاسعة من رمز المعاملة هي 1)"},
		Says:  Words{"An invoice for a supply to the government must refer to the contract.", "يجب ذكر رقم العقد في فاتورة التوريد لجهة حكومية."},
		Fix:   Words{"Give the number of the contract in cac:ContractDocumentReference/cbc:ID.", "أدخل رقم العقد في cac:ContractDocumentReference/cbc:ID."},
		check: missingContract,
	},
	{
		ID: "BR-KSA-99", Flag: Warning, Applies: standardDocuments,
		Says:  Words{"The buyer's VAT number must not be empty if it is given.", "إذا وُجد حقل الرقم الضريبي للمشتري فيجب ألا يكون فارغًا."},
		Fix:   Words{"Fill in the buyer's `vat_registration_number`, or leave the element CompanyID out.", "أدخل الرقم الضريبي للمشتري (`vat_registration_number`) أو احذف العنصر CompanyID."},
		check: emptyBuyerVATNumber,
	},
}

var standardRateParts = Words{"everything with the standard VAT rate", "كل ما يخضع للضريبة بالنسبة الأساسية"}

func unidentifiedBuyer(d *document, t *trial) {
	named := slices.ContainsFunc(d.buyer.TaxSchemes, func(s *ubl.PartyTaxScheme) bool { return s.CompanyID != nil })
	if !d.standard() || named {
		return
	}
	t.seen()
	if normalize(identification(d.buyer).String()) == "" {
		t.fail(buyerPath+"/cac:PartyIdentification[1]/cbc:ID", "", "an identification")
	}
}

func missingExemptionReason(d *document, t *trial) {
	for _, s := range d.subtotals {
		if isUntaxed(s.category) {
			codeWithoutReason(t, s)
		}
	}
}

// codeWithoutReason reports a code, even an empty one, without a reason in words.
func codeWithoutReason(t *trial, s subtotal) {
	if s.category.TaxExemptionReasonCode == nil {
		return
	}
	t.seen()
	for _, reason := range s.category.TaxExemptionReasons {
		if normalize(reason.Value) != "" {
			return
		}
	}
	t.fail(s.path+"/cac:TaxCategory/cbc:TaxExemptionReason", "", "the reason in words")
}

func unusualStandardRate(d *document, t *trial) {
	if !d.hasStandardRate() {
		return
	}
	for _, a := range d.adjustments {
		unusualRates(t, a.path, "/cac:TaxCategory", a.TaxCategories)
	}
	for _, s := range d.subtotals {
		unusualRate(t, s)
	}
	for _, s := range d.lineSubtotals {
		unusualRate(t, s)
	}
	for _, l := range d.lines {
		unusualRates(t, l.path, "/cac:Item/cac:ClassifiedTaxCategory", l.item.TaxCategories)
	}
}

func unusualRates(t *trial, within, name string, list []*ubl.TaxCategory) {
	for i, c := range list {
		if isUnusual(t, c) {
			t.fail(numbered(within+name, i)+"/cbc:Percent", c.Percent.Value, "15 or 5")
		}
	}
}

func unusualRate(t *trial, s subtotal) {
	if isUnusual(t, s.category) {
		t.fail(s.path+"/cac:TaxCategory/cbc:Percent", s.category.Percent.Value, "15 or 5")
	}
}

// isUnusual reports whether a standard-rated category has a rate other than 15
// or 5. It skips other categories.
func isUnusual(t *trial, c *ubl.TaxCategory) bool {
	if c.Percent == nil || !isVAT(c, codes.StandardRated) {
		return false
	}
	t.seen()
	return !isUsualRate(c.Percent.Value)
}

var telephone = regexp.MustCompile(`^[0+][0-9]{4,15}$`)

func malformedTelephone(d *document, t *trial) {
	number := orEmpty(d.buyer.Contact).Telephone.String()
	if number == "" {
		return
	}
	t.seen()
	if !telephone.MatchString(number) {
		t.fail(buyerPath+"/cac:Contact/cbc:Telephone", number, "0 or + and 4 to 15 digits")
	}
}

func missingContract(d *document, t *trial) {
	code := []rune(d.transaction)
	if len(code) != 9 || code[8] != '1' || !standardOrSimplified(d) {
		return
	}
	t.seen()
	for _, c := range d.ContractDocumentReferences {
		if normalize(c.ID.String()) != "" {
			return
		}
	}
	t.fail("/Invoice/cac:ContractDocumentReference[1]/cbc:ID", "", "the number of the contract")
}

func emptyBuyerVATNumber(d *document, t *trial) {
	if !d.standard() {
		return
	}
	for i, s := range d.buyer.TaxSchemes {
		if s.CompanyID == nil {
			continue
		}
		t.seen()
		if strings.Trim(s.CompanyID.Value, blanks) == "" {
			t.fail(numbered(buyerPath+"/cac:PartyTaxScheme", i)+"/cbc:CompanyID", s.CompanyID.Value, "a VAT number")
		}
	}
}
