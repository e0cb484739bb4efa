package admin

import (
	"context"
	"fmt"
)

// ahead reports devices and number series whose last document is dated in the
// future. They issue nothing until that time.
func (x *examination) ahead(ctx context.Context, a *Admin) {
	const check = "document dates"
	found, err := a.store.DatedAhead(ctx, x.config.Now())
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	var names []string
	for _, one := range aheadOf(found) {
		if one.Device == nil {
			names = append(names, fmt.Sprintf("series %s of organisation %s (its last number is from %d)", one.Series, one.Organisation, one.Year))
			continue
		}
		names = append(names, fmt.Sprintf("device %s %s (%s)", one.Name, one.Device, one.LastIssuedAt.Format("2006-01-02 15:04")))
	}
	if names != nil {
		x.fail(check, "if this machine's clock is right: khatm clock release --device ID, or --all", "last document dated in the future, nothing is issued until then: %s", firstFew(names))
		return
	}
	x.ok(check, "no device and no number series has its last document dated in the future")
}
