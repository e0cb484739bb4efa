package main

import (
	"context"

	"khatm/service/admin"
)

// reasonCommands are the commands on the reasons that invoices refer to.
type reasonCommands struct {
	Create  reasonCreate  `cmd:"" help:"Add a reason, and print its id."`
	List    reasonList    `cmd:"" help:"List an organisation's reasons."`
	Disable reasonDisable `cmd:"" help:"Let no new invoice refer to a reason."`
	Enable  reasonEnable  `cmd:"" help:"Let new invoices refer to a reason again."`
}

type reasonCreate struct {
	settings
	ofOrganisation
	Description string `arg:"" help:"What becomes the payment terms, or why a note is issued."`
	JSON        bool   `help:"Print the record as JSON instead of its id."`
}

func (c reasonCreate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateReason(ctx, c.Org, c.Description)
		if err != nil {
			return err
		}
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

type reasonList struct {
	listing
	ofOrganisation
}

func (c reasonList) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		all, err := a.Reasons(ctx, c.Org)
		if err != nil {
			return err
		}
		return printTable(t.out, c.JSON, all, "id, state, description", func(r admin.Reason) []any {
			state := "active"
			if !r.Active {
				state = "disabled"
			}
			return []any{r.ID, state, r.Description}
		})
	})
}

// oneReason names a reason of an organisation.
type oneReason struct {
	settings
	ofOrganisation
	ID string `arg:"" help:"The reason; khatm reason list shows them."`
}

type reasonDisable struct{ oneReason }

func (c reasonDisable) Run(t *console) error {
	return c.set(t, false, "no new invoice can refer to it")
}

type reasonEnable struct{ oneReason }

func (c reasonEnable) Run(t *console) error { return c.set(t, true, "new invoices can refer to it") }

func (c oneReason) set(t *console, active bool, means string) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.SetReason(ctx, c.Org, c.ID, active)
		if err == nil {
			t.say("%s", means)
		}
		return err
	})
}
