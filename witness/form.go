package witness

// The fixed texts of a stamp.
const (
	uriXades       = "urn:oasis:names:specification:ubl:dsig:enveloped:xades"
	uriSignature   = "urn:oasis:names:specification:ubl:signature:1"
	uriReferenced  = "urn:oasis:names:specification:ubl:signature:Invoice"
	algC14N11      = "http://www.w3.org/2006/12/xml-c14n11"
	algECDSA       = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
	algXPath       = "http://www.w3.org/TR/1999/REC-xpath-19991116"
	algSHA256      = "http://www.w3.org/2001/04/xmlenc#sha256"
	typeProperties = "http://www.w3.org/2000/09/xmldsig#SignatureProperties"
)

// The variable values of a stamp and of a QR reference.
const (
	slotHash        slot = "hash"
	slotProperties  slot = "properties"  // the xades:SignedProperties element itself
	slotPropsDigest slot = "digest"      // of the signed properties
	slotSignature   slot = "signature"   // ds:SignatureValue
	slotCertificate slot = "certificate" // ds:X509Certificate
	slotTime        slot = "time"
	slotCertDigest  slot = "certificate digest"
	slotIssuer      slot = "issuer"
	slotSerial      slot = "serial"
	slotQR          slot = "qr"
)

// extensionsShape returns the structure of ext:UBLExtensions.
func extensionsShape() shape {
	information := shape{name: name{nsSAC, "SignatureInformation"}, children: []shape{
		{name: cbc("ID"), text: uriSignature},
		{name: name{nsSBC, "ReferencedSignatureID"}, text: uriReferenced},
		{name: ds("Signature"), attrs: []fixed{{"Id", "signature"}}, children: []shape{
			signedInfoShape(),
			{name: ds("SignatureValue"), slot: slotSignature},
			{name: ds("KeyInfo"), children: []shape{
				{name: ds("X509Data"), children: []shape{
					{name: ds("X509Certificate"), slot: slotCertificate},
				}},
			}},
			{name: ds("Object"), children: []shape{propertiesShape()}},
		}},
	}}
	return shape{name: extensionsName, children: []shape{
		{name: ext("UBLExtension"), children: []shape{
			{name: ext("ExtensionURI"), text: uriXades},
			{name: ext("ExtensionContent"), children: []shape{
				{name: name{nsSIG, "UBLDocumentSignatures"}, children: []shape{information}},
			}},
		}},
	}}
}

func signedInfoShape() shape {
	filter := func(xpath string) shape {
		return shape{name: ds("Transform"), attrs: []fixed{{"Algorithm", algXPath}}, children: []shape{
			{name: ds("XPath"), text: xpath},
		}}
	}
	return shape{name: ds("SignedInfo"), children: []shape{
		{name: ds("CanonicalizationMethod"), attrs: []fixed{{"Algorithm", algC14N11}}},
		{name: ds("SignatureMethod"), attrs: []fixed{{"Algorithm", algECDSA}}},
		{name: ds("Reference"), attrs: []fixed{{"Id", "invoiceSignedData"}, {"URI", ""}}, children: []shape{
			{name: ds("Transforms"), children: []shape{
				filter("not(//ancestor-or-self::ext:UBLExtensions)"),
				filter("not(//ancestor-or-self::cac:Signature)"),
				filter("not(//ancestor-or-self::cac:AdditionalDocumentReference[cbc:ID='QR'])"),
				{name: ds("Transform"), attrs: []fixed{{"Algorithm", algC14N11}}},
			}},
			digestMethodShape(),
			{name: ds("DigestValue"), slot: slotHash},
		}},
		{name: ds("Reference"), attrs: []fixed{{"Type", typeProperties}, {"URI", "#xadesSignedProperties"}}, children: []shape{
			digestMethodShape(),
			{name: ds("DigestValue"), slot: slotPropsDigest},
		}},
	}}
}

func propertiesShape() shape {
	certificate := shape{name: xades("Cert"), children: []shape{
		{name: xades("CertDigest"), children: []shape{
			digestMethodShape(),
			{name: ds("DigestValue"), slot: slotCertDigest},
		}},
		{name: xades("IssuerSerial"), children: []shape{
			{name: ds("X509IssuerName"), slot: slotIssuer},
			{name: ds("X509SerialNumber"), slot: slotSerial},
		}},
	}}
	signed := shape{
		name: xades("SignedProperties"), slot: slotProperties,
		attrs: []fixed{{"Id", "xadesSignedProperties"}},
		children: []shape{
			{name: xades("SignedSignatureProperties"), children: []shape{
				{name: xades("SigningTime"), slot: slotTime},
				{name: xades("SigningCertificate"), children: []shape{certificate}},
			}},
		},
	}
	return shape{name: xades("QualifyingProperties"), attrs: []fixed{{"Target", "signature"}}, children: []shape{signed}}
}

func digestMethodShape() shape {
	return shape{name: ds("DigestMethod"), attrs: []fixed{{"Algorithm", algSHA256}}}
}

// signatureShape returns the structure of cac:Signature.
func signatureShape() shape {
	return shape{name: signatureName, children: []shape{
		{name: idName, text: uriReferenced},
		{name: cbc("SignatureMethod"), text: uriXades},
	}}
}

// qrShape returns the structure of the QR reference.
func qrShape() shape {
	return shape{name: referenceName, children: []shape{
		{name: idName, text: "QR"},
		{name: cac("Attachment"), children: []shape{
			{name: cbc("EmbeddedDocumentBinaryObject"), slot: slotQR, attrs: []fixed{{"mimeCode", "text/plain"}}},
		}},
	}}
}
