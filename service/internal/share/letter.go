package share

import (
	"encoding/json"
	"fmt"
	"time"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// What letters are about, for whoever looks at the queue.
const (
	AboutInvitation = "draft invitation"
	AboutCode       = "draft approval code"
)

// Bounds of letters, so that nobody is flooded in our name.
const (
	DayTo = 20  // to one address, by one organisation, in 24 hours
	DayOf = 200 // of one organisation, in 24 hours
)

// TooMany refuses a letter when so many were queued in the last 24 hours, of all
// the organisation's and to the same address.
func TooMany(all, there int) error {
	switch {
	case there >= DayTo:
		return exhausted("No more than %d letters a day are sent to one address. Try again tomorrow.", DayTo)
	case all >= DayOf:
		return exhausted("No more than %d letters a day are sent for one organisation. Try again tomorrow.", DayOf)
	}
	return nil
}

func exhausted(sentence string, most int) error {
	return (&fault.Error{Kind: fault.Exhausted}).With("detail", fmt.Sprintf(sentence, most)).With("window", "daily").With("limit", most).With("current", most)
}

// words is what letters say in one language. Each %s is named in the order of
// its values.
type words struct {
	greeting   func(name string) string
	invitation mail.Text // subject: seller; body: greeting, seller, total, link, last day
	code       mail.Text // subject: seller; body: greeting, seller, total, code, minutes, link
}

// hello greets somebody whose name was typed by the seller.
func (w words) hello(name string) string { return w.greeting(unlinked(name)) }

func wordsIn(language string) words {
	if language == "en" {
		return english
	}
	return arabic
}

// invitation is the letter that brings the link of a draft.
func (s *Sharer) invitation(of org.Tenant, d Draft, link string, expires time.Time) (mail.Letter, error) {
	w := wordsIn(d.Recipient.Language)
	seller := sellerIn(d.Shown.Invoice.Record.Seller, d.Recipient.Language)
	return s.letter(of, d.Recipient, AboutInvitation, expires, mail.Text{
		Subject: fmt.Sprintf(w.invitation.Subject, seller),
		Body:    fmt.Sprintf(w.invitation.Body, w.hello(d.Recipient.Name), seller, totalOf(d), link, Moment(d.Recipient.Language, expires)),
	})
}

// codeLetter is the letter that brings the code which approves a draft.
func (s *Sharer) codeLetter(of org.Tenant, d Draft, link, code string, expires time.Time) (mail.Letter, error) {
	w := wordsIn(d.Recipient.Language)
	seller := sellerIn(d.Shown.Invoice.Record.Seller, d.Recipient.Language)
	return s.letter(of, d.Recipient, AboutCode, expires, mail.Text{
		Subject: fmt.Sprintf(w.code.Subject, seller),
		Body:    fmt.Sprintf(w.code.Body, w.hello(d.Recipient.Name), seller, totalOf(d), code, int(CodeLife.Minutes()), link),
	})
}

// letter seals a text and addresses it.
func (s *Sharer) letter(of org.Tenant, to Recipient, about string, expires time.Time, text mail.Text) (mail.Letter, error) {
	now := s.now()
	l := mail.Letter{
		ID: s.NewID(), Of: of, To: to.Email, Language: to.Language, About: about, CreatedAt: now, Expires: expires,
		State: mail.Queued, NextAt: now,
	}
	plain, err := json.Marshal(text)
	if err != nil {
		return l, fmt.Errorf("write a letter: %w", err)
	}
	if l.Sealed, err = s.Vault.Seal(mail.Purpose, l.ID.String(), plain); err != nil {
		return l, fmt.Errorf("seal a letter: %w", err)
	}
	return l, nil
}

// sellerIn is the name of the seller in a language, as far as there is one, as
// letters write names. It may become part of a subject, which has one line.
func sellerIn(p ledger.Party, language string) string {
	name := p.Name
	if language == "ar" && p.NameArabic != "" {
		name = p.NameArabic
	}
	return unlinked(name)
}

// totalOf is what is to be paid, as the page of the draft writes it.
func totalOf(d Draft) string {
	r := d.Shown.Invoice.Record
	return money.Grouped(r.Totals.Payable.Fixed2()) + " " + Currency(d.Recipient.Language, r.Currency)
}
