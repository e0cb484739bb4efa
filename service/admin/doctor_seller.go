package admin

import (
	"context"
	"fmt"
	"slices"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
)

// sellers summarises the organisations and their devices.
type sellers struct {
	all, active, devices       int
	keyless, expired, expiring []string
	parked                     []string
}

// organisations reports organisations without a key, and devices whose
// certificate has expired or expires soon, or whose documents are not sent.
func (x *examination) organisations(ctx context.Context, a *Admin) {
	seen, err := x.see(ctx, a)
	if err != nil {
		x.fail("organisations", "", "%v", err)
		return
	}
	switch {
	case seen.all == 0:
		x.warn("organisations", "create one with khatm org create", "no organisation is registered yet")
	case seen.keyless != nil:
		x.warn("organisations", "create a key with khatm key create --org ID", "%d, of which %d are active; without a key: %s", seen.all, seen.active, firstFew(seen.keyless))
	default:
		x.ok("organisations", "%d, of which %d are active; every one whose plan allows keys has a key", seen.all, seen.active)
	}
	switch {
	case seen.expired != nil:
		x.fail("certificates", "renew them: these devices cannot issue", "expired: %s", firstFew(slices.Concat(seen.expired, seen.expiring)))
	case seen.expiring != nil:
		x.warn("certificates", "renew them", "about to expire: %s", firstFew(seen.expiring))
	case seen.parked != nil:
		x.warn("certificates", "khatm device show ID shows the details", "documents of these devices are not sent: %s", firstFew(seen.parked))
	default:
		x.ok("certificates", "%d devices; no certificate expires within 30 days", seen.devices)
	}
}

func (x *examination) see(ctx context.Context, a *Admin) (sellers, error) {
	var seen sellers
	plans, err := a.store.Plans(ctx)
	if err != nil {
		return seen, err
	}
	err = a.eachOrganisation(ctx, func(o org.Organisation) error {
		seen.all++
		if o.Status != org.Active {
			return nil
		}
		seen.active++
		keys, err := a.store.Keys(ctx, org.TenantOf(o.ID))
		if err != nil {
			return err
		}
		callable := slices.ContainsFunc(plans, func(p org.Plan) bool { return p.Slug == o.Plan && p.API })
		if callable && !slices.ContainsFunc(keys, func(k org.Key) bool { return k.RevokedAt == nil }) {
			seen.keyless = append(seen.keyless, fmt.Sprintf("%s (%s)", o.Name, o.ID))
		}
		return x.seeDevices(ctx, a, o, &seen)
	})
	return seen, err
}

func (x *examination) seeDevices(ctx context.Context, a *Admin, o org.Organisation, seen *sellers) error {
	page := org.Page{Size: 100, Number: 1}
	for {
		list, err := a.store.Devices(ctx, org.TenantOf(o.ID), page)
		if err != nil {
			return err
		}
		for _, d := range list.Rows {
			seen.devices++
			x.seeDevice(d, o.Name, seen)
		}
		if page.After = list.Next; len(list.Rows) < page.Size {
			return nil
		}
	}
}

func (x *examination) seeDevice(d device.Device, of string, seen *sellers) {
	name := d.CommonName + " of " + of
	if d.Parked {
		seen.parked = append(seen.parked, name+" ("+d.ParkedWhy+")")
	}
	if d.Production == nil {
		return
	}
	left := fmt.Sprintf("%s (%d days left)", name, d.Production.DaysLeft(x.config.Now()))
	switch d.Production.Expiry(x.config.Now()) {
	case device.Expired:
		seen.expired = append(seen.expired, name)
	case device.Expiring:
		seen.expiring = append(seen.expiring, left)
	case device.Valid:
	}
}
