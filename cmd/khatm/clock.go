package main

import (
	"context"
	"errors"
	"fmt"

	"khatm/service/admin"
)

// clockCommands are the commands on the clock that dates documents.
type clockCommands struct {
	Accept  clockAccept  `cmd:"" help:"Confirm that this machine's clock is right. Servers that stopped issuing because of a clock jump or a difference from the authority's clock then resume."`
	Release clockRelease `cmd:"" help:"Let devices issue with the current time although their last document is dated in the future."`
}

type clockAccept struct{ settings }

func (c clockAccept) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		at, err := a.AcceptClock(ctx)
		if err == nil {
			t.say("accepted: it is %s in Riyadh; running servers whose clock is within 10 minutes of that resume issuing within a second", at.Format("2006-01-02 15:04:05"))
		}
		return err
	})
}

type clockRelease struct {
	listing
	Device string `placeholder:"ID" help:"Device ID. The number series of its organisation are released too; khatm doctor lists the devices that need it."`
	All    bool   `help:"Release every device and number series that needs it."`
}

func (c clockRelease) Run(t *console) error {
	if (c.Device != "") == c.All {
		return errors.New("give either --device ID or --all")
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		release := func() ([]admin.Ahead, error) { return a.ReleaseClock(ctx, c.Device) }
		if c.All {
			release = func() ([]admin.Ahead, error) { return a.ReleaseClocks(ctx) }
		}
		freed, err := release()
		return c.show(t, freed, err)
	})
}

// show prints what was released, also if err is not nil: releases before the
// error stay in effect.
func (c clockRelease) show(t *console, freed []admin.Ahead, err error) error {
	if len(freed) == 0 {
		if err == nil {
			t.say("nothing to release: by this machine's clock, no device's last document is dated in the future")
		}
		return err
	}
	return errors.Join(err, printTable(t.out, c.JSON, freed, "released, last dated", func(f admin.Ahead) []any {
		if f.Device == nil {
			return []any{"series " + f.Series, f.Year}
		}
		return []any{fmt.Sprintf("device %s (%s)", f.Device, f.Name), f.LastIssuedAt.Format("2006-01-02 15:04")}
	}))
}
