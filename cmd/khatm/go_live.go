package main

import (
	"context"
	"errors"
	"os"

	"khatm/service"
	"khatm/service/admin"
)

// toMasterKeyVariable is the environment variable for the master keys of the new
// installation.
const toMasterKeyVariable = "KHATM_TO_MASTER_KEY"

// goLive copies an organisation into a new installation.
type goLive struct {
	settings
	Org             string `placeholder:"ID" help:"Organisation ID; see khatm org list. Not needed if there is only one."`
	To              string `required:"" placeholder:"DIR" help:"Data folder of the new installation. It is created if it does not exist."`
	ToDatabase      string `env:"KHATM_TO_DATABASE" placeholder:"URL" help:"PostgreSQL database of the new installation (default: an SQLite database in its data folder). Set a password in KHATM_TO_DATABASE."`
	ToBlob          string `env:"KHATM_TO_BLOB" placeholder:"LOCATION" help:"Where pictures and other uploaded files of the new installation are, as --blob (default: its data folder)."`
	ToMasterKeyFile string `env:"KHATM_TO_MASTER_KEY_FILE" placeholder:"FILE" help:"File with the master keys of the new installation (default: master.key in its data folder). KHATM_TO_MASTER_KEY can hold the keys themselves."`
	Authority       string `required:"" enum:"sandbox,simulation,production" placeholder:"NAME" help:"The authority's environment of the new installation, which cannot be changed later: sandbox, simulation or production."`
	JSON            bool   `help:"Print the result as JSON."`
}

// Run copies the organisation and prints what was copied.
func (c goLive) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		to, err := c.target()
		if err != nil {
			return err
		}
		show, end := t.progress("records copied")
		moved, err := a.GoLive(ctx, to, admin.Move{Organisation: c.Org, Environment: c.Authority, Progress: func(n int) { show(int64(n)) }})
		end()
		if err != nil {
			return err
		}
		return c.explain(t, to, moved)
	})
}

// target returns the configuration of the new installation.
func (c goLive) target() (admin.Config, error) {
	config, err := settings{Data: c.To}.config()
	if err != nil {
		return config, err
	}
	key := os.Getenv(toMasterKeyVariable)
	if key != "" && c.ToMasterKeyFile != "" {
		return config, errors.New("both --to-master-key-file and " + toMasterKeyVariable + " are set: use only one")
	}
	config.Database, config.Blob, config.MasterKeyFile, config.MasterKey = c.ToDatabase, c.ToBlob, c.ToMasterKeyFile, service.NewSecret(key)
	return config, nil
}

// explain prints what was copied, what was not, and what to do next.
func (c goLive) explain(t *console, to admin.Config, m admin.Moved) error {
	if c.JSON {
		return printJSON(t.out, m)
	}
	err := printTable(t.out, false, m.Records, "records, copied, already there", func(k admin.MovedKind) []any {
		return []any{k.Kind, k.Copied, k.Present}
	})
	if err != nil {
		return err
	}
	if m.MissingFiles > 0 {
		t.say("%d pictures are missing in the files of the old installation and were left out", m.MissingFiles)
	}
	t.say("%s was copied into %s for the authority's %s environment. Members sign in with the same password and second factor.", m.Organisation.Name, full(c.To), m.Environment)
	t.say("Not copied: invoices, their numbers, earlier invoices, drafts, payments, devices, API keys, sessions, invitations, links, e-mails, saved views and the audit trail. The first invoice has the number 1.")
	t.say("Records that were already there stayed unchanged. The command can be repeated until the first invoice is issued.")
	t.say("Next: stop the old server, or choose another --addr, and run khatm serve --data %s --authority %s", quoted(c.To), c.Authority)
	if c.ToDatabase != "" {
		t.say("Set KHATM_DATABASE to the new database before you run it.")
	}
	if c.ToBlob != "" {
		t.say("Set KHATM_BLOB to the new location of pictures as well.")
	}
	t.say("Then create and onboard devices, and create API keys, in the app or with khatm device create, khatm device onboard and khatm key create. Give the new keys to the connected programs; the ids of clients, items and reasons are the same.")
	if _, err := os.Stat(to.KeyPlace()); err == nil {
		t.say("Keep a copy of the master key in %s, apart from the database.", to.KeyPlace())
	}
	return nil
}
