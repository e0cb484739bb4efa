package rules

import (
	"strings"

	"khatm/codes"
	"khatm/ubl"
)

// codeRules are the family BR-CL: values that must be in a code list. The lists
// contain capital letters only; blanks around a code are ignored.
var codeRules = []Rule{
	{
		ID: "BR-CL-01", Flag: Error, Applies: everyDocument,
		Says:  Words{"The type of the document must be a code of UNTDID 1001 for invoices.", "يجب أن يكون نوع المستند رمزًا من رموز الفواتير في قائمة UNTDID 1001."},
		Fix:   Words{"Use one of these in `type_code` (cbc:InvoiceTypeCode): 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment.", "استخدم في الحقل `type_code` (العنصر cbc:InvoiceTypeCode) أحد الرموز: 388 فاتورة ضريبية، 381 إشعار دائن، 383 إشعار مدين، 386 فاتورة ضريبية – دفعة مقدمة."},
		check: unknownDocumentType,
	},
	{
		ID: "BR-CL-03", Flag: Error, Applies: Words{"every amount with a currency", "كل مبلغ ذُكرت عملته"},
		Says:  Words{"The currency of an amount must be an ISO 4217 code that the authority accepts.", "يجب أن تكون عملة كل مبلغ رمزًا من رموز ISO 4217 المعتمدة لدى الهيئة."},
		Fix:   Words{"Use a three-letter code in capitals, such as SAR or USD, in `currency` (currencyID of each amount).", "استخدم رمزًا من ثلاثة أحرف لاتينية كبيرة مثل SAR أو USD في الحقل `currency` (السمة currencyID لكل مبلغ)."},
		check: unknownAmountCurrency,
	},
	{
		ID: "BR-CL-04", Flag: Error, Applies: everyDocument,
		Says:  Words{"The currency of the document must be an ISO 4217 code that the authority accepts.", "يجب أن تكون عملة المستند رمزًا من رموز ISO 4217 المعتمدة لدى الهيئة."},
		Fix:   Words{"Use a three-letter code in capitals, such as SAR or USD, in `currency` (cbc:DocumentCurrencyCode).", "استخدم رمزًا من ثلاثة أحرف لاتينية كبيرة مثل SAR أو USD في الحقل `currency` (العنصر cbc:DocumentCurrencyCode)."},
		check: unknownCurrency(currencyPath, func(d *document) *ubl.Text { return d.DocumentCurrencyCode }),
	},
	{
		ID: "BR-CL-05", Flag: Error, Applies: wherePresent,
		Says:  Words{"The currency of the VAT must be an ISO 4217 code that the authority accepts.", "يجب أن تكون عملة الضريبة رمزًا من رموز ISO 4217 المعتمدة لدى الهيئة."},
		Fix:   Words{"Write SAR into cbc:TaxCurrencyCode; the service sets it.", "اكتب SAR في العنصر cbc:TaxCurrencyCode (تكتبه الخدمة تلقائيًا)."},
		check: unknownCurrency(taxCurrencyPath, func(d *document) *ubl.Text { return d.TaxCurrencyCode }),
	},
	{
		ID: "BR-CL-14", Flag: Warning, Applies: Words{"every address with a country", "كل عنوان يتضمن دولة"},
		Says:  Words{"A country must be a two-letter code of ISO 3166-1.", "يجب أن يكون رمز الدولة أحد رموز قائمة ISO 3166-1 المكوّنة من حرفين."},
		Fix:   Words{"Use a code in capitals, such as SA or AE, in `country_code` (cbc:IdentificationCode).", "استخدم رمزًا بأحرف لاتينية كبيرة مثل SA أو AE في الحقل `country_code` (العنصر cbc:IdentificationCode)."},
		check: unknownCountry,
	},
	{
		ID: "BR-CL-16", Flag: Warning, Applies: Words{"each means of payment", "كل وسيلة دفع"},
		Says:  Words{"The means of payment must be a code of UNTDID 4461.", "يجب أن تكون وسيلة الدفع رمزًا من قائمة UNTDID 4461."},
		Fix:   Words{"Use a code such as 10 (cash), 30 (credit transfer), 48 (bank card) or 54 (credit card) in `payment_means_type_code` (cbc:PaymentMeansCode).", "استخدم رمزًا مثل 10 (نقدًا) أو 30 (آجل / تحويل بنكي) أو 48 (بطاقة بنكية) أو 54 (بطاقة ائتمانية) في الحقل `payment_means_type_code` (العنصر cbc:PaymentMeansCode)."},
		check: unlistedPaymentMeans,
	},
	{
		ID: "BR-CL-18", Flag: Error, Applies: Words{"every VAT category of a line, of a discount or charge on the document, and of the breakdown", "كل فئة ضريبة في البنود وفي الخصومات والرسوم الإضافية على مستوى المستند وفي تفصيل الضريبة"},
		Says:  Words{"A VAT category must be a code of UNTDID 5305.", "يجب أن تكون فئة الضريبة رمزًا من قائمة UNTDID 5305."},
		Fix:   Words{"Use S (standard rate), Z (zero rate), E (exempt) or O (not subject to VAT) in `vat_category_code` (cac:TaxCategory/cbc:ID).", "استخدم S (النسبة الأساسية) أو Z (نسبة الصفر) أو E (معفاة) أو O (خارج نطاق الضريبة) في الحقل `vat_category_code` (العنصر cac:TaxCategory/cbc:ID)."},
		check: unknownCategory,
	},
}

