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

// Keeper stores the queue.
type Keeper interface {
	// DueLetters claims e-mails that may be sent now. No other process gets
	// them until the lease ends. A claim counts as an attempt.
	DueLetters(ctx context.Context, now time.Time, lease time.Duration, most int) ([]Letter, error)
	LetterSent(ctx context.Context, id uuid.UUID, at time.Time) error
	// LetterFailed records why an attempt failed, and when to try again. If
	// next is nil, the e-mail is not tried again.
	LetterFailed(ctx context.Context, id uuid.UUID, problem string, next *time.Time) error
	// ExpireLetters sets the state of e-mails that have expired, and deletes
	// their texts.
	ExpireLetters(ctx context.Context, now time.Time) error
}

// Vault decrypts the texts of e-mails.
type Vault interface {
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// Config configures a Postman.
type Config struct {
	Keeper    Keeper
	Transport *Transport // nil if no mail server is configured; e-mails then stay queued
	Vault     Vault
	From      netmail.Address
	Now       func() time.Time
	Log       *slog.Logger

	// Begin reports whether e-mails may be sent and expired now. Trusted
	// reports whether the clock is trusted; if not, no e-mail expires. Both may
	// be nil.
	Begin, Trusted func() bool
}

// Postman sends the e-mails of the queue. An e-mail is sent at least once: if
// the process is killed after the server accepted an e-mail and before that is
// recorded, the e-mail is sent again with the same Message-ID.
type Postman struct {
	config Config
	counts counts
}

// New returns a Postman. It starts no goroutines.
func New(c Config) *Postman { return &Postman{config: c} }

const (
	concurrency = 4 // e-mails sent concurrently
	// lease is longer than sending a claimed e-mail may take, including the wait
	// for a free slot.
	lease = 3 * Timeout
	// grace is the time left to a running session when the server is stopped.
	grace = 3 * time.Second
)

// Deliver runs one round: it expires old e-mails and sends those that are due.
// The failure of one e-mail is recorded with it and does not affect the others;
// the returned error concerns the queue itself.
func (p *Postman) Deliver(ctx context.Context) error {
	c := p.config
	if c.Begin != nil && !c.Begin() {
		return nil
	}
	if c.Trusted == nil || c.Trusted() {
		if err := c.Keeper.ExpireLetters(ctx, c.Now()); err != nil {
			return fmt.Errorf("expire e-mails: %w", err)
		}
	}
	if p.config.Transport == nil {
		return nil
	}
	var group errgroup.Group
	group.SetLimit(concurrency)
	failed := p.sendDue(ctx, &group)
	return errors.Join(failed, group.Wait())
}

// sendDue sends due e-mails concurrently until there are none left.
func (p *Postman) sendDue(ctx context.Context, to *errgroup.Group) error {
	for ctx.Err() == nil {
		due, err := p.config.Keeper.DueLetters(ctx, p.config.Now(), lease, concurrency)
		if err != nil {
			return fmt.Errorf("claim e-mails: %w", err)
		}
		for _, l := range due {
			to.Go(func() error { return p.deliver(ctx, l) })
		}
		if len(due) < concurrency {
			return nil
		}
	}
	return nil
}

// deliver sends an e-mail and records the result, even during a shutdown: an
// e-mail that was sent but not recorded would be sent twice.
func (p *Postman) deliver(ctx context.Context, l Letter) error {
	sending, cancel := lingering(ctx, grace)
	defer cancel()
	err := p.send(sending, l)
	recording, now := context.WithoutCancel(ctx), p.config.Now()
	if err == nil {
		p.counts.sent.Add(1)
		if err := p.config.Keeper.LetterSent(recording, l.ID, now); err != nil {
			return fmt.Errorf("record that e-mail %s was sent: %w", l.ID, err)
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
		return fmt.Errorf("record that e-mail %s was not sent: %w", l.ID, err)
	}
	return nil
}

// note counts and logs a failure. The server's reply and the address are stored
// with the e-mail and not logged.
func (p *Postman) note(l Letter, f *Failure) {
	what, count := "an e-mail was not sent", &p.counts.failed
	if f.Final {
		what, count = "an e-mail was refused", &p.counts.refused
	}
	count.Add(1)
	p.config.Log.Warn(what, "letter", l.ID.String(), "about", l.About, "attempt", l.Attempts, "step", f.Step, "code", f.Code)
}

// send decrypts an e-mail and sends it.
func (p *Postman) send(ctx context.Context, l Letter) error {
	text, err := Open(p.config.Vault, l)
	if err != nil {
		return err
	}
	now := p.config.Now()
	if !now.Before(l.Expires) { // it expired while waiting for a free slot
		return &Failure{Step: atMessage, says: "the e-mail expired before it could be sent"}
	}
	m := Message{ID: l.ID, From: p.config.From, To: l.To, At: now, Language: l.Language, Text: text}
	bytes, err := m.Bytes()
	if err != nil {
		return &Failure{Step: atMessage, Final: true, says: err.Error()}
	}
	return p.config.Transport.Send(ctx, p.config.From.Address, l.To, bytes)
}

// Open decrypts the text of an e-mail.
func Open(v Vault, l Letter) (Text, error) {
	plain, err := v.Open(Purpose, l.ID.String(), l.Sealed)
	if err != nil {
		return Text{}, err
	}
	defer clear(plain)
	var t Text
	if json.Unmarshal(plain, &t) != nil { // the error is not returned, because it may quote the text
		return Text{}, &Failure{Step: atMessage, Final: true, says: "the text of the e-mail cannot be decoded"}
	}
	return t, nil
}

// firstRetry is the wait after the first attempt. It doubles with each attempt.
const firstRetry = 10 * time.Second

// MostRetry is the longest wait between attempts.
const MostRetry = 5 * time.Minute

// backoff returns the wait after the given number of attempts.
func backoff(attempts int) time.Duration {
	wait := firstRetry
	for range attempts - 1 {
		if wait *= 2; wait >= MostRetry {
			return MostRetry
		}
	}
	return wait
}

// lingering returns a context that ends a short time after its parent.
func lingering(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		timer := time.AfterFunc(after, cancel)
		context.AfterFunc(ctx, func() { timer.Stop() })
	})
	return ctx, func() { stop(); cancel() }
}
