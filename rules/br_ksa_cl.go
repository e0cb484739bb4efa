package rules

import (
	"slices"
	"strings"

	"khatm/codes"
	"khatm/ubl"
)

// saudiCodeRules are the family BR-KSA-CL, and two rules with ids of their own
// kind: BR-CL-KSA-14 and BR-CUSTOM-VALIDATION-01.
var saudiCodeRules = []Rule{
	{
		ID: "BR-KSA-CL-01", Flag: Error, Applies: everyDocument,
		Says:  Words{"The currency of the document, of the amounts of advances and of the payable rounding must be an ISO 4217 code that the authority accepts.", "يجب أن تكون رموز عملة المستند وعملة مبالغ الدفعات المقدمة وعملة فرق التقريب من رموز ISO 4217 المعتمدة لدى الهيئة."},
		Fix:   Words{"Use a three-letter code in capitals, such as SAR or USD, in `currency` (cbc:DocumentCurrencyCode and currencyID).", "استخدم رمزًا من ثلاثة أحرف لاتينية كبيرة مثل SAR أو USD في الحقل `currency` (العنصر cbc:DocumentCurrencyCode والسمة currencyID)."},
		check: unknownSaudiCurrency,
	},
	{
		ID: "BR-KSA-CL-02", Flag: Error, Applies: Words{"every amount except the VAT totals of the document", "كل المبالغ ما عدا إجماليات الضريبة في المستند"},
		Says:  Words{"Every amount must be in the currency of the document, except the VAT total in riyals.", "يجب أن تكون جميع المبالغ بعملة المستند، ما عدا إجمالي الضريبة بالريال السعودي."},
		Fix:   Words{"Give each amount the currencyID of `currency` (cbc:DocumentCurrencyCode); the service sets it.", "اجعل السمة currencyID لكل مبلغ مطابقة لقيمة الحقل `currency` (العنصر cbc:DocumentCurrencyCode)؛ وتكتبها الخدمة تلقائيًا."},
		check: otherCurrency,
	},
	{
		ID: "BR-KSA-CL-03", Flag: Error, Applies: Words{"every attached file", "كل ملف مرفق"},
		Says:  Words{"An attached file must have a media type from the authority's list.", "يجب أن يكون نوع محتوى كل ملف مرفق من القائمة المعتمدة لدى الهيئة."},
		Fix:   Words{"Write text/plain into the mimeCode of the QR code and the previous hash; other attachments may be PDF, PNG, JPEG, TIFF, CSV, DWG or spreadsheets.", "اكتب text/plain في السمة mimeCode لرمز الاستجابة السريعة وبصمة الفاتورة السابقة، ويمكن أن تكون المرفقات الأخرى من نوع PDF أو PNG أو JPEG أو TIFF أو CSV أو DWG أو جداول بيانات."},
		check: unknownAttachmentType,
	},
	{
		ID: "BR-KSA-CL-04", Flag: Warning, Applies: Words{"each row of the VAT breakdown in category Z, E or O", "كل صف من الفئة Z أو E أو O في تفصيل الضريبة"},
		Says:  Words{"The VAT exemption reason must be a code from the authority's list for that category.", "يجب أن يكون رمز سبب الإعفاء أحد الرموز التي حددتها الهيئة لفئة الصف."},
		Fix:   Words{"Use a code of the category in `vat_exemption_reason_code`: VATEX-SA-32 to 36, EDU, HEA or MLTRY for Z; VATEX-SA-29, 29-7 or 30 for E; VATEX-SA-OOS for O.", "استخدم في الحقل `vat_exemption_reason_code` رمزًا من رموز الفئة: من VATEX-SA-32 إلى 36 أو EDU أو HEA أو MLTRY للفئة Z، وVATEX-SA-29 أو 29-7 أو 30 للفئة E، وVATEX-SA-OOS للفئة O."},
		check: wrongReasonCode,
	},
	{
		ID: "BR-KSA-CL-06", Flag: Warning, Applies: Words{"each charge on the document or a line", "كل رسم إضافي على مستوى المستند أو البند"},
		Says:  Words{"The reason for a charge must be a code of UNTDID 7161.", "يجب أن يكون رمز سبب الرسم الإضافي من قائمة UNTDID 7161."},
		Fix:   Words{"Use a code in capitals, such as DL (delivery), PC (packing) or FC (freight), in cbc:AllowanceChargeReasonCode.", "استخدم رمزًا بأحرف لاتينية كبيرة مثل DL (توصيل) أو PC (تغليف) أو FC (شحن) في العنصر cbc:AllowanceChargeReasonCode."},
		check: unknownChargeReason,
	},
	{
		ID: "BR-KSA-CL-07", Flag: Warning, Applies: Words{"advances of category Z, E or O, in documents that also contain the standard VAT rate", "الدفعات المقدمة من الفئة Z أو E أو O في المستندات التي تتضمن أيضًا ما يخضع للنسبة الأساسية"},
		Says:  Words{"The VAT exemption reason of an advance must be a code from the authority's list for that category.", "يجب أن يكون رمز سبب الإعفاء للدفعة المقدمة أحد الرموز التي حددتها الهيئة لفئة الدفعة."},
		Fix:   Words{"Use a code of the category in `vat_exemption_reason_code` of the advance's `vat_breakdown`: VATEX-SA-32 to 36, EDU, HEA or MLTRY for Z; VATEX-SA-29, 29-7 or 30 for E; VATEX-SA-OOS for O.", "استخدم في الحقل `vat_exemption_reason_code` ضمن `vat_breakdown` للدفعة المقدمة رمزًا من رموز الفئة: من VATEX-SA-32 إلى 36 أو EDU أو HEA أو MLTRY للفئة Z، وVATEX-SA-29 أو 29-7 أو 30 للفئة E، وVATEX-SA-OOS للفئة O."},
		check: atStandardRates(wrongAdvanceReasonCode),
	},
	{
		ID: "BR-CL-KSA-14", Flag: Error, Applies: Words{"documents with a QR code", "المستندات التي تتضمن رمز الاستجابة السريعة"},
		Says:   Words{"The text of the QR code must have 1 to 1000 characters.", "يجب أن يكون طول نص رمز الاستجابة السريعة من حرف واحد إلى 1000 حرف."},
		Fix:    Words{"Shorten the seller's name, the only part of the QR code that you can shorten; the service writes the code.", "اختصر اسم البائع، فهو الجزء الوحيد القابل للاختصار في رمز الاستجابة السريعة، أما الرمز نفسه فتكتبه الخدمة."},
		Sealed: true,
		check:  wrongQRLength,
	},
	{
		ID: "BR-CUSTOM-VALIDATION-01", Flag: Error, Applies: Words{"documents with the VAT numbers of both parties", "المستندات التي تتضمن الرقمين الضريبيين للبائع والمشتري"},
		Says:  Words{"The VAT number of the buyer must differ from that of the seller.", "يجب أن يختلف الرقم الضريبي للمشتري عن الرقم الضريبي للبائع."},
		Fix:   Words{"Check `buyer.vat_registration_number`: it repeats the VAT number of the seller.", "راجع الحقل `buyer.vat_registration_number`، فقيمته مطابقة للرقم الضريبي للبائع."},
		check: sameVATNumber,
	},
}

