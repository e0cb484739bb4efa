package main

import (
	"context"
	"fmt"
	"strconv"

	"khatm/service/admin"
)

// planCommands are the commands on plans.
type planCommands struct {
	List planList `cmd:"" help:"List the plans."`
	Set  planSet  `cmd:"" help:"Change a plan, for every organisation on it."`
}

type planList struct{ listing }

func (c planList) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		all, err := a.Plans(ctx)
		if err != nil {
			return err
		}
		return printPlans(t, c.JSON, all...)
	})
}

func printPlans(t *console, asJSON bool, plans ...admin.Plan) error {
	return printTable(t.out, asJSON, plans, "slug, invoices a month, writes a month, api, name, arabic name", func(p admin.Plan) []any {
		api := "no"
		if p.API {
			api = "yes"
		}
		return []any{p.Slug, allowance(p.Invoices), allowance(p.Writes), api, p.Name, p.NameArabic}
	})
}

// allowance is a number per month, or [admin.Unlimited].
type allowance int

func (a allowance) String() string {
	if a == admin.Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(int(a))
}

// UnmarshalText parses a number or "unlimited".
func (a *allowance) UnmarshalText(text []byte) error {
	if string(text) == "unlimited" {
		*a = admin.Unlimited
		return nil
	}
	n, err := strconv.ParseUint(string(text), 10, 31)
	if err != nil {
		return fmt.Errorf(`%q is neither a number nor "unlimited"`, text)
	}
	*a = allowance(n)
	return nil
}

type planSet struct {
	listing
	Slug       string     `arg:"" help:"Plan; see khatm plan list."`
	Invoices   *allowance `placeholder:"N" help:"Invoices per month: a number, or unlimited."`
	Writes     *allowance `placeholder:"N" help:"Write calls per month, enforced by khatm serve --fair-use: a number, or unlimited."`
	API        *bool      `name:"api" negatable:"" help:"Allow API keys."`
	Name       *string    `placeholder:"TEXT" help:"Name in English."`
	NameArabic *string    `placeholder:"TEXT" help:"Name in Arabic."`
}

func (c planSet) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		p, err := a.SetPlan(ctx, c.Slug, func(p *admin.Plan) {
			if c.Invoices != nil {
				p.Invoices = int(*c.Invoices)
			}
			if c.Writes != nil {
				p.Writes = int(*c.Writes)
			}
			if c.API != nil {
				p.API = *c.API
			}
			set(&p.Name, c.Name)
			set(&p.NameArabic, c.NameArabic)
		})
		if err != nil {
			return err
		}
		return printPlans(t, c.JSON, p)
	})
}
