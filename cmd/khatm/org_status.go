package main

import (
	"context"
	"errors"

	"khatm/service/admin"
)

type orgSuspend struct {
	settings
	orgID
}

func (c orgSuspend) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		o, err := a.Suspend(ctx, c.ID)
		if err == nil {
			t.say("%s is suspended: its calls are refused with 403; to undo: khatm org activate %s", o.Name, o.ID)
		}
		return err
	})
}

type orgActivate struct {
	settings
	orgID
}

func (c orgActivate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		o, err := a.Activate(ctx, c.ID)
		if err == nil {
			t.say("%s is active", o.Name)
		}
		return err
	})
}

type orgDeactivate struct {
	settings
	orgID
	Yes bool `help:"Confirm the deactivation."`
}

func (c orgDeactivate) Run(t *console) error {
	if !c.Yes {
		return errors.New("all keys of the organisation would stop working at once, like unknown keys: add --yes to confirm")
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		o, err := a.Deactivate(ctx, c.ID)
		if err == nil {
			t.say("%s is deactivated: its keys are refused with 401; to undo: khatm org activate %s", o.Name, o.ID)
		}
		return err
	})
}
