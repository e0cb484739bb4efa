package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"khatm/service/admin"
)

// auditCommands are the commands that verify stored data.
type auditCommands struct {
	Documents auditDocuments `cmd:"" default:"withargs" help:"Prove that no document was lost, sent twice, changed or forked: counters, chains, stamps, verdicts, numbers and usage."`
	Trail     auditTrail     `cmd:"" help:"Prove that no entry of the audit trail was changed, removed, inserted or cut off."`
}

type auditDocuments struct {
	listing
	Journal       string        `placeholder:"FILE" help:"Compare the simulator's journal with the stored documents. Stop all traffic first."`
	ClientJournal string        `placeholder:"FILE" help:"Compare a journal written by clients with the stored documents."`
	Sole          bool          `help:"Report documents that belong to no request of --client-journal. Use it if no other client used these devices."`
	Overdue       time.Duration `placeholder:"TIME" help:"Report documents that have waited longer than this for an answer, such as 24h."`
	Scrub         bool          `help:"Only compare every stored document with its digests, at a limited rate."`
	Rate          int           `default:"200" placeholder:"N" help:"Documents per second that --scrub checks (default ${default})."`
}

func (c auditDocuments) Run(t *console) (err error) {
	if c.Scrub {
		return c.scrub(t)
	}
	p := admin.Proof{Sole: c.Sole, Overdue: c.Overdue}
	for _, journal := range []struct {
		path string
		into *io.Reader
	}{{c.Journal, &p.Authority}, {c.ClientJournal, &p.Clients}} {
		if journal.path == "" {
			continue
		}
		file, err := os.Open(journal.path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // read only
		*journal.into = file
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		show, end := t.bar()
		p.Progress = show
		report, err := a.Audit(ctx, p)
		end()
		switch {
		case err != nil:
			return err
		case c.JSON:
			err = printJSON(t.out, report)
		default:
			err = report.Print(t.out)
		}
		if err == nil && !report.Sound() {
			err = someFailed
		}
		return err
	})
}

// scrub checks the digests of all documents and prints the damaged ones.
func (c auditDocuments) scrub(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		show, end := t.bar()
		found, err := a.Scrub(ctx, c.Rate, func(done, total int) { show(int64(done), int64(total)) })
		end()
		if err != nil {
			return err
		}
		if c.JSON {
			err = printJSON(t.out, found)
		} else {
			for _, d := range found.Damaged {
				fmt.Fprintln(t.out, d)
			}
			fmt.Fprintf(t.out, "%d documents checked, %d damaged\n", found.Documents, len(found.Damaged))
		}
		if err == nil && len(found.Damaged) > 0 {
			if !c.JSON {
				t.say("the server does not show or send damaged documents; repair them with khatm repair if there is an archive, otherwise restore them from a backup")
			}
			err = someFailed
		}
		return err
	})
}

type auditTrail struct{ listing }

func (c auditTrail) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		show, end := t.progress("entries verified")
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
			return fmt.Errorf("the audit trail is broken after %d valid entries: %s", trail.Entries, trail.Problem)
		}
		fmt.Fprintf(t.out, "%d entries: nothing was changed, removed, inserted or moved\n", trail.Entries)
		switch {
		case trail.Entries == 0:
			t.say("no entry is linked yet: the server links entries while it runs")
		case trail.Head == 0:
			t.say("cannot check whether the end was cut off: this data folder has no head of the trail")
		default:
			fmt.Fprintf(t.out, "the head stored outside the database is entry %d and matches\n", trail.Head)
		}
		return nil
	})
}
