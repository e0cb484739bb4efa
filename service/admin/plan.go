package admin

import (
	"context"
	"fmt"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Unlimited is the allowance that is never used up.
const Unlimited = org.Unlimited

// Plan is what organisations subscribe to.
type Plan struct {
	Slug       string `json:"slug"`
	Name       string `json:"name"`
	NameArabic string `json:"name_arabic"`
	Invoices   int    `json:"invoices"` // a month
	Writes     int    `json:"writes"`   // of fair use, a month
	API        bool   `json:"api"`
}

// Plans lists the plans, the smallest first.
func (a *Admin) Plans(ctx context.Context) ([]Plan, error) {
	kept, err := a.store.Plans(ctx)
	return listed(kept, func(p org.Plan) Plan { return Plan(p) }), err
}

// SetPlan lets change work on a plan. It holds at once, for everybody on it.
func (a *Admin) SetPlan(ctx context.Context, slug string, change func(*Plan)) (Plan, error) {
	changed, err := a.store.ChangePlan(ctx, a.by(org.Tenant{}), slug, func(kept *org.Plan) error {
		p := Plan(*kept)
		change(&p)
		if p.Invoices < Unlimited || p.Writes < Unlimited || p.Name == "" || p.NameArabic == "" {
			return fault.New(fault.Invalid, "A plan has two names, and allowances of 0 or more, or unlimited.")
		}
		*kept = org.Plan(p)
		return nil
	})
	if fault.KindOf(err) == fault.NotFound {
		err = fmt.Errorf("there is no plan %q: khatm plan list shows them", slug)
	}
	if err != nil {
		return Plan{}, err
	}
	return Plan(changed), nil
}
