package rules

import (
	"khatm/codes"
	"khatm/ubl"
)

// lengthRules are the rules of BR-KSA-F-06 on the document as a whole and on the
// seller.
var lengthRules = []Rule{
	lengthRule("BR-KSA-F-06-C1", Warning, everyDocument, "ref_num",
		Words{"invoice number", "رقم الفاتورة"}, upTo(127),
		single("/Invoice/cbc:ID", func(d *document) *ubl.Text { return d.ID })),
	counting(together, lengthRule("BR-KSA-F-06-C2", Warning, wherePresent, "notes",
		Words{"note on the document", "الملاحظة على المستند"}, upTo(1000), notes)),
	lengthRule("BR-KSA-F-06-C3", Warning, wherePresent, "",
		Words{"number of the purchase order", "رقم أمر الشراء"}, upTo(127),
		single("/Invoice/cac:OrderReference/cbc:ID", func(d *document) *ubl.Text { return orEmpty(d.OrderReference).ID })),
	lengthRule("BR-KSA-F-06-C4", Warning, wherePresent, "",
		Words{"seller's street", "شارع البائع"}, between(1, 1000),
		single(sellerPath+"/cac:PostalAddress/cbc:StreetName", func(d *document) *ubl.Text { return d.sellerHome.StreetName })),
	lengthRule("BR-KSA-F-06-C5", Warning, wherePresent, "",
		Words{"number of the contract", "رقم العقد"}, upTo(127), contractNumbers),
	lengthRule("BR-KSA-F-06-C6", Warning, wherePresent, "",
		Words{"seller's additional street", "الشارع الفرعي للبائع"}, upTo(127),
		single(sellerPath+"/cac:PostalAddress/cbc:AdditionalStreetName", func(d *document) *ubl.Text { return d.sellerHome.AdditionalStreetName })),
	lengthRule("BR-KSA-F-06-C7", Warning, wherePresent, "",
		Words{"seller's city", "مدينة البائع"}, between(1, 127),
		single(sellerPath+"/cac:PostalAddress/cbc:CityName", func(d *document) *ubl.Text { return d.sellerHome.CityName })),
	lengthRule("BR-KSA-F-06-C8", Warning, wherePresent, "",
		Words{"seller's region", "منطقة البائع"}, upTo(127),
		single(sellerPath+"/cac:PostalAddress/cbc:CountrySubentity", func(d *document) *ubl.Text { return d.sellerHome.CountrySubentity })),
	// The sheet checks the seller's district only in the context of the buyer's
	// country.
	lengthRule("BR-KSA-F-06-C9", Warning, buyersInSaudiArabia, "",
		Words{"seller's district", "حي البائع"}, between(1, 127),
		when((*document).buyerInSaudiArabia, single(sellerPath+"/cac:PostalAddress/cbc:CitySubdivisionName", func(d *document) *ubl.Text { return d.sellerHome.CitySubdivisionName }))),
	lengthRule("BR-KSA-F-06-C10", Warning, wherePresent, "",
		Words{"seller's name", "اسم البائع"}, between(1, 1000),
		single(sellerPath+"/cac:PartyLegalEntity[1]/cbc:RegistrationName", func(d *document) *ubl.Text { return registeredName(d.seller) })),
	lengthRule("BR-KSA-F-06-C13", Warning, creditAndDebitNotes, "reason_id",
		Words{"reason for the note", "سبب إصدار الإشعار"}, between(1, 1000),
		when((*document).isNote, instructionNotes)),
	lengthRule("BR-KSA-F-06-C14", Warning, wherePresent, "reason_id",
		Words{"payment terms", "شروط الدفع"}, between(1, 1000),
		when(standardOrSimplified, paymentTerms)),
	lengthRule("BR-KSA-F-06-C15", Warning, wherePresent, "",
		Words{"payee's account", "رقم حساب المستفيد"}, upTo(127),
		when(standardOrSimplified, payeeAccounts)),
	lengthRule("BR-KSA-F-06-C16", Warning, eachSubtotal, "vat_exemption_reason_text",
		Words{"VAT exemption reason", "سبب الإعفاء من الضريبة"}, between(1, 1000), exemptionReasons),
	lengthRule("BR-KSA-F-06-C22", Error, creditAndDebitNotes, "original_invoice_reference",
		Words{"number of the corrected invoice", "رقم الفاتورة الأصلية"}, between(1, 5000),
		when((*document).isNote, originalNumbers)),
	lengthRule("BR-KSA-F-06-C33", Warning, eachCharge, "",
		Words{"reason for a charge on the document", "سبب الرسم الإضافي على مستوى المستند"}, between(1, 1000), chargeReasons),
	lengthRule("BR-KSA-F-06-C35", Warning, eachAllowance, "document_level_allowances",
		Words{"reason for a discount on the document", "سبب الخصم على مستوى المستند"}, between(1, 1000), allowanceReasons),
	lengthRule("BR-KSA-F-06-C40", Warning, everyDocument, "transaction_code",
		Words{"transaction code", "رمز المعاملة"}, between(7, 9), transactionCode),
}