// setOf returns the set of the words in a text.
func setOf(text string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

func unknownDocumentType(d *document, t *trial) {
	if d.InvoiceTypeCode == nil {
		return
	}
	t.seen()
	if !documentTypes[normalize(d.typeCode)] {
		t.fail("/Invoice/cbc:InvoiceTypeCode", d.typeCode, "a type code")
	}
}

// unknownAmountCurrency reports amounts whose currency is not on the list. It
// skips amounts without a currency, which the schema and BR-KSA-CL-02 report.
func unknownAmountCurrency(d *document, t *trial) {
	check := func(within, name string, amount *ubl.Text) {
		code := amount.Attr("currencyID")
		if code == "" {
			return
		}
		t.seen()
		if !codes.IsCurrency(normalize(code)) {
			t.fail(within+name+"/@currencyID", code, "a currency code")
		}
	}
	d.amounts(check)
	for i, total := range d.TaxTotals {
		if total.TaxAmount != nil {
			check(numbered("/Invoice/cac:TaxTotal", i), "/cbc:TaxAmount", total.TaxAmount)
		}
	}
	d.strayAmounts(check, "cbc:TaxAmount", "cbc:TaxableAmount")
}

// unknownCurrency returns a check for a currency code that is not on the list.
func unknownCurrency(path string, text func(*document) *ubl.Text) func(*document, *trial) {
	return func(d *document, t *trial) {
		for _, currency := range d.currencies(path, text(d)) {
			t.seen()
			if code := currency.node.Text; !codes.IsCurrency(normalize(code)) {
				t.fail(currency.path, code, "a currency code")
			}
		}
	}
}

const taxCurrencyPath = "/Invoice/cbc:TaxCurrencyCode"

// currencies returns the currency code of the document at a path, and the codes
// of that name in stray elements.
func (d *document) currencies(path string, code *ubl.Text) []stray {
	var all []stray
	if code != nil {
		all = append(all, stray{path, &ubl.Node{Text: code.Value}})
	}
	return append(all, d.straysNamed(strings.TrimPrefix(path, "/Invoice/"))...)
}

func unknownCountry(d *document, t *trial) {
	check := func(path string, code *ubl.Text) {
		if code == nil {
			return
		}
		t.seen()
		if !codes.IsCountry(normalize(code.Value)) {
			t.fail(path+"/cbc:IdentificationCode", code.Value, "a country code")
		}
	}
	check(sellerPath+"/cac:PostalAddress/cac:Country", orEmpty(d.sellerHome.Country).IdentificationCode)
	check(buyerPath+"/cac:PostalAddress/cac:Country", orEmpty(d.buyerHome.Country).IdentificationCode)
	for _, s := range d.straysNamed("cac:Country") {
		check(s.path, leaf(s.node, "cbc:IdentificationCode"))
	}
}

func unlistedPaymentMeans(d *document, t *trial) {
	for i, p := range d.PaymentMeans {
		if p.PaymentMeansCode == nil {
			continue
		}
		t.seen()
		if code := p.PaymentMeansCode.Value; !paymentMeans[normalize(code)] {
			t.fail(numbered("/Invoice/cac:PaymentMeans", i)+"/cbc:PaymentMeansCode", code, "a payment means code")
		}
	}
	for _, s := range d.strayMeans() {
		t.seen()
		if code := s.node.Text; !paymentMeans[normalize(code)] {
			t.fail(s.path, code, "a payment means code")
		}
	}
}

// unknownCategory reports VAT categories that are not on the list. It ignores
// the tax scheme, and the categories of discounts and charges on lines.
func unknownCategory(d *document, t *trial) {
	check := func(within, name string, c *ubl.TaxCategory) {
		if c.ID == nil {
			return
		}
		t.seen()
		if !vatCategories[normalize(c.ID.Value)] {
			t.fail(within+name+"/cbc:ID", c.ID.Value, "S, Z, E or O")
		}
	}
	for _, a := range d.adjustments {
		for i, c := range a.TaxCategories {
			check(a.path, step("/cac:TaxCategory[1]", i), c)
		}
	}
	for _, s := range d.subtotals {
		check(s.path, "/cac:TaxCategory", s.category)
	}
	for _, s := range d.lineSubtotals {
		check(s.path, "/cac:TaxCategory", s.category)
	}
	for _, l := range d.lines {
		for i, c := range l.item.TaxCategories {
			check(l.path, step("/cac:Item/cac:ClassifiedTaxCategory[1]", i), c)
		}
	}
	for _, s := range d.strayCategoryIDs() {
		check(strings.TrimSuffix(s.path, "/cbc:ID"), "", &ubl.TaxCategory{ID: &ubl.Text{Value: s.node.Text}})
	}
}
