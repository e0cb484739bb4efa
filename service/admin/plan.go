package admin

import (
	"context"
	"fmt"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Unlimited is the value of an allowance without a limit.
const Unlimited = org.Unlimited

// Plan is a plan that organisations subscribe to.
type Plan struct {
	Slug       string `json:"slug"`
	Name       string `json:"name"`
	NameArabic string `json:"name_arabic"`
	Invoices   int    `json:"invoices"` // per month
	Writes     int    `json:"writes"`   // write calls per month under fair use
	API        bool   `json:"api"`
}

// Plans returns the plans, smallest first.
func (a *Admin) Plans(ctx context.Context) ([]Plan, error) {
	kept, err := a.store.Plans(ctx)
	return convert(kept, func(p org.Plan) Plan { return Plan(p) }), err
}

// SetPlan changes a plan, with immediate effect for every organisation on it.
func (a *Admin) SetPlan(ctx context.Context, slug string, change func(*Plan)) (Plan, error) {
	changed, err := a.store.ChangePlan(ctx, a.by(org.Tenant{}), slug, func(kept *org.Plan) error {
		p := Plan(*kept)
		change(&p)
		if p.Invoices < Unlimited || p.Writes < Unlimited || p.Name == "" || p.NameArabic == "" {
			return fault.New(fault.InvalidValue, "A plan must have a name in both languages, and allowances of at least 0 or unlimited.")
		}
		*kept = org.Plan(p)
		return nil
	})
	if fault.KindOf(err) == fault.NotFound {
		err = fmt.Errorf("there is no plan %q: see khatm plan list", slug)
	}
	if err != nil {
		return Plan{}, err
	}
	return Plan(changed), nil
}