// unknownSaudiCurrency checks the currencies of the document, of the payable
// rounding, and of each TaxSubtotal of a line, which only lines that deduct an
// advance have.
func unknownSaudiCurrency(d *document, t *trial) {
	check := func(within, name, code string, stated bool) {
		if !stated {
			return
		}
		t.seen()
		if !codes.IsCurrency(normalize(code)) {
			t.fail(within+name, code, "a currency code")
		}
	}
	for _, c := range d.currencies(currencyPath, d.DocumentCurrencyCode) {
		check(c.path, "", c.node.Text, true)
	}
	code, stated := currencyOf(d.totals.PayableRoundingAmount)
	check(totalsPath, "/cbc:PayableRoundingAmount/@currencyID", code, stated)
	for _, s := range d.lineSubtotals {
		code, stated = currencyOf(s.TaxableAmount)
		check(s.path, "/cbc:TaxableAmount/@currencyID", code, stated)
		code, stated = currencyOf(s.TaxAmount)
		check(s.path, "/cbc:TaxAmount/@currencyID", code, stated)
	}
}

// otherCurrency reports amounts in another currency than that of the document.
// Like the sheet, it uses the currencyID as a pattern and searches the currency
// of the document for it: SA passes in SAR.
func otherCurrency(d *document, t *trial) {
	own := normalize(d.DocumentCurrencyCode.String())
	check := func(within, name string, amount *ubl.Text) {
		t.seen()
		if code := amount.Attr("currencyID"); code == "" || !matches(own, code) {
			t.fail(within+name+"/@currencyID", code, own)
		}
	}
	d.amounts(check)
	for _, l := range d.lines {
		for i, total := range l.TaxTotals {
			if total.RoundingAmount != nil {
				check(l.path, step("/cac:TaxTotal[1]/cbc:RoundingAmount", i), total.RoundingAmount)
			}
		}
	}
}

