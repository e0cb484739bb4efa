package device

import "time"

// Expiry says how a certificate stands.
type Expiry string

// How a certificate stands. One expires soon when 30 days or less are left.
const (
	Valid    Expiry = "valid"
	Expiring Expiry = "expiring"
	Expired  Expiry = "expired"
)

const (
	day  = 24 * time.Hour
	soon = 30
)

// Certificate is the life of a certificate that the authority gave.
type Certificate struct {
	NotBefore time.Time
	NotAfter  time.Time
}

// DaysLeft is the number of whole days until the certificate ends; negative
// once it has.
func (c Certificate) DaysLeft(now time.Time) int {
	left := c.NotAfter.Sub(now)
	days := int(left / day)
	if left < 0 && left%day != 0 {
		days-- // an hour after the end is a day past, not none
	}
	return days
}

// Expiry says how the certificate stands at an instant.
func (c Certificate) Expiry(now time.Time) Expiry {
	switch {
	case !now.Before(c.NotAfter):
		return Expired
	case c.NotAfter.Sub(now) <= soon*day:
		return Expiring
	}
	return Valid
}
