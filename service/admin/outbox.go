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

// Letter is an e-mail without its text.
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
	NextAt       *time.Time `json:"next_at"` // next attempt; nil for none
	SentAt       *time.Time `json:"sent_at"`
	Untried      bool       `json:"untried"` // due, but no server has tried to send it
}

// OpenedLetter is an e-mail with its text, if that is still stored.
type OpenedLetter struct {
	Letter
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Kept    bool   `json:"kept"` // whether the text is stored; it is deleted when the e-mail is sent, refused or expired
}

// untriedAfter is the time after which a due e-mail counts as untried: a server
// with a mail server looks for due e-mails every second.
const untriedAfter = 5 * time.Second

// noServer is the problem of an untried e-mail.
const noServer = "not tried: no mail server is configured (khatm serve --smtp), or khatm serve is not running"

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

// Letters returns up to most e-mails, newest first, and whether there are more.
func (a *Admin) Letters(ctx context.Context, most int) (letters []Letter, more bool, err error) {
	kept, err := a.store.AllLetters(ctx, org.Page{Number: 1, Size: most})
	return convert(kept.Rows, a.letterOf), kept.Next != uuid.Nil, err
}

// OpenLetter returns an e-mail with its text, which it decrypts with the master
// key.
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
	return fmt.Errorf("there is no e-mail %q: see khatm outbox", id)
}
