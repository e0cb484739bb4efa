package admin

import (
	"context"

	"khatm/service/internal/store"
)

// secrets opens everything that is sealed: a master key that is there and of
// another installation would be found out only by the next invoice.
func (x *examination) secrets(ctx context.Context, a *Admin) {
	const check = "master key"
	sealed, err := a.sealed(ctx)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	ring, err := a.ring(ctx)
	switch {
	case err != nil && !sealed && a.config.MasterKey.IsZero() && !a.config.keyFileFound():
		x.ok(check, "there is none yet; khatm serve makes it when it first starts")
		return
	case err != nil:
		x.fail(check, "", "%v", err)
		return
	}
	opened, shut := 0, 0
	var first error
	err = a.eachSecret(ctx, func(s store.Secret) error {
		plain, err := ring.Open(s.Purpose, s.Owner, s.Sealed)
		clear(plain)
		if err == nil {
			opened++
			return nil
		}
		if shut++; first == nil {
			first = err
		}
		return nil
	})
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case shut > 0:
		x.fail(check, "bring back the master keys of this installation: khatm vault keys shows which are here",
			"%d of %d secrets do not open: %v", shut, opened+shut, first)
	default:
		x.ok(check, "%s; %d secrets open", ring, opened)
	}
}

// trail proves the audit trail.
func (x *examination) trail(ctx context.Context, a *Admin) {
	const check = "audit trail"
	t, err := a.ProveTrail(ctx, func(int64) {})
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case !t.Sound:
		x.fail(check, "keep the database as it is, and find out who could write to it; if it was restored from an older copy, "+
			"move "+a.config.headFile()+" away and the server begins a new head", "%s", t.Problem)
	case t.Entries == 0:
		x.ok(check, "no entry is linked yet; the server links them when it runs")
	case t.Head == 0:
		x.warn(check, "run this where the server keeps its data folder", "%d entries are sound; whether the end was cut off cannot be told, for no head is kept here", t.Entries)
	default:
		x.ok(check, "%d entries are sound, and the head kept outside the database fits", t.Entries)
	}
}
