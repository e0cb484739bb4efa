package rules

import "khatm/ubl"

// coreRules are the rules of the family BR on the document as a whole: the
// elements that every invoice must have (EN 16931). A text of blanks only
// counts as present, and so does an empty element for a total.
var coreRules = []Rule{
	{
		ID: "BR-02", Flag: Warning, Applies: everyDocument,
		Says:  Words{"A document must have a number.", "يجب أن يكون للمستند رقم."},
		Fix:   Words{"Give the number in `ref_num` (cbc:ID).", "أدخل رقم المستند في الحقل `ref_num` (العنصر cbc:ID)."},
		check: missing("/Invoice/cbc:ID", "a number", func(d *document) *ubl.Text { return d.ID }),
	},
	{
		ID: "BR-03", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have a date of issue.", "يجب أن يكون للمستند تاريخ إصدار."},
		Fix:   Words{"Give the date of issue in `issue_date` (cbc:IssueDate), for example 2026-11-14.", "أدخل تاريخ الإصدار في الحقل `issue_date` (العنصر cbc:IssueDate)، مثل 2026-11-14."},
		check: missing("/Invoice/cbc:IssueDate", "a date", func(d *document) *ubl.Text { return d.IssueDate }),
	},
	{
		ID: "BR-04", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have a type code.", "يجب أن يتضمن المستند رمز نوعه."},
		Fix:   Words{"Give the type in `type_code` (cbc:InvoiceTypeCode): 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment.", "أدخل نوع المستند في الحقل `type_code` (العنصر cbc:InvoiceTypeCode): 388 فاتورة ضريبية، 381 إشعار دائن، 383 إشعار مدين، 386 فاتورة ضريبية – دفعة مقدمة."},
		check: missing("/Invoice/cbc:InvoiceTypeCode", "a type code", func(d *document) *ubl.Text { return d.InvoiceTypeCode }),
	},
	{
		ID: "BR-05", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have a currency.", "يجب أن تُحدَّد عملة المستند."},
		Fix:   Words{"Give the currency in `currency` (cbc:DocumentCurrencyCode), for example SAR.", "أدخل العملة في الحقل `currency` (العنصر cbc:DocumentCurrencyCode)، مثل SAR."},
		check: missing("/Invoice/cbc:DocumentCurrencyCode", "a currency code", func(d *document) *ubl.Text { return d.DocumentCurrencyCode }),
	},
	{
		ID: "BR-06", Flag: Warning, Applies: everyDocument,
		Says:  Words{"A document must have the name of the seller.", "يجب أن يتضمن المستند اسم البائع."},
		Fix:   Words{"Give the registered name of the seller in `seller.name` or `seller.name_arabic` (cbc:RegistrationName).", "أدخل الاسم النظامي للبائع في الحقل `seller.name` أو `seller.name_arabic` (العنصر cbc:RegistrationName)."},
		check: missingSellerName,
	},
	{
		ID: "BR-08", Flag: Warning, Applies: everyDocument,
		Says:  Words{"A document must give the address of the seller.", "يجب أن يتضمن المستند عنوان البائع."},
		Fix:   Words{"Give the national address of the seller: `seller.street`, `building_number`, `district`, `city`, `postal_code` and `country_code` (cac:PostalAddress).", "أدخل العنوان الوطني للبائع: `seller.street` و`building_number` و`district` و`city` و`postal_code` و`country_code` (العنصر cac:PostalAddress)."},
		check: missingSellerAddress,
	},
	{
		ID: "BR-09", Flag: Warning, Applies: everyDocument,
		Says:  Words{"The address of the seller must include the country.", "يجب أن يتضمن عنوان البائع رمز الدولة."},
		Fix:   Words{"Give the country in `seller.country_code` (cbc:IdentificationCode): SA.", "أدخل الدولة في الحقل `seller.country_code` (العنصر cbc:IdentificationCode): SA."},
		check: missingSellerCountry,
	},
	{
		ID: "BR-13", Flag: Warning, Applies: everyDocument,
		Says:  Words{"A document must state its total without VAT.", "يجب أن يتضمن المستند الإجمالي غير الشامل للضريبة."},
		Fix:   Words{"Write the total without VAT into cbc:TaxExclusiveAmount; the service computes it.", "اكتب الإجمالي غير الشامل للضريبة في العنصر cbc:TaxExclusiveAmount (تحسبه الخدمة تلقائيًا)."},
		check: missingTotal("/cbc:TaxExclusiveAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.TaxExclusiveAmount }),
	},
	{
		ID: "BR-14", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must state its total with VAT.", "يجب أن يتضمن المستند الإجمالي الشامل للضريبة."},
		Fix:   Words{"Write the total with VAT into cbc:TaxInclusiveAmount; the service computes it.", "اكتب الإجمالي الشامل للضريبة في العنصر cbc:TaxInclusiveAmount (تحسبه الخدمة تلقائيًا)."},
		check: missingTotal("/cbc:TaxInclusiveAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.TaxInclusiveAmount }),
	},
	{
		ID: "BR-15", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must state the amount due.", "يجب أن يتضمن المستند المبلغ المستحق."},
		Fix:   Words{"Write the amount due into cbc:PayableAmount; the service computes it.", "اكتب المبلغ المستحق في العنصر cbc:PayableAmount (تحسبه الخدمة تلقائيًا)."},
		check: missingTotal("/cbc:PayableAmount", func(m *ubl.MonetaryTotal) *ubl.Text { return m.PayableAmount }),
	},
	{
		ID: "BR-16", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have at least one line.", "يجب أن يتضمن المستند بندًا واحدًا على الأقل."},
		Fix:   Words{"Add at least one line to `lines` (cac:InvoiceLine).", "أضف بندًا واحدًا على الأقل إلى `lines` (العنصر cac:InvoiceLine)."},
		check: noLines,
	},
	{
		ID: "BR-49", Flag: Warning, Applies: Words{"standard documents with payment means", "المستندات الضريبية (غير المبسطة) التي تتضمن وسيلة دفع"},
		Says:  Words{"Payment means must have a code.", "يجب أن تتضمن بيانات الدفع رمز وسيلة الدفع."},
		Fix:   Words{"Give the means of payment in `payment_means_type_code` (cbc:PaymentMeansCode), for example 10 for cash or 30 for credit.", "أدخل وسيلة الدفع في الحقل `payment_means_type_code` (العنصر cbc:PaymentMeansCode)، مثل 10 للنقد أو 30 للآجل."},
		check: missingPaymentMeansCode,
	},
	{
		ID: "BR-53", Flag: Warning, Applies: Words{"documents with a VAT currency", "المستندات التي ذُكرت فيها عملة الضريبة"},
		Says:  Words{"The VAT total without a breakdown must be in the currency of the VAT, the Saudi riyal.", "يجب أن تكون عملة إجمالي الضريبة الخالي من التفصيل هي عملة الضريبة، أي الريال السعودي."},
		Fix:   Words{"Write the VAT in riyals into the cac:TaxTotal that has no subtotals, with the currencyID of cbc:TaxCurrencyCode.", "اكتب إجمالي الضريبة بالريال السعودي في العنصر cac:TaxTotal الخالي من التفصيل، واجعل السمة currencyID مطابقة لقيمة cbc:TaxCurrencyCode."},
		check: together(wrongTaxCurrency),
	},
}

// missing returns a check for a text of the document that is absent or empty.
func missing(path, want string, text func(*document) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		t.seen()
		if text(d).String() == "" {
			t.fail(path, "", want)
		}
	}
}

func missingSellerName(d *document, t *trial) {
	t.seen()
	for _, e := range d.seller.LegalEntities {
		if e.RegistrationName.String() != "" {
			return
		}
	}
	t.fail(sellerPath+"/cac:PartyLegalEntity/cbc:RegistrationName", "", "a name")
}

func missingSellerAddress(d *document, t *trial) {
	t.seen()
	if d.seller.PostalAddress == nil {
		t.fail(sellerPath+"/cac:PostalAddress", "", "an address")
	}
}

func missingSellerCountry(d *document, t *trial) {
	if d.seller.PostalAddress == nil {
		return
	}
	t.seen()
	if orEmpty(d.sellerHome.Country).IdentificationCode.String() == "" {
		t.fail(sellerPath+"/cac:PostalAddress/cac:Country/cbc:IdentificationCode", "", "a country code")
	}
}

// missingTotal returns a check for a total that is absent. If the whole
// cac:LegalMonetaryTotal is missing, only the schema reports it.
func missingTotal(name string, total func(*ubl.MonetaryTotal) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		if d.MonetaryTotal == nil {
			return
		}
		t.seen()
		if total(d.totals) == nil {
			t.fail(totalsPath+name, "", "an amount")
		}
	}
}

