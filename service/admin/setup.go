package admin

import (
	"context"
	"errors"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// ErrSetUp is returned by NewSetUp if the installation has an organisation.
var ErrSetUp = errors.New("the installation has an organisation")

// NewSetUp creates the link that creates the first account and organisation, and
// returns its token. The previous link stops working.
func (a *Admin) NewSetUp(ctx context.Context) (token string, expires time.Time, err error) {
	token, expires, err = a.accounts.NewSetUp(ctx, a.by(org.Tenant{}))
	if fault.KindOf(err) == fault.Conflict {
		return "", expires, ErrSetUp
	}
	return token, riyadh(expires), err
}
