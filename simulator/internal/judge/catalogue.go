package judge

import (
	"khatm/check"
	"khatm/rules"
)

// entry is a message of the authority that does not belong to a rule. The
// messages for findings of package witness come from package check.
type entry struct {
	severity severity
	code     string
	category string
	says     rules.Words
}

// entryOf converts an answer to an entry. An answer without a flag becomes
// silent.
func entryOf(a check.Answer) entry {
	e := entry{code: a.Code, category: a.Category, says: a.Says}
	switch a.Flag {
	case rules.Error:
		e.severity = failure
	case rules.Warning:
		e.severity = warning
	}
	return e
}

// Categories of the catalogue.
const (
	ofSchema      = "XSD validation"
	ofHash        = "INVOICE_HASHING_ERRORS"
	ofKind        = "INVOICETYPE_ERRORS"
	ofUUID        = "MISSING_UUID_IN_INVOICE"
	ofRules       = "BUSINESS_RULES"
	ofCertificate = "CERTIFICATE_ERRORS"
)

// Messages about the document as a whole. Codes, categories and English texts
// are the authority's.
var (
	xsdValid = entry{info, "XSD_ZATCA_VALID", ofSchema, rules.Words{
		EN: "Complied with UBL 2.1 standards in line with ZATCA specifications",
		AR: "المستند متوافق مع معيار UBL 2.1 وفق مواصفات هيئة الزكاة والضريبة والجمارك.",
	}}
	xsdInvalid = entry{failure, "XSD_ZATCA_INVALID", ofSchema, rules.Words{
		EN: "Schema validation failed; XML does not comply with UBL 2.1 standards in line with ZATCA specifications. ERROR: ",
		AR: "فشل التحقق من المخطط؛ ملف XML غير متوافق مع معيار UBL 2.1 وفق مواصفات هيئة الزكاة والضريبة والجمارك. الخطأ: ",
	}}
	notSimplified = entry{failure, "XML-INVOICE-ERROR", ofKind, rules.Words{
		EN: "XML submitted using reporting API is not a simplified document",
		AR: "ملف XML المرسل عبر واجهة الإبلاغ ليس مستندًا مبسطًا.",
	}}
	notStandard = entry{failure, "XML-INVOICE-ERROR", ofKind, rules.Words{
		EN: "XML submitted using clearance API is not a Standard TAX document",
		AR: "ملف XML المرسل عبر واجهة الاعتماد ليس مستندًا ضريبيًا (غير مبسط).",
	}}
	otherUUID = entry{failure, "INVOICE_UUID_VALIDATION", ofUUID, rules.Words{
		EN: "UUID ERROR",
		AR: "خطأ في المعرّف الفريد (UUID).",
	}}
	otherHash = entry{failure, "invalid-invoice-hash", ofHash, rules.Words{
		EN: "The invoice hash API body does not match the (calculated) Hash of the XML",
		AR: "بصمة الفاتورة الواردة في الطلب لا تطابق البصمة المحسوبة من ملف XML.",
	}}
	rulesAborted = entry{failure, "GENERAL", ofRules, rules.Words{
		EN: "Unable to execute Business Rules validation",
		AR: "تعذّر تنفيذ التحقق من قواعد الأعمال.",
	}}
	otherTaxpayer = entry{failure, "certificate-permissions", ofCertificate, rules.Words{
		EN: "User only allowed to use the vat number that exists in the authentication certificate",
		AR: "لا يُسمح للمستخدم إلا باستخدام الرقم الضريبي الوارد في شهادة المصادقة.",
	}}
	invalidCertificate = entryOf(check.Find("certificate").Answer)
)

// quoted maps rules to the real authority's text, where it is known.
var quoted = map[string]rules.Words{
	"BR-KSA-04": {
		EN: "The document issue date (BT-2) must be less or equal to the current date.",
		AR: "يجب أن يكون تاريخ إصدار المستند (BT-2) مساويًا للتاريخ الحالي أو سابقًا له.",
	},
	"BR-KSA-37": {
		EN: "The seller address building number must contain 4 digits.",
		AR: "يجب أن يتكون رقم المبنى في عنوان البائع من 4 أرقام.",
	},
	"BR-KSA-98": {
		EN: "[BR-KSA-98] - The simplified invoice should be submitted within 24 hours of issuing the invoice.",
		AR: "[BR-KSA-98] - ينبغي إرسال الفاتورة الضريبية المبسطة خلال 24 ساعة من إصدارها.",
	},
	"BR-KSA-F-06-C40": {
		EN: "Field character limits for Invoice transaction code (KSA-2) have not been met. The minimum limit is 7 characters and the maximum limit is 9 characters.",
		AR: "عدد أحرف حقل رمز المعاملة (KSA-2) خارج الحدود المسموح بها. الحد الأدنى 7 أحرف والحد الأقصى 9 أحرف.",
	},
	"BR-CL-KSA-14": {
		EN: "[KSA-14]Field character limit for QR Code field has been exceeded. The maximum character limit for this field is 1000 characters.",
		AR: "[KSA-14] تجاوز حقل رمز الاستجابة السريعة الحد المسموح به لعدد الأحرف. الحد الأقصى لهذا الحقل 1000 حرف.",
	},
}
