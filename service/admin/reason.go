package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

// Reason is a text that invoices and notes refer to.
type Reason struct {
	ID          uuid.UUID `json:"uuid"`
	Description string    `json:"description"`
	Active      bool      `json:"is_active"`
	DueDays     *int      `json:"due_days"` // from the issue; nil if the setting of the organisation applies
	CreatedAt   time.Time `json:"created_at"`
}

func reasonOf(r trade.Reason) Reason {
	return Reason{ID: r.ID, Description: r.Description, Active: r.Active, DueDays: r.DueDays, CreatedAt: riyadh(r.CreatedAt)}
}

// CreateReason adds an active reason to an organisation. dueDays is nil if the
// setting of the organisation applies.
func (a *Admin) CreateReason(ctx context.Context, organisation, description string, dueDays *int) (Reason, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Reason{}, err
	}
	r := trade.Reason{ID: a.config.NewID(), Description: description, Active: true, DueDays: dueDays, CreatedAt: a.config.Now()}
	if problems := r.Check(); problems != nil {
		return Reason{}, fault.Wrong(problems...)
	}
	return reasonOf(r), a.store.AddReason(ctx, by, r)
}

// Reasons returns the reasons of an organisation, oldest first.
func (a *Admin) Reasons(ctx context.Context, organisation string) ([]Reason, error) {
	return listOf(ctx, a, organisation, a.store.Reasons, reasonOf)
}

// SetReason enables or disables a reason for new invoices.
func (a *Admin) SetReason(ctx context.Context, organisation, id string, active bool) error {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return err
	}
	unknown := fmt.Errorf("the organisation has no reason %q: see khatm reason list --org %s", id, organisation)
	parsed, err := uuid.Parse(id)
	if err != nil {
		return unknown
	}
	err = a.store.SetReason(ctx, by, parsed, active)
	if fault.KindOf(err) == fault.NotFound {
		return unknown
	}
	return err
}
