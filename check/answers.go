package check

import "khatm/rules"

// The categories of the authority's answers.
const (
	ofCode        = "QRCODE_VALIDATION"
	ofCertificate = "CERTIFICATE_ERRORS"
	ofSignature   = "SIGNATURE_ERROR"
)

// The answers of the authority.
var (
	invalidCode = Answer{
		Flag: rules.Error, Code: "QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Invalid QR code format, Please follow the ZATCA QR code specifications",
			AR: "صيغة رمز الاستجابة السريعة غير صحيحة. اتبع مواصفات الهيئة لرمز الاستجابة السريعة.",
		},
	}
	unverifiedCode = Answer{
		Flag: rules.Error, Code: "QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Failed to validate QR code",
			AR: "تعذّر التحقق من رمز الاستجابة السريعة.",
		},
	}
	otherSellerName = Answer{
		Flag: rules.Error, Code: "sellerName_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Seller name does not match with qr code seller name",
			AR: "اسم البائع لا يطابق الاسم الوارد في رمز الاستجابة السريعة.",
		},
		Ours: true,
	}
	otherVATNumber = Answer{
		Flag: rules.Error, Code: "vatNumber_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Seller VAT registration number does not match with qr code VAT registration number",
			AR: "الرقم الضريبي للبائع لا يطابق الرقم الوارد في رمز الاستجابة السريعة.",
		},
		Ours: true,
	}
	otherTime = Answer{
		Flag: rules.Warning, Code: "invoiceTimeStamp_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Time on QR Code does not match with Invoice Issue Time (KSA-25). If ZATCA's SDK was used to generate QR Code, kindly use the latest version of SDK",
			AR: "الوقت في رمز الاستجابة السريعة لا يطابق وقت إصدار الفاتورة (KSA-25). إذا استُخدمت حزمة الهيئة البرمجية (SDK) لإنشاء الرمز فاستخدم أحدث إصدار منها.",
		},
	}
	// The authority has been observed to send this code; its text is not known.
	otherTotal = Answer{
		Flag: rules.Error, Code: "invoiceTotal_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Invoice total does not match with qr code invoice total",
			AR: "إجمالي الفاتورة لا يطابق الإجمالي الوارد في رمز الاستجابة السريعة.",
		},
	}
	otherVATTotal = Answer{
		Flag: rules.Error, Code: "vatTotal_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Invoice VAT total does not match with qr code VAT total",
			AR: "إجمالي ضريبة القيمة المضافة لا يطابق الإجمالي الوارد في رمز الاستجابة السريعة.",
		},
		Ours: true,
	}
	otherHash = Answer{
		Flag: rules.Error, Code: "invoiceHash_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "Invoice xml hash does not match with qr code invoice xml hash",
			AR: "بصمة ملف XML للفاتورة لا تطابق البصمة الواردة في رمز الاستجابة السريعة.",
		},
	}
	otherSignature = Answer{
		Flag: rules.Error, Code: "signature_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "ECDSA signature does not match with qr code ECDSA signature",
			AR: "التوقيع الرقمي (ECDSA) لا يطابق التوقيع الوارد في رمز الاستجابة السريعة.",
		},
		Ours: true,
	}
	otherPublicKey = Answer{
		Flag: rules.Error, Code: "publicKey_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "ECDSA Public Key does not match with qr code ECDSA public key",
			AR: "المفتاح العام (ECDSA) لا يطابق المفتاح الوارد في رمز الاستجابة السريعة.",
		},
	}
	otherCertificateSignature = Answer{
		Flag: rules.Error, Code: "CERTIFICATE_SIGNATURE_QRCODE_INVALID", Category: ofCode,
		Says: rules.Words{
			EN: "certificate signature does not match with qr certificate signature value",
			AR: "توقيع شهادة الختم التشفيري لا يطابق التوقيع الوارد في رمز الاستجابة السريعة.",
		},
	}
	wrongPropertiesDigest = Answer{
		Flag: rules.Error, Code: "signed-properties-hashing", Category: ofCertificate,
		Says: rules.Words{
			EN: "Invalid signed properties hashing, SignedProperties with id='xadesSignedProperties'",
			AR: "بصمة خصائص التوقيع غير صحيحة في العنصر SignedProperties ذي المعرّف 'xadesSignedProperties'.",
		},
	}
	// The official kit computes another digest; the authority may as well.
	strayNamespace = Answer{
		Flag: wrongPropertiesDigest.Flag, Code: wrongPropertiesDigest.Code, Category: wrongPropertiesDigest.Category,
		Says: wrongPropertiesDigest.Says, Strict: true,
	}
	wrongCertificateDigest = Answer{
		Flag: rules.Error, Code: "certificate-hashing", Category: ofCertificate,
		Says: rules.Words{
			EN: "Invalid certificate hashing",
			AR: "بصمة شهادة الختم التشفيري غير صحيحة.",
		},
	}
	wrongInvoiceDigest = Answer{
		Flag: rules.Error, Code: "invoice-hashing", Category: ofCertificate,
		Says: rules.Words{
			EN: "Invalid invoice hashing, Reference with id='invoiceSignedData'",
			AR: "بصمة الفاتورة غير صحيحة في العنصر Reference ذي المعرّف 'invoiceSignedData'.",
		},
		Strict: true,
		Ours:   true,
	}
	// The signing time of clients that write it in UTC is three hours off. The
	// real authority is not known to check it.
	outsideValidity = Answer{
		Flag: rules.Warning, Code: "signing-time-outside-certificate", Category: ofCertificate,
		Says: rules.Words{
			EN: "SigningTime is outside the validity of the certificate; it is read as Riyadh time",
			AR: "وقت التوقيع SigningTime خارج مدة صلاحية شهادة الختم التشفيري؛ ويُقرأ الوقت بتوقيت الرياض.",
		},
		Strict: true,
		Ours:   true,
	}
	otherCertificate = Answer{
		Flag: rules.Warning, Code: "invalid-signing-certificate", Category: ofCertificate,
		Says: rules.Words{
			EN: "X509Certificate (CCSID / PCSID) used for signing is not valid certificate (CCSID / PCSID) for this VAT Registration Number.",
			AR: "شهادة الختم التشفيري (CCSID / PCSID) المستخدمة في التوقيع غير صالحة للرقم الضريبي الوارد في المستند.",
		},
	}
	// Only the authority's web page is known to compare this value and the next.
	wrongIssuerName = Answer{
		Flag: rules.Error, Code: "X509IssuerName", Category: ofSignature,
		Says: rules.Words{
			EN: "wrong X509IssuerName",
			AR: "قيمة X509IssuerName (اسم جهة إصدار شهادة الختم التشفيري) غير صحيحة.",
		},
		Strict: true,
	}
	wrongSerialNumber = Answer{
		Flag: rules.Error, Code: "X509SerialNumber", Category: ofSignature,
		Says: rules.Words{
			EN: "wrong X509SerialNumber",
			AR: "قيمة X509SerialNumber (الرقم التسلسلي لشهادة الختم التشفيري) غير صحيحة.",
		},
		Strict: true,
	}
	invalidSignature = Answer{
		Flag: rules.Error, Code: "invalid-signature", Category: ofSignature,
		Says: rules.Words{
			EN: "Invalid SignatureValue, it is not the signature of the invoice hash by the key of the certificate",
			AR: "قيمة SignatureValue غير صحيحة، فهي ليست توقيعًا لبصمة الفاتورة بمفتاح شهادة الختم التشفيري.",
		},
		Strict: true,
		Ours:   true,
	}
	invalidCertificate = Answer{
		Flag: rules.Error, Code: "invalid-certificate", Category: ofCertificate,
		Says: rules.Words{
			EN: "Production CSID is not valid",
			AR: "شهادة الختم التشفيري للإنتاج (PCSID) غير صالحة.",
		},
	}
)
