package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"khatm/service/admin"
)

// migrate brings the tables to this version of the program.
type migrate struct {
	settings
	CopyTo string `placeholder:"DIR" help:"Folder for the copy of an SQLite database that is made first (the data folder)."`
}

// Run copies an SQLite database and then changes its tables.
func (c migrate) Run(t *console) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	show, end := t.bytesDone()
	u, err := admin.Migrate(ctx, config, admin.Precaution{
		Dir:      c.CopyTo,
		Progress: func(done, total int64) { show("copying", done, total) },
		Named: func(path string) {
			end()
			t.say("the database as it was is in %s; remove it when the new version has proved itself", full(path))
		},
	})
	end()
	switch {
	case err != nil:
		return err
	case u.From == u.To:
		t.say("the tables are of version %d already", u.To)
	default:
		t.say("the tables went from version %d to %d", u.From, u.To)
	}
	return nil
}
