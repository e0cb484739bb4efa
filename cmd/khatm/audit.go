package main

import (
	"context"
	"fmt"

	"khatm/service/admin"
)

// auditCommands are the commands that prove what is kept.
type auditCommands struct {
	Trail auditTrail `cmd:"" help:"Prove that nothing in the audit trail was changed, dropped, added or cut off."`
}

type auditTrail struct{ listing }

func (c auditTrail) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		show, end := t.progress("entries proved")
		trail, err := a.ProveTrail(ctx, show)
		end()
		if err != nil {
			return err
		}
		if c.JSON {
			if err := printJSON(t.out, trail); err != nil || trail.Sound {
				return err
			}
			return someFailed
		}
		if !trail.Sound {
			return fmt.Errorf("the audit trail is broken after %d sound entries: %s", trail.Entries, trail.Problem)
		}
		fmt.Fprintf(t.out, "%d entries: nothing was changed, dropped, added or moved\n", trail.Entries)
		switch {
		case trail.Entries == 0:
			t.say("entries are linked by the server, once it runs")
		case trail.Head == 0:
			t.say("whether the end was cut off cannot be told: no head is kept in this data folder")
		default:
			fmt.Fprintf(t.out, "the head kept outside the database is entry %d, and fits\n", trail.Head)
		}
		return nil
	})
}
