package main

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/admin"
)

// outboxCommands are the commands on e-mails.
type outboxCommands struct {
	List outboxList `cmd:"" default:"withargs" help:"List e-mails, newest first."`
	Show outboxShow `cmd:"" help:"Show an e-mail with its text. The text may contain a secret code or link."`
}

type outboxList struct {
	listing
	Most int `default:"100" placeholder:"N" help:"Maximum number of e-mails to list (default ${default})."`
}

func (c outboxList) Run(t *console) error {
	if c.Most < 1 {
		return fmt.Errorf("--most is %d; it must be at least 1", c.Most)
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		letters, more, err := a.Letters(ctx, c.Most)
		if err != nil {
			return err
		}
		untried := 0
		for _, l := range letters {
			if l.Untried {
				untried++
			}
		}
		err = printTable(t.out, c.JSON, letters, "id, when, to, about, state, attempts, problem", func(l admin.Letter) []any {
			return []any{l.ID, day(l.CreatedAt), l.To, l.About, l.State, l.Attempts, l.Problem}
		})
		if more {
			t.say("only the newest %d are listed; --most lists more", c.Most)
		}
		if untried > 0 {
			t.say("%d queued e-mails were never tried: khatm serve has no mail server (--smtp and --mail-from) or is not running; khatm outbox show ID prints the text of one", untried)
		}
		return err
	})
}

type outboxShow struct {
	listing
	ID string `arg:"" help:"E-mail ID; see khatm outbox."`
}

func (c outboxShow) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		l, err := a.OpenLetter(ctx, c.ID)
		if err != nil {
			return err
		}
		if !l.Kept {
			t.say("the text was deleted because the e-mail is %s", l.State)
		}
		if c.JSON {
			return printJSON(t.out, l)
		}
		card := [][2]string{
			{"e-mail", l.ID.String()}, {"organisation", l.Organisation.String()}, {"to", l.To}, {"about", l.About}, {"language", l.Language},
			{"created", day(l.CreatedAt)}, {"expires", day(l.Expires)}, {"state", l.State}, {"attempts", fmt.Sprint(l.Attempts)},
		}
		if l.SentAt != nil {
			card = append(card, [2]string{"sent", day(*l.SentAt)})
		}
		if l.NextAt != nil {
			card = append(card, [2]string{"next attempt", day(*l.NextAt)})
		}
		card = append(card, [2]string{"problem", l.Problem}, [2]string{"subject", l.Subject})
		if err := printCard(t.out, card...); err != nil || !l.Kept {
			return err
		}
		_, err = fmt.Fprintf(t.out, "\n%s", printable(l.Text))
		return err
	})
}

// printable replaces the control characters in a text except line feeds, so that
// it cannot control the terminal.
func printable(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = oneLine(line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
