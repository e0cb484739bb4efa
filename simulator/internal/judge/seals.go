package judge

import (
	"bytes"

	"khatm/check"
	"khatm/witness"
)

// seals checks the QR code, the stamp, the issuer of its certificate and the
// VAT number of the seller, in this order. In lax mode it ignores the QR code
// and the stamp of a standard document.
func (ev *evaluation) seals() {
	if !ev.lax || !ev.verdict.Standard {
		var ofStamp []check.Row
		for i := range ev.verdict.Report.Findings {
			found := check.Find(ev.verdict.Report.Findings[i].ID)
			switch {
			case ev.lax && found.Answer.Strict:
			case found.Part == check.QRCode:
				ev.answer(found)
			default:
				ofStamp = append(ofStamp, found)
			}
		}
		for _, found := range ofStamp {
			ev.answer(found)
		}
		if !ev.lax && !ev.knownIssuer() {
			ev.say(&invalidCertificate)
		}
	}
	if vat := ev.submission.VATNumber; vat != "" && vat != ev.verdict.Report.SellerVAT {
		ev.say(&otherTaxpayer)
	}
}

// answer adds the message for a finding of package witness.
func (ev *evaluation) answer(found check.Row) {
	e := entryOf(found.Answer)
	ev.say(&e)
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
