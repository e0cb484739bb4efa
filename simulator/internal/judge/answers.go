package judge

import (
	"strings"

	"khatm/rules"
)

// answers is the table by the witness's finding.
var answers = byFinding(table)

// row is what is answered to some findings of the witness, by their ids.
type row struct {
	findings string
	entry
}

// table says what is answered to each finding of the witness.
var table = []row{
	// The QR code.
	{"qr-format qr-value qr-foreign qr-repeated qr-misplaced qr-split", entry{failure, "QRCODE_INVALID", ofCode, rules.Words{
		EN: "Invalid QR code format, Please follow the ZATCA QR code specifications",
		AR: "صيغة رمز الاستجابة السريعة غير صحيحة، يرجى اتباع مواصفات الهيئة لرمز الاستجابة السريعة",
	}, seen}},
	{"qr-missing", entry{failure, "QRCODE_INVALID", ofCode, rules.Words{
		EN: "Failed to validate QR code",
		AR: "تعذر التحقق من رمز الاستجابة السريعة",
	}, seen}},
	{"qr-seller-name", entry{failure, "sellerName_QRCODE_INVALID", ofCode, rules.Words{
		EN: "Seller name does not match with qr code seller name",
		AR: "اسم البائع لا يطابق الاسم الوارد في رمز الاستجابة السريعة",
	}, ours}},
	{"qr-vat-number", entry{failure, "vatNumber_QRCODE_INVALID", ofCode, rules.Words{
		EN: "Seller VAT registration number does not match with qr code VAT registration number",
		AR: "الرقم الضريبي للبائع لا يطابق الرقم الوارد في رمز الاستجابة السريعة",
	}, ours}},
	{"qr-time", entry{warning, "invoiceTimeStamp_QRCODE_INVALID", ofCode, rules.Words{
		EN: "Time on QR Code does not match with Invoice Issue Time (KSA-25). If ZATCA's SDK was used to generate QR Code, kindly use the latest version of SDK",
		AR: "الوقت في رمز الاستجابة السريعة لا يطابق وقت إصدار الفاتورة (KSA-25). إذا استُخدمت حزمة الهيئة البرمجية (SDK) لإنشاء الرمز، فيرجى استخدام أحدث إصدار منها",
	}, seen}},
	{"qr-total", entry{failure, "invoiceTotal_QRCODE_INVALID", ofCode, rules.Words{ // the code was seen, the text not
		EN: "Invoice total does not match with qr code invoice total",
		AR: "إجمالي الفاتورة لا يطابق الإجمالي الوارد في رمز الاستجابة السريعة",
	}, seen}},
	{"qr-vat-total", entry{failure, "vatTotal_QRCODE_INVALID", ofCode, rules.Words{
		EN: "Invoice VAT total does not match with qr code VAT total",
		AR: "إجمالي ضريبة القيمة المضافة لا يطابق الإجمالي الوارد في رمز الاستجابة السريعة",
	}, ours}},
	{"qr-hash", entry{failure, "invoiceHash_QRCODE_INVALID", ofCode, rules.Words{
		EN: "Invoice xml hash does not match with qr code invoice xml hash",
		AR: "بصمة ملف XML للفاتورة لا تطابق البصمة الواردة في رمز الاستجابة السريعة",
	}, seen}},
	{"qr-signature", entry{failure, "signature_QRCODE_INVALID", ofCode, rules.Words{
		EN: "ECDSA signature does not match with qr code ECDSA signature",
		AR: "التوقيع الرقمي (ECDSA) لا يطابق التوقيع الوارد في رمز الاستجابة السريعة",
	}, ours}},
	{"qr-public-key", entry{failure, "publicKey_QRCODE_INVALID", ofCode, rules.Words{
		EN: "ECDSA Public Key does not match with qr code ECDSA public key",
		AR: "المفتاح العام (ECDSA) لا يطابق المفتاح الوارد في رمز الاستجابة السريعة",
	}, seen}},
	{"qr-certificate-signature", entry{failure, "CERTIFICATE_SIGNATURE_QRCODE_INVALID", ofCode, rules.Words{
		EN: "certificate signature does not match with qr certificate signature value",
		AR: "توقيع الشهادة لا يطابق قيمة توقيع الشهادة في رمز الاستجابة السريعة",
	}, seen}},

	// The digests and the certificate.
	{"signed-properties-digest", entry{failure, "signed-properties-hashing", ofCertificate, rules.Words{
		EN: "Invalid signed properties hashing, SignedProperties with id='xadesSignedProperties'",
		AR: "بصمة خصائص التوقيع غير صحيحة، العنصر SignedProperties ذو المعرّف 'xadesSignedProperties'",
	}, seen}},
	{"certificate-digest", entry{failure, "certificate-hashing", ofCertificate, rules.Words{
		EN: "Invalid certificate hashing",
		AR: "بصمة الشهادة غير صحيحة",
	}, seen}},
	{"hash-digest", entry{failure, "invoice-hashing", ofCertificate, rules.Words{
		EN: "Invalid invoice hashing, Reference with id='invoiceSignedData'",
		AR: "بصمة الفاتورة في الختم غير صحيحة، العنصر Reference ذو المعرّف 'invoiceSignedData'",
	}, strict | ours}},
	{"certificate stamp-missing", invalidCertificate},
	// Clients that write the signing time in UTC are three hours off, and the
	// real authority is not known to mind: a warning, and none from the lax judge.
	{"certificate-period", entry{warning, "signing-time-outside-certificate", ofCertificate, rules.Words{
		EN: "SigningTime is outside the validity of the certificate; it is read as Riyadh time",
		AR: "وقت التوقيع SigningTime خارج مدة صلاحية الشهادة؛ ويُقرأ بتوقيت الرياض",
	}, strict | ours}},
	{"certificate-other certificate-vat-number", entry{warning, "invalid-signing-certificate", ofCertificate, rules.Words{
		EN: "X509Certificate (CCSID / PCSID) used for signing is not valid certificate (CCSID / PCSID) for this VAT Registration Number.",
		AR: "الشهادة (CCSID / PCSID) المستخدمة في التوقيع ليست شهادة صالحة لهذا الرقم الضريبي.",
	}, seen}},
	// Only the authority's web page is known to compare these two.
	{"issuer-name", entry{failure, "X509IssuerName", ofSignature, rules.Words{
		EN: "wrong X509IssuerName",
		AR: "قيمة X509IssuerName (اسم جهة إصدار الشهادة) غير صحيحة",
	}, strict}},
	{"serial-number", entry{failure, "X509SerialNumber", ofSignature, rules.Words{
		EN: "wrong X509SerialNumber",
		AR: "قيمة X509SerialNumber (الرقم التسلسلي للشهادة) غير صحيحة",
	}, strict}},

	// What the real authority does not look at.
	{"signature", entry{failure, "invalid-signature", ofSignature, rules.Words{
		EN: "Invalid SignatureValue, it is not the signature of the invoice hash by the key of the certificate",
		AR: "قيمة SignatureValue غير صحيحة، فهي ليست توقيع بصمة الفاتورة بمفتاح الشهادة",
	}, strict | ours}},
	{"signing-time", entry{failure, "invalid-signing-time", ofSignature, rules.Words{
		EN: "Invalid SigningTime, it is not a date and time",
		AR: "قيمة SigningTime غير صحيحة، فهي ليست تاريخًا ووقتًا",
	}, strict | ours}},
	{"stamp-value stamp-foreign stamp-repeated stamp-misplaced stamp-split stamp-prefix id-repeated more-findings", entry{failure, "invalid-stamp", ofSignature, rules.Words{
		EN: "Invalid cryptographic stamp structure, Please follow the ZATCA cryptographic stamp specifications",
		AR: "بنية الختم التشفيري غير صحيحة، يرجى اتباع مواصفات الهيئة للختم التشفيري",
	}, strict | ours}},
	{"comment split-text field-repeated field-split field-misplaced field-value field-foreign", entry{warning, "ambiguous-field", ofDocument, rules.Words{
		EN: "A value is there more than once, or is interrupted by a comment or a CDATA section",
		AR: "قيمة واردة أكثر من مرة، أو يتخللها تعليق أو قسم CDATA",
	}, strict | ours}},

	// The rulebook speaks of these, and no more is made of them.
	{"field-missing transaction-code", entry{severity: silent}},
	{"counter counter-missing counter-repeated counter-misplaced counter-split counter-value counter-foreign", entry{severity: silent}},
	{"previous-hash previous-hash-missing previous-hash-repeated previous-hash-misplaced previous-hash-split previous-hash-value previous-hash-foreign", entry{severity: silent}},
}

func byFinding(rows []row) map[string]*entry {
	found := map[string]*entry{}
	for i := range rows {
		for _, id := range strings.Fields(rows[i].findings) {
			found[id] = &rows[i].entry
		}
	}
	return found
}