func noLines(d *document, t *trial) {
	t.seen()
	if len(d.Lines) == 0 {
		t.fail("/Invoice/cac:InvoiceLine", "", "a line")
	}
}

func missingPaymentMeansCode(d *document, t *trial) {
	if !d.standard() {
		return
	}
	for i, p := range d.PaymentMeans {
		t.seen()
		if p.PaymentMeansCode == nil {
			t.fail(numbered("/Invoice/cac:PaymentMeans", i)+"/cbc:PaymentMeansCode", "", "a payment means code")
		}
	}
}

// wrongTaxCurrency reports VAT totals without a breakdown that are not in the VAT
// currency. It compares the texts exactly, including blanks. BR-KSA-EN16931-09
// requires that there is such a total.
func wrongTaxCurrency(d *document, t *trial) {
	if d.TaxCurrencyCode == nil {
		return
	}
	for i, total := range d.TaxTotals {
		if len(total.Subtotals) > 0 {
			continue
		}
		t.seen()
		code, stated := currencyOf(total.TaxAmount)
		switch {
		case total.TaxAmount == nil:
			t.fail(numbered("/Invoice/cac:TaxTotal", i)+"/cbc:TaxAmount", "", "an amount")
		case stated && code != d.TaxCurrencyCode.Value:
			t.fail(numbered("/Invoice/cac:TaxTotal", i)+"/cbc:TaxAmount/@currencyID", code, d.TaxCurrencyCode.Value)
		}
	}
}
