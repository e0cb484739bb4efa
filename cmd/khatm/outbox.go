package main

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/admin"
)

// outboxCommands are the commands on letters.
type outboxCommands struct {
	List outboxList `cmd:"" default:"withargs" help:"List the letters, the newest first."`
	Show outboxShow `cmd:"" help:"Show a letter and what it says, which may open something: a code, a link."`
}

type outboxList struct {
	listing
	Most int `default:"100" placeholder:"N" help:"At most so many (${default})."`
}

func (c outboxList) Run(t *console) error {
	if c.Most < 1 {
		return fmt.Errorf("--most is %d; it is at least 1", c.Most)
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
			t.say("there are older ones: --most shows more than %d", c.Most)
		}
		if untried > 0 {
			t.say("%d wait and were never tried: khatm serve has no mail server (--smtp and --mail-from), or does not run; khatm outbox show ID shows what one says", untried)
		}
		return err
	})
}

type outboxShow struct {
	listing
	ID string `arg:"" help:"The letter; khatm outbox shows them."`
}

func (c outboxShow) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		l, err := a.OpenLetter(ctx, c.ID)
		if err != nil {
			return err
		}
		if !l.Kept {
			t.say("what it said is forgotten, for it is %s", l.State)
		}
		if c.JSON {
			return printJSON(t.out, l)
		}
		card := [][2]string{
			{"letter", l.ID.String()}, {"organisation", l.Organisation.String()}, {"to", l.To}, {"about", l.About}, {"language", l.Language},
			{"written", day(l.CreatedAt)}, {"of use until", day(l.Expires)}, {"state", l.State}, {"attempts", fmt.Sprint(l.Attempts)},
		}
		if l.SentAt != nil {
			card = append(card, [2]string{"sent", day(*l.SentAt)})
		}
		if l.NextAt != nil {
			card = append(card, [2]string{"tried from", day(*l.NextAt)})
		}
		card = append(card, [2]string{"problem", l.Problem}, [2]string{"subject", l.Subject})
		if err := printCard(t.out, card...); err != nil || !l.Kept {
			return err
		}
		_, err = fmt.Fprintf(t.out, "\n%s", printable(l.Text))
		return err
	})
}

// printable keeps a text of several lines from playing with the terminal.
func printable(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = oneLine(line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
