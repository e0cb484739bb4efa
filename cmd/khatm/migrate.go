package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"khatm/service/admin"
)

// migrate brings the tables to this version of the program.
type migrate struct{ settings }

func (c migrate) Run(t *console) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	from, to, err := admin.Migrate(ctx, config)
	switch {
	case err != nil:
		return err
	case from == to:
		t.say("the tables are of version %d already", to)
	default:
		t.say("the tables went from version %d to %d", from, to)
	}
	return nil
}
