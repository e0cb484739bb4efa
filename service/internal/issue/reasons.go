package issue

import (
	"context"
	"errors"

	"khatm/service/internal/fault"
)

// maxReasons is the maximum number of reasons listed in a refusal.
const maxReasons = 100

// listedReason is an active reason in a refusal.
type listedReason struct {
	ID          string `json:"uuid"`
	Description string `json:"description"`
}

// withReasons adds the active reasons of the organisation to a refusal about
// reason_id, because no operation for keys lists them. It returns other errors
// unchanged.
func (i *Issuer) withReasons(ctx context.Context, p *prepared, err error) error {
	var e *fault.Error
	if !errors.As(err, &e) || e.Path != "reason_id" {
		return err
	}
	active, failed := i.Keeper.ActiveReasons(ctx, p.by.Tenant, maxReasons)
	if failed != nil {
		return failed
	}
	list := make([]listedReason, len(active))
	for n, r := range active {
		list[n] = listedReason{r.ID.String(), r.Description}
	}
	return e.With("reasons", list)
}
