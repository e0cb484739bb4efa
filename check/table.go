package check

// table has a row for every finding of the verifier.
var table = []entry{
	// The QR code.
	{"qr-format", QRCode, unreadableCode, invalidCode},
	{"qr-value qr-foreign qr-repeated qr-misplaced qr-split", QRCode, wrongStructure, invalidCode},
	{"qr-missing", QRCode, notStamped, unverifiedCode},
	{"qr-seller-name", QRCode, otherCode, otherSellerName},
	{"qr-vat-number", QRCode, otherCode, otherVATNumber},
	{"qr-time", QRCode, otherCode, otherTime},
	{"qr-total", QRCode, otherCode, otherTotal},
	{"qr-vat-total", QRCode, otherCode, otherVATTotal},
	{"qr-hash", QRCode, changedAfterwards, otherHash},
	{"qr-signature", QRCode, otherCode, otherSignature},
	{"qr-public-key", QRCode, wrongCertificate, otherPublicKey},
	{"qr-certificate-signature", QRCode, wrongCertificate, otherCertificateSignature},

	// The digests and the certificate.
	{"signed-properties-digest", Stamp, wrongDigest, wrongPropertiesDigest},
	{"certificate-digest", Stamp, wrongDigest, wrongCertificateDigest},
	{"hash-digest", Stamp, changedAfterwards, wrongInvoiceDigest},
	{"certificate", Stamp, wrongCertificate, invalidCertificate},
	{"stamp-missing", Stamp, notStamped, invalidCertificate},
	{"certificate-period", Stamp, wrongCertificate, outsideValidity},
	{"certificate-other certificate-vat-number", Stamp, wrongCertificate, otherCertificate},
	{"issuer-name", Stamp, wrongCertificate, wrongIssuerName},
	{"serial-number", Stamp, wrongCertificate, wrongSerialNumber},

	// Faults that the real authority is not known to check.
	{"signature", Stamp, changedAfterwards, invalidSignature},
	{"signing-time", Stamp, wrongStructure, invalidSigningTime},
	{"stamp-value stamp-foreign stamp-prefix more-findings", Stamp, wrongStructure, invalidStamp},
	{"stamp-repeated stamp-misplaced stamp-split id-repeated", Reading, wrongStructure, invalidStamp},
	{"field-value field-foreign", Stamp, wrongStructure, ambiguousField},
	{"comment split-text field-repeated field-split field-misplaced", Reading, wrongStructure, ambiguousField},

	// Business rules report these; the authority has no answer of its own to them.
	{"field-missing transaction-code", Stamp, wrongStructure, Answer{}},
	{"counter counter-missing previous-hash previous-hash-missing", Stamp, wrongPlace, Answer{}},
	{"counter-value counter-foreign previous-hash-value previous-hash-foreign", Stamp, wrongStructure, Answer{}},
	{"counter-repeated counter-misplaced counter-split previous-hash-repeated previous-hash-misplaced previous-hash-split", Reading, wrongStructure, Answer{}},

	// Our own: the verifier cannot read a document that the schema allows.
	{Unreadable, Stamp, unverifiable, Answer{}},
}
