package app

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Outbox stores the e-mails of an organisation.
type Outbox interface {
	// LettersIn returns a page of the e-mails in a state, or of all with "".
	LettersIn(ctx context.Context, of org.Tenant, state mail.State, page org.Page) (org.List[mail.Letter], error)
	Letter(ctx context.Context, of org.Tenant, id uuid.UUID) (mail.Letter, error)
	// Read decrypts the text of an e-mail that is still stored, and records in the
	// audit trail who read it.
	Read(ctx context.Context, by org.Actor, l mail.Letter) (mail.Text, error)
}

const tagOutbox = "Outbox"

func (s *Surface) outboxRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/outbox/", Name: "list-letters", Tag: tagOutbox, Access: wire.People, Scope: org.OutboxGet,
			Summary: "List e-mails", Doc: "Returns the e-mails written for your organisation, newest first, and their delivery state.",
		}, s.listLetters),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/outbox/{letter_id}/", Name: "get-letter", Tag: tagOutbox, Access: wire.People, Scope: org.OutboxGet,
			Codes:   []fault.Code{fault.LetterNotFound},
			Summary: "Read an e-mail", Doc: "Returns an e-mail, with its text while it is queued; the text is deleted afterwards. Reading the text is recorded in the audit trail. Without a mail server e-mails stay queued, so that you can deliver them by other means. " +
				"The text of an e-mail with an approval code or a link that gives access is never returned, because only its recipient may use it.",
		}, s.getLetter),
	}
}

// LetterListed is an e-mail in a list, without its text.
type LetterListed struct {
	UUID      uuid.UUID  `json:"uuid" doc:"UUID of the e-mail."`
	To        string     `json:"to" example:"sara@alnoor.example" doc:"E-mail address of the recipient."`
	Language  string     `json:"language" enum:"ar,en" doc:"Language of the e-mail: ar or en."`
	About     string     `json:"about" example:"draft invitation" doc:"Purpose of the e-mail, such as draft invitation."`
	State     string     `json:"state" enum:"queued,sent,refused,expired" doc:"queued: waiting to be sent, or for a mail server; sent: accepted by the mail server; refused: rejected by the mail server; expired: not sent in time to be useful."`
	Attempts  int        `json:"attempts" doc:"Number of attempts to send it."`
	Problem   string     `json:"problem" example:"The mail server answers 550 to the recipient." doc:"Why the last attempt failed; empty if none failed. The operator of the service can see more detail."`
	CreatedAt time.Time  `json:"created_at" doc:"Time the e-mail was created."`
	SentAt    *time.Time `json:"sent_at" doc:"Time the mail server accepted it; null if it was not sent."`
}

func letterOf(l mail.Letter) LetterListed {
	return LetterListed{
		UUID: l.ID, To: l.To, Language: l.Language, About: l.About, State: string(l.State),
		Attempts: l.Attempts, Problem: mail.Outline(l.Problem), CreatedAt: l.CreatedAt, SentAt: l.SentAt,
	}
}

type listLetters struct {
	api.PageQuery
	State string `query:"state" optional:"true" enum:"queued,sent,refused,expired" doc:"Only e-mails in this state."`
}

type lettersList struct {
	Letters []LetterListed `json:"letters" doc:"E-mails on this page."`
	api.Envelope
}

func (s *Surface) listLetters(ctx context.Context, c wire.Caller, in *listLetters) (*lettersList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[mail.Letter], error) {
		return s.Outbox.LettersIn(ctx, of, mail.State(in.State), p)
	}, letterOf)
	return &lettersList{rows, envelope}, err
}

type oneLetter struct {
	ID uuid.UUID `path:"letter_id" doc:"UUID of the e-mail."`
}

// Letter is an e-mail with its text.
type Letter struct {
	LetterListed
	Subject  *string `json:"subject" doc:"Subject; null if the e-mail is no longer queued or its text is withheld."`
	Text     *string `json:"text" doc:"Text; null if the e-mail is no longer queued or its text is withheld."`
	Withheld *string `json:"withheld" doc:"Why the text is not returned although it is still stored; null otherwise."`

	WithheldArabic *string `json:"withheld_ar" doc:"The same in Arabic."`
}

// withheld and withheldArabic are the reason given for e-mails that contain a code or a link for their
// recipient only. A person who could read a code here could approve their own draft
// in the recipient's name.
const (
	withheld       = "The e-mail contains a code or link that only its recipient may use. The operator of the service can read it with khatm outbox show."
	withheldArabic = "في الرسالة رمز أو رابط لا يستخدمه إلا مستلمها. يستطيع مشغّل الخدمة قراءتها بالأمر \u2066khatm outbox show\u2069."
)

// personal are the purposes of such e-mails.
var personal = []string{share.AboutCode, account.AboutPassword, account.AboutInvitation, account.AboutSignUp}

func (s *Surface) getLetter(ctx context.Context, c wire.Caller, in *oneLetter) (*Letter, error) {
	found, err := s.Outbox.Letter(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := &Letter{LetterListed: letterOf(found)}
	if found.Sealed == nil {
		return out, nil
	}
	if slices.Contains(personal, found.About) {
		out.Withheld, out.WithheldArabic = new(withheld), new(withheldArabic)
		return out, nil
	}
	said, err := s.Outbox.Read(ctx, c.Actor, found)
	if err != nil {
		return nil, err
	}
	out.Subject, out.Text = &said.Subject, &said.Body
	return out, nil
}
