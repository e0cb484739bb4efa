package issue

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/org"
)

// Ahead is a device or a number series whose last document is dated in the
// future. Nothing can be issued with it until that time, unless an operator
// releases it.
type Ahead struct {
	Tenant org.Tenant

	Device       uuid.UUID // zero for a series
	Name         string    // of the device
	LastIssuedAt time.Time

	Series string // empty for a device
	Year   int
}

// AheadOf returns the limits beyond which a document is in the future: an issue
// time after the returned time, or a series year after the returned year.
func AheadOf(now time.Time) (after time.Time, year int) {
	return now.Add(clockTolerance), now.In(invoice.Riyadh()).Year()
}

// KindOf returns the kind of document that a series numbers, or zero if the
// series is unknown.
func KindOf(series string) invoice.Kind {
	for kind, name := range seriesOf {
		if name == series {
			return kind
		}
	}
	return 0
}
