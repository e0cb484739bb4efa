package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// Letter is a letter as commands show it: everything but what it says.
type Letter struct {
	ID           uuid.UUID  `json:"uuid"`
	Organisation uuid.UUID  `json:"organisation"`
	To           string     `json:"to"`
	Language     string     `json:"language"`
	About        string     `json:"about"`
	State        string     `json:"state"`
	Attempts     int        `json:"attempts"`
	Problem      string     `json:"problem"`
	CreatedAt    time.Time  `json:"created_at"`
	Expires      time.Time  `json:"expires_at"`
	NextAt       *time.Time `json:"next_at"` // when it is tried; nil: never again
	SentAt       *time.Time `json:"sent_at"`
	Untried      bool       `json:"untried"` // it is due, and no server has taken it up
}

// OpenedLetter is a letter with what it says, as far as that is still kept.
type OpenedLetter struct {
	Letter
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Kept    bool   `json:"kept"` // false: it has come to an end, and what it said is forgotten
}

// untriedAfter is when a letter would have been tried by a server that has
// somewhere to send it: they look every second.
const untriedAfter = 5 * time.Second

// noServer is what is wrong with a letter that nobody takes up.
const noServer = "not tried: no mail server is configured (khatm serve --smtp), or khatm serve does not run"

func (a *Admin) letterOf(l mail.Letter) Letter {
	shown := Letter{
		ID: l.ID, Organisation: l.Of.ID(), To: l.To, Language: l.Language, About: l.About, State: string(l.State), Attempts: l.Attempts,
		Problem: l.Problem, CreatedAt: riyadh(l.CreatedAt), Expires: riyadh(l.Expires),
	}
	if l.SentAt != nil {
		at := riyadh(*l.SentAt)
		shown.SentAt = &at
	}
	if l.State != mail.Queued {
		return shown
	}
	next := riyadh(l.NextAt)
	shown.NextAt = &next
	if l.Attempts == 0 && a.config.Now().Sub(l.NextAt) > untriedAfter {
		shown.Untried, shown.Problem = true, noServer
	}
	return shown
}

// Letters lists the letters, the newest first, but no more than so many.
func (a *Admin) Letters(ctx context.Context, most int) (letters []Letter, more bool, err error) {
	kept, err := a.store.AllLetters(ctx, org.Page{Number: 1, Size: most})
	return listed(kept.Rows, a.letterOf), kept.Next != uuid.Nil, err
}

// OpenLetter opens what a letter says, with the master key.
func (a *Admin) OpenLetter(ctx context.Context, id string) (OpenedLetter, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return OpenedLetter{}, noLetter(id)
	}
	l, err := a.store.AnyLetter(ctx, parsed)
	if fault.KindOf(err) == fault.NotFound {
		return OpenedLetter{}, noLetter(id)
	}
	if err != nil {
		return OpenedLetter{}, err
	}
	shown := OpenedLetter{Letter: a.letterOf(l), Kept: len(l.Sealed) > 0}
	if !shown.Kept {
		return shown, nil
	}
	ring, err := a.ring(ctx)
	if err != nil {
		return OpenedLetter{}, err
	}
	text, err := mail.Open(ring, l)
	shown.Subject, shown.Text = text.Subject, text.Body
	return shown, err
}

func noLetter(id string) error {
	return fmt.Errorf("there is no letter %q: khatm outbox shows them", id)
}
