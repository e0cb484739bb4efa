package rules

import "slices"

// book contains every rule, family by family.
var book = slices.Concat(
	coreRules, lineCoreRules, adjustmentCoreRules,
	codeRules, saudiCodeRules,
	totalRules, decimalRules,
	standardRateRules, zeroRateRules, exemptRules, outOfScopeRules,
	saudiDecimalRules, saudiArithmeticRules,
	documentRules, supplyRules, chainRules, stampRules, sellerRules, buyerRules, noteRules,
	taxRules, adjustmentRules, advanceRules, advanceAmountRules, exchangeRules, furtherRules,
	formatRules, identifierRules, lengthRules, buyerLengthRules, lineLengthRules,
)

// Book returns every rule.
func Book() []Rule { return slices.Clone(book) }

// Find returns the rule with the given id and reports whether it exists.
func Find(id string) (Rule, bool) {
	for _, r := range book {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// The values of Rule.Applies that several rules share.
var (
	everyDocument       = Words{"every document", "كل مستند"}
	standardDocuments   = Words{"standard documents", "المستندات الضريبية (غير المبسطة)"}
	simplifiedDocuments = Words{"simplified documents", "المستندات المبسطة"}
	creditAndDebitNotes = Words{"credit and debit notes", "الإشعارات الدائنة والمدينة"}
	eachLine            = Words{"each line", "كل بند"}
	eachAllowance       = Words{"each discount on the document", "كل خصم على مستوى المستند"}
	eachCharge          = Words{"each charge on the document", "كل رسم إضافي على مستوى المستند"}
	eachLineAllowance   = Words{"each discount on a line", "كل خصم على مستوى البند"}
	eachLineCharge      = Words{"each charge on a line", "كل رسم إضافي على مستوى البند"}
	eachSubtotal        = Words{"each row of the VAT breakdown", "كل صف في تفصيل الضريبة"}
	deductedAdvances    = Words{"documents that deduct an advance", "المستندات التي تُخصم فيها دفعة مقدمة"}
	wherePresent        = Words{"where the field is present", "عند وجود الحقل"}
	foreignCurrency     = Words{"documents in a foreign currency", "المستندات الصادرة بعملة أجنبية"}
	saudiBuyers         = Words{"standard documents to a buyer in Saudi Arabia", "المستندات الضريبية (غير المبسطة) الصادرة لمشترٍ داخل المملكة"}
	standardTaxInvoices = Words{"standard tax invoices (388)", "الفواتير الضريبية غير المبسطة (388)"}
)
