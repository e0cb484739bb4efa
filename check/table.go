package check

// table has a row for every finding of the verifier. The third column is the
// severity: see [Row].
var table = []entry{
	// The QR code.
	{"qr-format", QRCode, refused, unreadableCode, invalidCode},
	{"qr-missing", QRCode, refused, notStamped, unverifiedCode},
	{"qr-seller-name", QRCode, refused, otherCode, otherSellerName},
	{"qr-vat-number", QRCode, refused, otherCode, otherVATNumber},
	{"qr-time", QRCode, warned, otherCode, otherTime},
	{"qr-total", QRCode, refused, otherCode, otherTotal},
	{"qr-vat-total", QRCode, refused, otherCode, otherVATTotal},
	{"qr-hash", QRCode, refused, changedAfterwards, otherHash},
	{"qr-signature", QRCode, refused, otherCode, otherSignature},
	{"qr-public-key", QRCode, refused, wrongCertificate, otherPublicKey},
	{"qr-certificate-signature", QRCode, refused, wrongCertificate, otherCertificateSignature},

	// The digests, the signature and the certificate. The real authority is not
	// known to verify the signature, but its kit does.
	{"signed-properties-digest", Stamp, refused, wrongDigest, wrongPropertiesDigest},
	{"signed-properties-namespace", Stamp, refused, wrongDigest, strayNamespace},
	{"certificate-digest", Stamp, refused, wrongDigest, wrongCertificateDigest},
	{"hash-digest", Stamp, refused, changedAfterwards, wrongInvoiceDigest},
	{"signature", Stamp, refused, changedAfterwards, invalidSignature},
	{"certificate", Stamp, refused, wrongCertificate, invalidCertificate},
	{"stamp-missing", Stamp, refused, notStamped, invalidCertificate},
	{"certificate-period", Stamp, warned, wrongCertificate, outsideValidity},
	{"certificate-other certificate-vat-number", Stamp, warned, wrongCertificate, otherCertificate},
	{"issuer-name", Stamp, refused, wrongCertificate, wrongIssuerName},
	{"serial-number", Stamp, refused, wrongCertificate, wrongSerialNumber},

	// Our own: the verifier cannot read a document that the schema allows, so
	// that nothing is known about its stamp.
	{Unreadable, Stamp, refused, unverifiable, Answer{}},

	// Form only. The official kit accepts all of these, except where the schema
	// or a rule reports the same.
	{"qr-value qr-foreign qr-repeated qr-misplaced qr-split qr-order qr-incomplete", QRCode, opinion, wrongStructure, Answer{}},
	{"stamp-value stamp-foreign stamp-prefix stamp-order stamp-incomplete signing-time more-findings", Stamp, opinion, wrongStructure, Answer{}},
	{"stamp-repeated stamp-misplaced stamp-split id-repeated", Reading, opinion, wrongStructure, Answer{}},
	{"field-value field-foreign field-order field-incomplete", Stamp, opinion, twoReadings, Answer{}},
	{"comment split-text instruction attribute-break field-repeated field-split field-misplaced", Reading, opinion, twoReadings, Answer{}},

	// Business rules report these where the authority refuses them.
	{"field-missing transaction-code", Stamp, opinion, wrongStructure, Answer{}},
	{"counter counter-missing previous-hash previous-hash-missing", Stamp, opinion, wrongPlace, Answer{}},
	{"counter-value counter-foreign counter-order counter-incomplete", Stamp, opinion, wrongStructure, Answer{}},
	{"previous-hash-value previous-hash-foreign previous-hash-order previous-hash-incomplete", Stamp, opinion, wrongStructure, Answer{}},
	{"counter-repeated counter-misplaced counter-split previous-hash-repeated previous-hash-misplaced previous-hash-split", Reading, opinion, wrongStructure, Answer{}},
}
