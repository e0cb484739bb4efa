package main

import (
	"context"
	"fmt"

	"khatm/service/admin"
)

// migrate upgrades the database to this version of khatm.
type migrate struct {
	settings
	CopyTo string `placeholder:"DIR" help:"Folder for the copy of an SQLite database that is made before the upgrade (default: the data folder)."`
}

// Run copies an SQLite database, upgrades its tables and then verifies documents
// that have no digests. After an interruption the next run continues.
func (c migrate) Run(t *console) error {
	return c.withConfig(func(ctx context.Context, config admin.Config) error {
		show, end := t.bytesDone()
		u, err := admin.Migrate(ctx, config, admin.Precaution{
			Dir:      c.CopyTo,
			Progress: func(done, total int64) { show("copying", done, total) },
			Named: func(path string) {
				end()
				t.say("copied the old database to %s; remove the copy when you are sure of the new version", full(path))
			},
		})
		end()
		switch {
		case err != nil:
			return err
		case u.From == u.To:
			t.say("the database already has version %d", u.To)
		default:
			t.say("database upgraded from version %d to %d", u.From, u.To)
		}
		return digestDocuments(ctx, t, config)
	})
}

// digestDocuments verifies documents that have no digests, because an older
// version stored them, and stores their digests.
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
	t.say("the server does not show or send damaged documents; restore them from a backup, then run khatm migrate again")
	return someFailed
}

// sayVerified prints how many documents without digests were verified, and the
// damaged ones.
func (c *console) sayVerified(found admin.Checked) {
	if found.Documents > 0 {
		c.say("%d stored documents were verified, %d of them are damaged", found.Documents, len(found.Damaged))
	}
	for _, d := range found.Damaged {
		fmt.Fprintln(c.out, d)
	}
}
