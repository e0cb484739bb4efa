package admin

import (
	"context"

	"khatm/service/internal/store"
)

// secrets decrypts every secret. Without this check, the master key of another
// installation would be noticed only when the next invoice is issued.
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
		x.ok(check, "it does not exist yet; khatm serve creates it when it first starts")
		return
	case err != nil:
		x.fail(check, "", "%v", err)
		return
	}
	opened, failed := 0, 0
	var first error
	err = a.eachSecret(ctx, func(s store.Secret) error {
		plain, err := ring.Open(s.Purpose, s.Owner, s.Sealed)
		clear(plain)
		if err == nil {
			opened++
			return nil
		}
		if failed++; first == nil {
			first = err
		}
		return nil
	})
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case failed > 0:
		x.fail(check, "restore the master keys of this installation; khatm vault keys lists those in use",
			"%d of %d secrets cannot be decrypted: %v", failed, opened+failed, first)
	default:
		x.ok(check, "%s; all %d secrets can be decrypted", ring, opened)
	}
}

// trail verifies the audit trail.
func (x *examination) trail(ctx context.Context, a *Admin) {
	const check = "audit trail"
	t, err := a.ProveTrail(ctx, func(int64) {})
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case !t.Sound:
		x.fail(check, "do not change the database, and find out who could write to it; if it was restored from an older copy, "+
			"move "+a.config.headFile()+" away, so that the server starts a new head", "%s", t.Problem)
	case t.Entries == 0:
		x.ok(check, "no entry is linked yet; the server links entries while it runs")
	case t.Head == 0:
		x.warn(check, "run this with the server's data folder", "%d entries are valid; cannot check whether the end was cut off, because this data folder has no head of the trail", t.Entries)
	default:
		x.ok(check, "%d entries are valid, and the head stored outside the database matches", t.Entries)
	}
}
