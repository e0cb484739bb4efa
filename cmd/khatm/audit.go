package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"khatm/service/admin"
)

// auditCommands are the commands that prove what is kept.
type auditCommands struct {
	Documents auditDocuments `cmd:"" default:"withargs" help:"Prove that no document was lost, sent twice, changed or forked: counters, chains, stamps, verdicts, numbers and usage."`
	Trail     auditTrail     `cmd:"" help:"Prove that nothing in the audit trail was changed, dropped, added or cut off."`
}

type auditDocuments struct {
	listing
	Journal       string        `placeholder:"FILE" help:"Hold the journal of the simulator against what is kept; both must be quiet."`
	ClientJournal string        `placeholder:"FILE" help:"Hold a journal of clients against what is kept."`
	Sole          bool          `help:"The clients of the journal were the only ones to create documents on their devices."`
	Overdue       time.Duration `placeholder:"TIME" help:"How long a document may be without an answer, such as 24h."`
	Scrub         bool          `help:"Only read every stored document and compare it with its digest, at a bounded rate."`
	Rate          int           `default:"200" placeholder:"N" help:"Documents a second that --scrub checks (default 200)."`
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
		defer func() { _ = file.Close() }() // was only read
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

// scrub checks the digests of all documents and names those that are damaged.
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
				t.say("the server neither shows nor sends the damaged documents; restore them from a backup")
			}
			err = someFailed
		}
		return err
	})
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
