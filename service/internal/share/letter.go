package share

import (
	"encoding/json"
	"fmt"
	"time"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// Purposes of e-mails, as shown in the outbox.
const (
	AboutInvitation = "draft invitation"
	AboutCode       = "draft approval code"
	AboutDecline    = "draft declined"
)

// Limits on the number of e-mails, so that the service cannot be used to flood
// an address.
const (
	DayTo = 20  // to one address by one organisation in 24 hours
	DayOf = 200 // by one organisation in 24 hours
)

// TooMany returns an error if no further e-mail may be queued. all and there
// are the numbers of e-mails queued in the last 24 hours by the organisation
// and to the same address.
func TooMany(all, there int) error {
	switch {
	case there >= DayTo:
		return exhausted("At most %d e-mails a day are sent to one address. Try again tomorrow.", DayTo)
	case all >= DayOf:
		return exhausted("At most %d e-mails a day are sent for one organisation. Try again tomorrow.", DayOf)
	}
	return nil
}

func exhausted(sentence string, most int) error {
	return fault.Detail(fault.EmailLimit, fmt.Sprintf(sentence, most)).With("window", "daily").With("limit", most).With("current", most)
}

// words holds the texts of e-mails in one language.
type words struct {
	greeting      func(name string) string
	credit, debit string // kinds of notes, as the texts about a note name them
	invoice, note texts
}

// texts are the e-mails about a draft of an invoice or of a note. The comments
// list the values by number.
type texts struct {
	invitation mail.Text // subject: seller, kind; body: greeting, seller, total, link, last day, kind
	code       mail.Text // subject: seller, kind; body: greeting, seller, total, code, minutes, link, kind
}

// about returns the texts for a kind of document and the name of that kind.
func (w words) about(kind invoice.Kind) (t texts, name string) {
	switch kind {
	case invoice.CreditNote:
		return w.note, w.credit
	case invoice.DebitNote:
		return w.note, w.debit
	}
	return w.invoice, ""
}

// hello returns the greeting. The name was typed by the seller, so it is
// unlinked.
func (w words) hello(name string) string { return w.greeting(mail.Unlinked(name)) }

func wordsIn(language string) words {
	if language == "en" {
		return english
	}
	return arabic
}

// invitation returns the e-mail with the link of a draft.
func (s *Sharer) invitation(of org.Tenant, d Draft, link string, expires time.Time) (mail.Letter, error) {
	w := wordsIn(d.Recipient.Language)
	t, kind := w.about(d.Shown.Invoice.Kind)
	seller := sellerIn(d.Shown.Invoice.Record.Seller, d.Recipient.Language)
	return s.letter(of, d.Recipient, AboutInvitation, expires, mail.Text{
		Subject: fmt.Sprintf(t.invitation.Subject, seller, kind),
		Body:    fmt.Sprintf(t.invitation.Body, w.hello(d.Recipient.Name), seller, totalOf(d), link, Moment(d.Recipient.Language, expires), kind),
	})
}

// codeLetter returns the e-mail with the code that approves a draft.
func (s *Sharer) codeLetter(of org.Tenant, d Draft, link, code string, expires time.Time) (mail.Letter, error) {
	w := wordsIn(d.Recipient.Language)
	t, kind := w.about(d.Shown.Invoice.Kind)
	seller := sellerIn(d.Shown.Invoice.Record.Seller, d.Recipient.Language)
	return s.letter(of, d.Recipient, AboutCode, expires, mail.Text{
		Subject: fmt.Sprintf(t.code.Subject, seller, kind),
		Body:    fmt.Sprintf(t.code.Body, w.hello(d.Recipient.Name), seller, totalOf(d), code, int(CodeLife.Minutes()), link, kind),
	})
}

// letter returns an e-mail with an encrypted text.
func (s *Sharer) letter(of org.Tenant, to Recipient, about string, expires time.Time, text mail.Text) (mail.Letter, error) {
	now := s.now()
	l := mail.Letter{
		ID: s.NewID(), Of: of, To: to.Email, Language: to.Language, About: about, CreatedAt: now, Expires: expires,
		State: mail.Queued, NextAt: now,
	}
	plain, err := json.Marshal(text)
	if err != nil {
		return l, fmt.Errorf("encode an e-mail: %w", err)
	}
	if l.Sealed, err = s.Vault.Seal(mail.Purpose, l.ID.String(), plain); err != nil {
		return l, fmt.Errorf("encrypt an e-mail: %w", err)
	}
	return l, nil
}

// sellerIn returns the seller's name in a language, if there is one, as written in
// e-mails. It is a single line, as a subject requires.
func sellerIn(p ledger.Party, language string) string {
	name := p.Name
	if language == "ar" && p.NameArabic != "" {
		name = p.NameArabic
	}
	return mail.Unlinked(name)
}

// totalOf returns the payable amount, formatted as on the page of the draft.
func totalOf(d Draft) string {
	r := d.Shown.Invoice.Record
	return money.Grouped(r.Totals.Payable.Fixed2()) + " " + Currency(d.Recipient.Language, r.Currency)
}
