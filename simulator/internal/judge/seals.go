package judge

import (
	"bytes"

	"khatm/check"
	"khatm/witness"
)

// seals judges the QR code, then the stamp, then who stamped. The lax judge
// does not look at the seals of a standard document.
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

// answer answers to a finding of the witness.
func (ev *evaluation) answer(found check.Row) {
	e := entryOf(found.Answer)
	ev.say(&e)
}

// knownIssuer says whether the certificate in the stamp comes from one who
// issues to devices. That of the credential does: it was let in with it.
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
