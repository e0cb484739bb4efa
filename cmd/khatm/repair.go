package main

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/admin"
)

// repair repairs damaged documents.
type repair struct {
	listing
	Archive string `env:"KHATM_ARCHIVE" placeholder:"LOCATION" help:"Archive to repair from (default: the archive that the servers of this installation use)."`
	Known   bool   `help:"Only repair documents that are known to be damaged, without checking all documents first."`
	Rate    int    `default:"200" placeholder:"N" help:"Documents per second to check (default ${default})."`
}

// Run finds damaged documents and repairs them.
func (c repair) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		check, checked := t.bar()
		read, end := t.progress("lines of the archive read")
		done, err := a.Repair(ctx, admin.Repair{
			Location: c.Archive, Known: c.Known, Rate: c.Rate,
			Checked: func(done, total int) { check(int64(done), int64(total)) },
			Read: func(lines int64) {
				checked()
				read(lines)
			},
		})
		checked()
		end()
		if len(done.Repaired)+len(done.Damaged) > 0 || err == nil {
			c.print(t, done)
		}
		if err == nil && len(done.Damaged) > 0 {
			err = someFailed
		}
		return err
	})
}

func (c repair) print(t *console, done admin.Repaired) {
	if c.JSON {
		_ = printJSON(t.out, done) // standard output is gone, so there is nowhere to report the error
		return
	}
	for _, d := range done.Repaired {
		fmt.Fprintf(t.out, "repaired: invoice %s (%s) of organisation %s: %s\n", d.Invoice, d.Number, d.Organisation, strings.Join(d.What, ", "))
	}
	for _, d := range done.Damaged {
		fmt.Fprintf(t.out, "still damaged: %s\n", d)
	}
	if done.Checked > 0 {
		fmt.Fprintf(t.out, "%d documents checked, ", done.Checked)
	}
	fmt.Fprintf(t.out, "%d repaired, %d still damaged\n", len(done.Repaired), len(done.Damaged))
	if done.Archive != "" {
		t.say("%s", done.Archive)
	}
	if len(done.Damaged) > 0 {
		t.say("the archive has no copy of them that matches their digests, or the database cannot read them: restore the last backup and enter the later documents with khatm recover --archive")
	}
}
