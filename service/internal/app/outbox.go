package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Outbox is where an organisation's letters are.
type Outbox interface {
	Letters(ctx context.Context, of org.Tenant, page org.Page) (org.List[mail.Letter], error)
	Letter(ctx context.Context, of org.Tenant, id uuid.UUID) (mail.Letter, error)
	// Read opens the text of a letter that is still kept, and notes who did.
	Read(ctx context.Context, by org.Actor, l mail.Letter) (mail.Text, error)
}

func (s *Surface) outboxRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/outbox/", Name: "list-letters", Tag: tagOutbox, Access: wire.People, Scope: org.OutboxGet,
			Summary: "List letters", Doc: "Letters that were written for your organisation, the newest first, and what became of them.",
		}, s.listLetters),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/outbox/{letter_id}/", Name: "get-letter", Tag: tagOutbox, Access: wire.People, Scope: org.OutboxGet,
			Summary: "Read a letter", Doc: "What it says too, while it is queued: afterwards that is forgotten, and the audit trail says who read it. Without a mail server letters stay here, to be handed over by other means. " +
				"What a letter with an approval code says is never shown here: the code is its recipient's word, not yours.",
		}, s.getLetter),
	}
}

// LetterListed is a letter in a list: its text is left out.
type LetterListed struct {
	UUID      uuid.UUID  `json:"uuid" doc:"Id."`
	To        string     `json:"to" example:"sara@alnoor.example" doc:"The address."`
	Language  string     `json:"language" enum:"ar,en" doc:"Its language."`
	About     string     `json:"about" example:"draft invitation" doc:"What it is about."`
	State     string     `json:"state" enum:"queued,sent,refused,expired" doc:"queued: waits for its turn or for a mail server; sent: handed over; refused: the mail server will not have it; expired: was of no use any more."`
	Attempts  int        `json:"attempts" doc:"How often it was tried."`
	Problem   string     `json:"problem" example:"The mail server answers 550 to the recipient." doc:"Why the last attempt came to nothing; empty without one. Whoever runs the service sees more of it."`
	CreatedAt time.Time  `json:"created_at" doc:"When it was written."`
	SentAt    *time.Time `json:"sent_at" doc:"When it was handed over; null before."`
}

func letterOf(l mail.Letter) LetterListed {
	return LetterListed{
		UUID: l.ID, To: l.To, Language: l.Language, About: l.About, State: string(l.State),
		Attempts: l.Attempts, Problem: mail.Outline(l.Problem), CreatedAt: l.CreatedAt, SentAt: l.SentAt,
	}
}

type listLetters struct{ api.PageQuery }

type lettersList struct {
	Letters []LetterListed `json:"letters" doc:"The letters of this page."`
	api.Envelope
}

func (s *Surface) listLetters(ctx context.Context, c wire.Caller, in *listLetters) (*lettersList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	found, err := s.Outbox.Letters(ctx, c.Actor.Tenant, page)
	if err != nil {
		return nil, err
	}
	out := &lettersList{Envelope: api.EnvelopeOf(found, page)}
	for _, one := range found.Rows {
		out.Letters = append(out.Letters, letterOf(one))
	}
	return out, nil
}

type oneLetter struct {
	ID uuid.UUID `path:"letter_id" doc:"The letter's uuid."`
}

// Letter is a letter with its text.
type Letter struct {
	LetterListed
	Subject  *string `json:"subject" doc:"Its subject; null once it is not queued any more, and where it is withheld."`
	Text     *string `json:"text" doc:"What it says; null once it is not queued any more, and where it is withheld."`
	Withheld *string `json:"withheld" doc:"Why its text is not shown although it is kept; null otherwise."`
}

// withheld is said of letters that bring a code. Who could read one here could
// approve a draft of their own in its recipient's name.
const withheld = "It brings a code that only its recipient should know. Whoever runs the service can read it with khatm outbox show."

func (s *Surface) getLetter(ctx context.Context, c wire.Caller, in *oneLetter) (*Letter, error) {
	found, err := s.Outbox.Letter(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := &Letter{LetterListed: letterOf(found)}
	if found.Sealed == nil {
		return out, nil
	}
	if found.About == share.AboutCode {
		why := withheld
		out.Withheld = &why
		return out, nil
	}
	said, err := s.Outbox.Read(ctx, c.Actor, found)
	if err != nil {
		return nil, err
	}
	out.Subject, out.Text = &said.Subject, &said.Body
	return out, nil
}
