package admin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// AcceptClock confirms that this machine's clock is right and returns its time in
// Riyadh. Servers whose clock shows about the same time resume issuing.
func (a *Admin) AcceptClock(ctx context.Context) (time.Time, error) {
	now := a.config.Now()
	return riyadh(now), a.store.AcceptClock(ctx, a.by(org.Tenant{}), now)
}

// Ahead is a device or a number series whose last document is dated in the
// future.
type Ahead struct {
	Organisation uuid.UUID  `json:"organisation"`
	Device       *uuid.UUID `json:"device_id,omitempty"`
	Name         string     `json:"common_name,omitempty"`
	LastIssuedAt *time.Time `json:"last_issued_at,omitempty"`
	Series       string     `json:"series,omitempty"`
	Year         int        `json:"year,omitempty"`
}

func aheadOf(list []issue.Ahead) []Ahead {
	shown := []Ahead{}
	for _, one := range list {
		a := Ahead{Organisation: one.Tenant.ID(), Name: one.Name, Series: one.Series, Year: one.Year}
		if one.Series == "" {
			at := riyadh(one.LastIssuedAt)
			a.Device, a.LastIssuedAt = &one.Device, &at
		}
		shown = append(shown, a)
	}
	return shown
}

// ReleaseClock lets a device issue with the current time although its last
// document is dated in the future. It also releases the number series of its
// organisation whose last number is from a future year. It returns what it
// released.
func (a *Admin) ReleaseClock(ctx context.Context, id string) ([]Ahead, error) {
	d, by, err := a.findDevice(ctx, id)
	if err != nil {
		return nil, err
	}
	released, err := a.store.ReleaseClock(ctx, by, d.ID, a.config.Now())
	return aheadOf(released), err
}

// ReleaseClocks calls ReleaseClock for every device and series that needs it. If
// it fails it also returns what was released before.
func (a *Admin) ReleaseClocks(ctx context.Context) ([]Ahead, error) {
	now := a.config.Now()
	all, err := a.store.DatedAhead(ctx, now)
	var released []issue.Ahead
	for _, one := range all {
		if err != nil {
			break
		}
		var more []issue.Ahead
		more, err = a.store.ReleaseClock(ctx, a.by(one.Tenant), one.Device, now)
		released = append(released, more...)
	}
	return aheadOf(released), err
}
