package device

import "time"

// Expiry is the expiry status of a certificate.
type Expiry string

// Expiry statuses. A certificate is expiring when at most 30 days are left.
const (
	Valid    Expiry = "valid"
	Expiring Expiry = "expiring"
	Expired  Expiry = "expired"
)

const day = 24 * time.Hour

// Soon is how long before its end a certificate is expiring.
const Soon = 30 * day

// Certificate is the validity period of a certificate from the authority.
type Certificate struct {
	NotBefore time.Time
	NotAfter  time.Time
}

// DaysLeft returns the number of whole days until the certificate expires. It is
// negative afterwards.
func (c Certificate) DaysLeft(now time.Time) int {
	left := c.NotAfter.Sub(now)
	days := int(left / day)
	if left < 0 && left%day != 0 {
		days-- // an hour after the end counts as a day
	}
	return days
}

// Expiry returns the expiry status at a time.
func (c Certificate) Expiry(now time.Time) Expiry {
	switch {
	case !now.Before(c.NotAfter):
		return Expired
	case c.NotAfter.Sub(now) <= Soon:
		return Expiring
	}
	return Valid
}
