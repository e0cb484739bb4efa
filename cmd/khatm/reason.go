package main

import (
	"context"

	"khatm/service/admin"
)

// reasonCommands are the commands on the reasons that invoices and notes refer to.
type reasonCommands struct {
	Create  reasonCreate  `cmd:"" help:"Create a reason, and print its id."`
	List    reasonList    `cmd:"" help:"List an organisation's reasons."`
	Disable reasonDisable `cmd:"" help:"Disable a reason: new invoices cannot refer to it."`
	Enable  reasonEnable  `cmd:"" help:"Enable a reason: new invoices can refer to it again."`
}

type reasonCreate struct {
	settings
	ofOrganisation
	Description string `arg:"" help:"Text of the reason: payment terms, or why a note is issued."`
	DueDays     *int   `placeholder:"DAYS" help:"Days from the issue until an invoice with this reason is due, 0 to 365; 0 prints no due date. Default: the setting of the organisation."`
	JSON        bool   `help:"Print the record as JSON instead of its id."`
}

func (c reasonCreate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateReason(ctx, c.Org, c.Description, c.DueDays)
		if err != nil {
			return err
		}
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

type reasonList struct{ orgListing }

func (c reasonList) Run(t *console) error {
	return printOrgList(t, c.orgListing, (*admin.Admin).Reasons, "id, state, description", func(r admin.Reason) []any {
		state := "active"
		if !r.Active {
			state = "disabled"
		}
		return []any{r.ID, state, r.Description}
	})
}

// oneReason holds the arguments of commands on one reason.
type oneReason struct {
	settings
	ofOrganisation
	ID string `arg:"" help:"Reason ID; see khatm reason list."`
}

type reasonDisable struct{ oneReason }

func (c reasonDisable) Run(t *console) error {
	return c.set(t, false, "no new invoice can refer to it")
}

type reasonEnable struct{ oneReason }

func (c reasonEnable) Run(t *console) error { return c.set(t, true, "new invoices can refer to it") }

func (c oneReason) set(t *console, active bool, effect string) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.SetReason(ctx, c.Org, c.ID, active)
		if err == nil {
			t.say("%s", effect)
		}
		return err
	})
}
