package witness

import (
	"regexp"
	"strings"
	"time"
)

// signingForm matches local time as the authority's software writes it; older
// releases added a Z.
var signingForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z?$`)

// signingTime parses the time of a stamp: Riyadh time, or UTC with a Z.
func signingTime(text string) (at time.Time, known bool) {
	if !signingForm.MatchString(text) {
		return time.Time{}, false // time.Parse would accept fractions of a second
	}
	zone := time.FixedZone("Riyadh", 3*60*60)
	local, utc := strings.CutSuffix(text, "Z")
	if utc {
		zone = time.UTC
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", local, zone)
	return at, err == nil
}

// asIfUTC returns how much later a signing time is if it is read as UTC instead
// of Riyadh time. It returns 0 if the text has a Z. Widely used clients write
// UTC without one.
func asIfUTC(text string) time.Duration {
	if strings.HasSuffix(text, "Z") {
		return 0
	}
	return 3 * time.Hour
}

func (c *Certificate) validAt(at time.Time) bool {
	return !at.Before(c.NotBefore) && !at.After(c.NotAfter)
}

// claims compares the certificate with a simplified document, which the seller's
// device stamps. A standard document is stamped by the authority, with a
// certificate that does not name the seller.
func (j *judge) claims(found slots) {
	c := j.report.Certificate
	if c == nil || !j.report.Simplified() {
		return
	}
	j.same("certificate-vat-number", found.at(slotCertificate),
		"the certificate does not belong to the seller", j.report.SellerVAT, c.VATNumber)
	signed, known := signingTime(j.report.SigningTime)
	if known && !c.validAt(signed) && !c.validAt(signed.Add(asIfUTC(j.report.SigningTime))) {
		j.find("certificate-period", found.at(slotTime), "the certificate is not valid at the signing time",
			c.NotBefore.UTC().Format(time.RFC3339)+" to "+c.NotAfter.UTC().Format(time.RFC3339), j.report.SigningTime)
	}
}