var buyersInSaudiArabia = Words{"documents to a buyer in Saudi Arabia", "المستندات الصادرة لمشترٍ داخل المملكة"}

// standardOrSimplified reports whether the transaction code begins with 01 or 02.
func standardOrSimplified(d *document) bool { return d.beginsWith("01") || d.beginsWith("02") }

// registeredName returns the first registered name of a party, or nil. A second
// name makes the sheets abort.
func registeredName(p *ubl.Party) *ubl.Text {
	for _, e := range p.LegalEntities {
		if e.RegistrationName != nil {
			return e.RegistrationName
		}
	}
	return nil
}

func notes(d *document, show func(within, name, text string)) {
	for _, n := range d.Notes {
		show("/Invoice/cbc:Note", "", n.Value)
	}
}

func contractNumbers(d *document, show func(within, name, text string)) {
	for _, c := range d.ContractDocumentReferences {
		if c.ID != nil {
			show("/Invoice/cac:ContractDocumentReference[1]/cbc:ID", "", c.ID.Value)
		}
	}
}

func transactionCode(d *document, show func(within, name, text string)) {
	if d.InvoiceTypeCode != nil {
		show("/Invoice/cbc:InvoiceTypeCode/@name", "", d.transaction)
	}
}

func instructionNotes(d *document, show func(within, name, text string)) {
	for i, p := range d.PaymentMeans {
		for _, n := range p.InstructionNotes {
			show(paymentPath(i), "/cbc:InstructionNote", n.Value)
		}
	}
}

func paymentTerms(d *document, show func(within, name, text string)) {
	for i, p := range d.PaymentMeans {
		for _, n := range orEmpty(p.PayeeFinancialAccount).PaymentNotes {
			show(paymentPath(i), "/cac:PayeeFinancialAccount/cbc:PaymentNote", n.Value)
		}
	}
}

func payeeAccounts(d *document, show func(within, name, text string)) {
	for i, p := range d.PaymentMeans {
		if id := orEmpty(p.PayeeFinancialAccount).ID; id != nil {
			show(paymentPath(i), "/cac:PayeeFinancialAccount/cbc:ID", id.Value)
		}
	}
}

func paymentPath(i int) string { return numbered("/Invoice/cac:PaymentMeans", i) }

// exemptionReasons shows the exemption reasons of the VAT breakdown. It skips
// private education and healthcare: in the sheet the rule for the buyer's
// national ID matches their categories first.
func exemptionReasons(d *document, show func(within, name, text string)) {
	for _, s := range d.subtotals {
		code := s.category.TaxExemptionReasonCode.String()
		if !isUntaxed(s.category) || code == codes.PrivateEducation || code == codes.PrivateHealthcare {
			continue
		}
		for _, reason := range s.category.TaxExemptionReasons {
			show(s.path, "/cac:TaxCategory/cbc:TaxExemptionReason", reason.Value)
		}
	}
}

// isUntaxed reports whether a category is one of those without VAT, in any tax
// scheme.
func isUntaxed(c *ubl.TaxCategory) bool {
	switch normalize(c.ID.String()) {
	case codes.ZeroRated, codes.Exempt, codes.NotSubjectToVAT:
		return true
	}
	return false
}

// originalNumbers shows the numbers of the corrected invoices, of the document
// and of lines.
func originalNumbers(d *document, show func(within, name, text string)) {
	const name = "/cac:InvoiceDocumentReference/cbc:ID"
	for i, b := range d.BillingReferences {
		if id := orEmpty(b.InvoiceDocumentReference).ID; id != nil {
			show(numbered("/Invoice/cac:BillingReference", i), name, id.Value)
		}
	}
	for _, s := range d.straysNamed("cac:BillingReference") {
		if id := leaf(orEmpty(s.node.Child("cac:InvoiceDocumentReference")), "cbc:ID"); id != nil {
			show(s.path, name, id.Value)
		}
	}
}

func chargeReasons(d *document, show func(within, name, text string)) {
	reasonsOf(show, d.adjustments, adjustment.isCharge)
}

func allowanceReasons(d *document, show func(within, name, text string)) {
	reasonsOf(show, d.adjustments, adjustment.isAllowance)
}
