package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// Keeper keeps the queue.
type Keeper interface {
	// DueLetters claims letters that may be tried now: until the lease is over
	// nobody else is given them. A claim counts as an attempt.
	DueLetters(ctx context.Context, now time.Time, lease time.Duration, most int) ([]Letter, error)
	LetterSent(ctx context.Context, id uuid.UUID, at time.Time) error
	// LetterFailed records why an attempt came to nothing, and when to try
	// again; nil: never.
	LetterFailed(ctx context.Context, id uuid.UUID, problem string, next *time.Time) error
	// ExpireLetters gives up the letters that are of no use any more.
	ExpireLetters(ctx context.Context, now time.Time) error
}

// Vault opens what letters say.
type Vault interface {
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// Config is what a postman works with.
type Config struct {
	Keeper    Keeper
	Transport *Transport // nil: no server was named, and letters wait
	Vault     Vault
	From      netmail.Address
	Now       func() time.Time
	Log       *slog.Logger

	// Begin reports whether letters may be sent and given up, and Trusted whether
	// the time is right as far as is known: otherwise none is given up because of
	// its age. Both may be nil.
	Begin, Trusted func() bool
}

// Postman hands over the letters of the queue. A letter is sent at least once:
// who is killed between the server's yes and its record sends it again, with
// the same Message-ID.
type Postman struct {
	config Config
	counts counts
}

// New makes a postman. Nothing runs by itself.
func New(c Config) *Postman { return &Postman{config: c} }

const (
	hands = 4 // letters under way at a time
	// lease is longer than a letter waits for a free hand, and is then sent.
	lease = 3 * Timeout
	// grace is what a conversation under way is given when we are stopped.
	grace = 3 * time.Second
)

// Deliver is one round: it gives up what is of no use any more, and sends what
// is due. What goes wrong with one letter is recorded with it and keeps none of
// the others; the error is that of the queue.
func (p *Postman) Deliver(ctx context.Context) error {
	c := p.config
	if c.Begin != nil && !c.Begin() {
		return nil
	}
	if c.Trusted == nil || c.Trusted() {
		if err := c.Keeper.ExpireLetters(ctx, c.Now()); err != nil {
			return fmt.Errorf("expire letters: %w", err)
		}
	}
	if p.config.Transport == nil {
		return nil
	}
	var group errgroup.Group
	group.SetLimit(hands)
	failed := p.hand(ctx, &group)
	return errors.Join(failed, group.Wait())
}

// hand gives the letters that are due to whoever is free, until there are none.
func (p *Postman) hand(ctx context.Context, to *errgroup.Group) error {
	for ctx.Err() == nil {
		due, err := p.config.Keeper.DueLetters(ctx, p.config.Now(), lease, hands)
		if err != nil {
			return fmt.Errorf("claim letters: %w", err)
		}
		for _, l := range due {
			to.Go(func() error { return p.deliver(ctx, l) })
		}
		if len(due) < hands {
			return nil
		}
	}
	return nil
}

// deliver sends a letter and records what came of it, even while we are being
// stopped: a letter that was sent and is not recorded is sent twice.
func (p *Postman) deliver(ctx context.Context, l Letter) error {
	sending, cancel := lingering(ctx, grace)
	defer cancel()
	err := p.send(sending, l)
	recording, now := context.WithoutCancel(ctx), p.config.Now()
	if err == nil {
		p.counts.sent.Add(1)
		if err := p.config.Keeper.LetterSent(recording, l.ID, now); err != nil {
			return fmt.Errorf("record that letter %s was sent: %w", l.ID, err)
		}
		return nil
	}
	var f *Failure
	if !errors.As(err, &f) {
		f = &Failure{Step: atMessage, says: err.Error()}
	}
	var next *time.Time
	if !f.Final {
		at := now.Add(backoff(l.Attempts))
		next = &at
	}
	p.note(l, f)
	if err := p.config.Keeper.LetterFailed(recording, l.ID, f.Error(), next); err != nil {
		return fmt.Errorf("record that letter %s was not sent: %w", l.ID, err)
	}
	return nil
}

// note counts and logs a failure. The server's words and the address stay out
// of the log: they are with the letter.
func (p *Postman) note(l Letter, f *Failure) {
	what, count := "a letter was not sent", &p.counts.failed
	if f.Final {
		what, count = "a letter was refused", &p.counts.refused
	}
	count.Add(1)
	p.config.Log.Warn(what, "letter", l.ID.String(), "about", l.About, "attempt", l.Attempts, "step", f.Step, "code", f.Code)
}

// send opens a letter and hands it over.
func (p *Postman) send(ctx context.Context, l Letter) error {
	text, err := Open(p.config.Vault, l)
	if err != nil {
		return err
	}
	now := p.config.Now()
	if !now.Before(l.Expires) { // it waited for a free hand
		return &Failure{Step: atMessage, says: "it was of no use any more before it could be sent"}
	}
	m := Message{ID: l.ID, From: p.config.From, To: l.To, At: now, Language: l.Language, Text: text}
	bytes, err := m.Bytes()
	if err != nil {
		return &Failure{Step: atMessage, Final: true, says: err.Error()}
	}
	return p.config.Transport.Send(ctx, p.config.From.Address, l.To, bytes)
}

// Open opens what a letter says.
func Open(v Vault, l Letter) (Text, error) {
	plain, err := v.Open(Purpose, l.ID.String(), l.Sealed)
	if err != nil {
		return Text{}, err
	}
	defer clear(plain)
	var t Text
	if json.Unmarshal(plain, &t) != nil { // whose error may quote the text
		return Text{}, &Failure{Step: atMessage, Final: true, says: "what the letter says cannot be read"}
	}
	return t, nil
}

// firstRetry is how long to wait after the first attempt. It doubles each time.
const firstRetry = 10 * time.Second

// MostRetry is the longest time between attempts.
const MostRetry = 5 * time.Minute

// backoff is how long to wait after so many attempts.
func backoff(attempts int) time.Duration {
	wait := firstRetry
	for range attempts - 1 {
		if wait *= 2; wait >= MostRetry {
			return MostRetry
		}
	}
	return wait
}

// lingering is a context that ends a little after its parent.
func lingering(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		timer := time.AfterFunc(after, cancel)
		context.AfterFunc(ctx, func() { timer.Stop() })
	})
	return ctx, func() { stop(); cancel() }
}
