package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/google/uuid"

	"khatm/service/admin"
)

// exportPeriod writes the documents of a period for an auditor.
type exportPeriod struct {
	settings
	From string    `required:"" placeholder:"DATE" help:"First issue date, such as 2026-01-01 (Riyadh time)."`
	To   string    `required:"" placeholder:"DATE" help:"Last issue date, such as 2026-03-31."`
	Org  uuid.UUID `placeholder:"ID" help:"Organisation ID; see khatm org list (default: all that issued documents in the period)."`
	Dir  string    `arg:"" help:"Folder to write. It must be empty or not exist."`
}

// Run writes the export.
func (c exportPeriod) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		show, end := t.bar()
		done, err := a.Export(ctx, admin.Export{From: c.From, To: c.To, Organisation: c.Org, Program: version, Progress: show}, c.Dir)
		end()
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "%s: %d documents of %d organisations, issued from %s to %s\n", c.Dir, done.Documents, done.Organisations, c.From, c.To)
		fmt.Fprintf(t.out, "SHA-256 of the manifest: %s\n", done.Digest)
		fmt.Fprintf(t.out, "To verify: sh %s --manifest %s\n", quoted(filepath.Join(c.Dir, "verify.sh")), done.Digest)
		t.say("Send the digest to the auditor apart from the folder. The folder contains personal data.")
		return nil
	})
}
