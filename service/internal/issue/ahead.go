package issue

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/org"
)

// Ahead is a device or a number series whose last document is dated in the
// future. It issues nothing until then, unless an operator releases it.
type Ahead struct {
	Tenant org.Tenant

	Device       uuid.UUID // zero for a series
	Name         string    // of the device
	LastIssuedAt time.Time

	Series string // empty for a device
	Year   int
}

// AheadOf returns what is in the future now: documents after the instant and
// series after the year.
func AheadOf(now time.Time) (after time.Time, year int) {
	return now.Add(clockTolerance), now.In(invoice.Riyadh()).Year()
}

// KindOf returns the kind of document that a series numbers.
func KindOf(series string) invoice.Kind {
	for kind, name := range seriesOf {
		if name == series {
			return kind
		}
	}
	return 0
}
