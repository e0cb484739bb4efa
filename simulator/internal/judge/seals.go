package judge

import (
	"bytes"

	"khatm/check"
	"khatm/witness"
)

// seals checks the QR code, the stamp, the issuer of its certificate and the
// VAT number of the seller, in this order. In lax mode it ignores the QR code
// and the stamp of a standard document. Opinions about form are never part of
// the answer.
func (ev *evaluation) seals() {
	var ofStamp, opinions []*witness.Finding
	ignored := ev.lax && ev.verdict.Standard
	for i := range ev.verdict.Report.Findings {
		f := &ev.verdict.Report.Findings[i]
		row := check.Find(f.ID)
		switch {
		case row.Opinion:
			opinions = append(opinions, f)
		case ignored || ev.lax && row.Answer.Strict:
		case row.Part == check.QRCode:
			ev.answer(f, row)
		default:
			ofStamp = append(ofStamp, f)
		}
	}
	for _, f := range ofStamp {
		ev.answer(f, check.Find(f.ID))
	}
	if !ev.lax && !ev.knownIssuer() {
		ev.say(&invalidCertificate, why{"the certificate in the stamp was not issued by this environment", "ds:X509Certificate",
			"Stamp with the certificate that this environment issued: the binarySecurityToken, decoded from base64 once."})
	}
	if vat := ev.submission.VATNumber; vat != "" && vat != ev.verdict.Report.SellerVAT {
		ev.say(&otherTaxpayer, why{"the VAT number of the seller is not that of the credential" + comparison(ev.verdict.Report.SellerVAT, vat),
			"/Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID", "Send the document with a certificate of its seller."})
	}
	for _, f := range opinions {
		ev.verdict.explain(Opinion, f.ID, ofFinding(f, check.Find(f.ID)))
	}
}

// answer adds the message for a finding of package witness.
func (ev *evaluation) answer(f *witness.Finding, row check.Row) {
	e := entryOf(row.Answer)
	ev.say(&e, ofFinding(f, row))
}

// knownIssuer reports whether the certificate in the stamp was issued by one of
// the issuers. The certificate of the credential is known already: the client
// authenticated with it.
func (ev *evaluation) knownIssuer() bool {
	stamped, s := ev.verdict.Report.Certificate, &ev.submission
	if stamped == nil || len(s.Issuers) == 0 || bytes.Equal(stamped.Raw, s.Certificate) {
		return true
	}
	for _, der := range s.Issuers {
		issuer, err := witness.ReadCertificate(der)
		if err == nil && stamped.SignedBy(issuer.PublicKey) == nil {
			return true
		}
	}
	return false
}
