package judge

import (
	"bytes"

	"khatm/witness"
)

// seals judges the QR code, then the stamp, then who stamped. The lax judge
// does not look at the seals of a standard document.
func (ev *evaluation) seals() {
	if !ev.lax || !ev.verdict.Standard {
		var ofStamp []*entry
		for i := range ev.verdict.Report.Findings {
			e := answerTo(ev.verdict.Report.Findings[i].ID)
			switch {
			case ev.lax && e.marks&strict != 0:
			case e.category == ofCode:
				ev.say(e)
			default:
				ofStamp = append(ofStamp, e)
			}
		}
		for _, e := range ofStamp {
			ev.say(e)
		}
		if !ev.lax && !ev.knownIssuer() {
			ev.say(&invalidCertificate)
		}
	}
	if vat := ev.submission.VATNumber; vat != "" && vat != ev.verdict.Report.SellerVAT {
		ev.say(&otherTaxpayer)
	}
}

// answerTo finds what is said to a finding of the witness. One that the table
// does not know cannot pass.
func answerTo(finding string) *entry {
	if e, known := answers[finding]; known {
		return e
	}
	return &invalidCertificate
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
