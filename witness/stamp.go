package witness

import (
	"bytes"
	"encoding/base64"
	"slices"

	"github.com/beevik/etree"
)

// stamp checks the extensions and the signature reference, if they exist or are
// required.
func (j *judge) stamp() {
	p := j.parts
	if p.extensions == nil && j.needsStamp() {
		j.find("stamp-missing", at(j.root, "/ext:UBLExtensions"), "the document is not stamped", "", "")
	}
	if p.signature == nil && j.needsStamp() {
		j.find("stamp-missing", at(j.root, "/cac:Signature"), "the signature reference is missing", "", "")
	}
	if p.signature != nil {
		j.fit("stamp", p.signature, signatureShape(), slots{})
	}
	if p.extensions == nil {
		return
	}
	found := slots{}
	j.fit("stamp", p.extensions, extensionsShape(), found)
	j.decoys(found)
	j.prefixes()
	j.digests(found)
	j.certificate(found)
	j.claims(found)
	j.signature(found)
}

// needsStamp reports whether the document must be stamped: a simplified one
// always, a standard one if the caller requires it, and any document that
// already contains a part of a stamp.
func (j *judge) needsStamp() bool {
	p := j.parts
	return j.report.Simplified() || j.expect.RequireStamp ||
		p.extensions != nil || p.signature != nil || p.qr != nil
}

// prefixes checks that the XPath texts of the stamp have their usual meaning.
func (j *judge) prefixes() {
	for _, want := range []binding{{"ext", nsEXT}, {"cac", nsCAC}, {"cbc", nsCBC}} {
		j.same("stamp-prefix", at(j.root, "/@xmlns:"+want.prefix),
			"the XPath texts of the stamp need this prefix declared", want.space, spaceOf(j.root, want.prefix))
	}
}

func (j *judge) digests(found slots) {
	if found[slotHash] != nil {
		j.same("hash-digest", found.at(slotHash),
			"the digest does not match the hash of the invoice", j.report.Hash, found.text(slotHash))
	}
	properties := found[slotProperties]
	if properties == nil {
		return
	}
	j.strayDeclarations(properties)
	if hasMarkup(properties) {
		j.find("signed-properties-digest", at(properties, ""),
			"the signed properties contain a comment, a processing instruction or a CDATA section, so readers may digest different bytes", "", "")
	}
	if found[slotPropsDigest] != nil {
		j.same("signed-properties-digest", found.at(slotPropsDigest),
			"the digest does not match the signed properties", hexDigest(fragment(properties)), found.text(slotPropsDigest))
	}
	if found[slotTime] != nil {
		j.report.SigningTime = found.text(slotTime)
		if _, known := signingTime(j.report.SigningTime); !known {
			j.find("signing-time", found.at(slotTime), "the value is not a date and time", "yyyy-mm-ddThh:mm:ss", j.report.SigningTime)
		}
	}
}

// strayDeclarations reports a namespace that is declared inside the signed
// properties where the digested form does not declare it: readers differ on
// whether it counts, and the digest of the official kit does not match.
func (j *judge) strayDeclarations(el *etree.Element) {
	for _, attr := range el.Attr {
		if prefix, is := declares(attr.Space, attr.Key); is && prefix != el.Space {
			j.find("signed-properties-namespace", at(el, "/@"+attr.FullKey()), "the namespace is declared where the digested form does not declare it", "", attr.Value)
		}
	}
	for child := range el.ChildElementsSeq() {
		j.strayDeclarations(child)
	}
}

// hasMarkup reports whether an element or a descendant contains anything but
// elements and ordinary text.
func hasMarkup(el *etree.Element) bool {
	return slices.ContainsFunc(el.Child, func(token etree.Token) bool {
		switch token := token.(type) {
		case *etree.Element:
			return hasMarkup(token)
		case *etree.CharData:
			return token.IsCData()
		}
		return true
	})
}

func (j *judge) certificate(found slots) {
	if found[slotCertificate] == nil {
		return
	}
	text, where := found.text(slotCertificate), found.at(slotCertificate)
	if found[slotCertDigest] != nil {
		j.same("certificate-digest", found.at(slotCertDigest),
			"the digest does not match the text of the certificate", hexDigest(text), found.text(slotCertDigest))
	}
	der, err := strictBase64(text)
	if err != nil {
		j.find("certificate", where, "the certificate is not base64 on one line: "+err.Error(), "", text)
		return
	}
	if j.expect.Certificate != nil && !bytes.Equal(der, j.expect.Certificate) {
		j.find("certificate-other", where, "the stamp was made with another certificate",
			base64.StdEncoding.EncodeToString(j.expect.Certificate), text)
	}
	c, err := ReadCertificate(der)
	if err != nil {
		j.find("certificate", where, err.Error(), "", text)
		return
	}
	j.report.Certificate = c
	if found[slotIssuer] != nil {
		j.same("issuer-name", found.at(slotIssuer), "the name is not that of the certificate's issuer", c.Issuer, found.text(slotIssuer))
	}
	if found[slotSerial] != nil {
		j.same("serial-number", found.at(slotSerial), "the number is not the certificate's serial number", c.Serial.String(), found.text(slotSerial))
	}
}

// signature checks the signature, which covers the hash of the invoice hash.
func (j *judge) signature(found slots) {
	if found[slotSignature] == nil {
		return
	}
	text, where := found.text(slotSignature), found.at(slotSignature)
	j.report.Signature = text
	raw, err := strictBase64(text)
	if err != nil {
		j.find("signature", where, "the signature is not base64 on one line: "+err.Error(), "", text)
		return
	}
	if j.report.Certificate == nil {
		j.find("signature", where, "the signature cannot be verified without a certificate", "", text)
		return
	}
	if err := verify(j.report.Certificate.PublicKey, j.hash, raw); err != nil {
		j.find("signature", where, err.Error(), "", text)
	}
}
