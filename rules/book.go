package rules

import (
	"cmp"
	"slices"
	"time"
)

// The rows were taken from this version of the official kit, unless they state
// another one.
const kit = "238-R3.4.8"

// book contains every rule, family by family.
var book = takenFrom(kit,
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

// takenFrom joins families and sets the kit of the rows that do not state it.
func takenFrom(kit string, families ...[]Rule) []Rule {
	all := slices.Concat(families...)
	for i := range all {
		all[i].Kit = cmp.Or(all[i].Kit, kit)
	}
	return all
}

// inForce reports whether the rule applies to documents with an issue date.
func (r *Rule) inForce(day string) bool {
	return r.From <= day && (r.Until == "" || day < r.Until)
}

// issueDay returns the issue date of the document, or today in Riyadh if it has no
// valid one.
func (d *document) issueDay() string {
	if text := d.IssueDate.String(); len(text) >= len(time.DateOnly) {
		if day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return d.now.In(riyadh).Format(time.DateOnly)
}

// Find returns the rule with the given id and reports whether it exists. If the
// rule has changed, it returns the row that applies last.
func Find(id string) (Rule, bool) {
	for _, r := range slices.Backward(book) {
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
