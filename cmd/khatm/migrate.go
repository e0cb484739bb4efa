package main

import (
	"context"
	"fmt"
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

// Run copies an SQLite database, changes its tables and then verifies documents
// that have no digests. A run that was stopped is finished by the next one.
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
	return digestDocuments(ctx, t, config)
}

// digestDocuments verifies the documents from before documents had digests.
func digestDocuments(ctx context.Context, t *console, config admin.Config) error {
	show, end := t.bar()
	found, err := admin.DigestDocuments(ctx, config, func(done, total int) { show(int64(done), int64(total)) })
	end()
	if err != nil {
		return fmt.Errorf("verify the stored documents: %w", err)
	}
	t.sayVerified(found)
	if len(found.Damaged) == 0 {
		return nil
	}
	t.say("the server neither shows nor sends the damaged documents; restore them from a backup, then run khatm migrate again")
	return someFailed
}

// sayVerified says how many documents from before documents had digests were
// verified, and names the damaged ones.
func (c *console) sayVerified(found admin.Checked) {
	if found.Documents > 0 {
		c.say("%d stored documents were verified, %d of them are damaged", found.Documents, len(found.Damaged))
	}
	for _, d := range found.Damaged {
		fmt.Fprintln(c.out, d)
	}
}