func unknownAttachmentType(d *document, t *trial) {
	for i, r := range d.AdditionalDocumentReferences {
		object := orEmpty(r.Attachment).EmbeddedDocumentBinaryObject
		if object == nil {
			continue
		}
		t.seen()
		if kind := object.Attr("mimeCode"); !attachmentTypes[normalize(kind)] {
			t.fail(numbered("/Invoice/cac:AdditionalDocumentReference", i)+
				"/cac:Attachment/cbc:EmbeddedDocumentBinaryObject/@mimeCode", kind, "text/plain")
		}
	}
}

// wrongReasonCode reports exemption reason codes of another category. It skips
// a missing code, which BR-KSA-23, 24 and 69 report, and ignores the tax
// scheme.
func wrongReasonCode(d *document, t *trial) {
	for _, s := range d.subtotals {
		if isUntaxed(s.category) {
			wrongReason(t, s, furtherReasons)
		}
	}
}

func wrongAdvanceReasonCode(d *document, t *trial) {
	if len(d.lineSubtotals) == 0 || !d.hasStandardRate() {
		return
	}
	for _, s := range d.lineSubtotals {
		if isUntaxed(s.category) && underVAT(s.category) {
			wrongReason(t, s, furtherAdvanceReasons)
		}
	}
}

func wrongReason(t *trial, s subtotal, further map[string]bool) {
	t.seen()
	code, category := normalize(s.category.TaxExemptionReasonCode.String()), normalize(s.category.ID.String())
	if code == "" || category == codes.ZeroRated && further[code] {
		return
	}
	if reason, ok := codes.FindReason(code); !ok || reason.Category != category {
		t.fail(s.path+"/cac:TaxCategory/cbc:TaxExemptionReasonCode", code, "a reason of category "+category)
	}
}

func unknownChargeReason(d *document, t *trial) {
	unknownChargeReasons(t, d.adjustments)
	for _, l := range d.lines {
		unknownChargeReasons(t, l.adjustments)
	}
	for _, s := range d.straysNamed("cac:AllowanceCharge") {
		if !strings.HasSuffix(s.path, "/cac:Price/cac:AllowanceCharge") {
			charge := &ubl.AllowanceCharge{
				ChargeIndicator: leaf(s.node, "cbc:ChargeIndicator"),
				ReasonCode:      leaf(s.node, "cbc:AllowanceChargeReasonCode"),
			}
			unknownChargeReasons(t, []adjustment{{charge, s.path}})
		}
	}
}

func unknownChargeReasons(t *trial, list []adjustment) {
	for _, a := range list {
		if a.ReasonCode == nil || !a.isCharge() {
			continue
		}
		t.seen()
		if !strings.Contains(chargeReasonText, a.ReasonCode.Value) {
			t.fail(a.path+"/cbc:AllowanceChargeReasonCode", a.ReasonCode.Value, "a charge reason")
		}
	}
}

func wrongQRLength(d *document, t *trial) {
	for i, r := range d.AdditionalDocumentReferences {
		object := orEmpty(r.Attachment).EmbeddedDocumentBinaryObject
		if object == nil || normalize(r.ID.String()) != "QR" {
			continue
		}
		t.seen()
		if n := stringLength(object.Value); n < 1 || n > 1000 {
			t.fail(numbered("/Invoice/cac:AdditionalDocumentReference", i)+
				"/cac:Attachment/cbc:EmbeddedDocumentBinaryObject", object.Value, "1 to 1000 characters")
		}
	}
}

func sameVATNumber(d *document, t *trial) {
	sellers, buyers := vatNumbers(d.seller), vatNumbers(d.buyer)
	if !slices.ContainsFunc(sellers, notEmpty) || !slices.ContainsFunc(buyers, notEmpty) {
		return
	}
	t.seen()
	for _, number := range buyers {
		if slices.Contains(sellers, number) {
			t.fail(buyerPath+"/cac:PartyTaxScheme/cbc:CompanyID", number, "another number")
			return
		}
	}
}

func notEmpty(text string) bool { return text != "" }

// vatNumbers returns all VAT numbers of a party, empty ones included.
func vatNumbers(p *ubl.Party) []string {
	var numbers []string
	for _, s := range p.TaxSchemes {
		if s.CompanyID != nil {
			numbers = append(numbers, s.CompanyID.Value)
		}
	}
	return numbers
}
