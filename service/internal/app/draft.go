package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Drafts keeps invoices that are not issued yet, shares and issues them.
type Drafts interface {
	Create(ctx context.Context, by org.Actor, r issue.Request, to share.Recipient) (share.Draft, error)
	Change(ctx context.Context, by org.Actor, id uuid.UUID, seen int, r issue.Request, to share.Recipient) (share.Draft, error)
	Draft(ctx context.Context, of org.Tenant, id uuid.UUID) (share.Draft, error)
	Drafts(ctx context.Context, of org.Tenant, page org.Page) (org.List[share.Draft], error)
	Remove(ctx context.Context, by org.Actor, id uuid.UUID) error
	Preview(ctx context.Context, by org.Actor, id uuid.UUID) (ledger.Invoice, error)
	Share(ctx context.Context, by org.Actor, id uuid.UUID) (share.Draft, error)
	Unshare(ctx context.Context, by org.Actor, id uuid.UUID) (share.Draft, error)
	Issue(ctx context.Context, by org.Actor, id uuid.UUID) (ledger.Invoice, error)
	LinkOf(d share.Draft) (string, error)
}

func (s *Surface) draftRows() []wire.Route {
	const list, one = "/api/drafts/", "/api/drafts/{draft_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: list, Name: "list-drafts", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceGet,
			Summary: "List drafts", Doc: "Drafts of your organisation, the newest first; those that were issued too. What is in them is read one by one.",
		}, s.listDrafts),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: list, Name: "create-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Write a draft",
			Doc: "`invoice` is the body of a create: its fields and their types hold. The rules of an invoice are not asked " +
				"until the draft is previewed, shared or issued, so that unfinished work can be kept.",
			Example: `{"invoice": ` + api.InvoiceExample + `, "recipient": ` + recipientExample + `}`,
			Status:  http.StatusCreated,
		}, s.createDraft),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: one, Name: "get-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceGet,
			Summary: "Read a draft", Doc: "The draft as it was last written, where it stands, and who approved it.",
		}, s.getDraft),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: one, Name: "change-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Change a draft",
			Doc: "`invoice` and `recipient` replace what is kept as a whole; what is not sent stays. A recipient of null takes the recipient away. " +
				"A shared draft shows the new version to its recipient, if a create would take it, and a code that was sent for the old one is of no use any more. " +
				"409 once it is approved or issued, and for another e-mail address while it is shared.",
			Example: `{"recipient": ` + recipientExample + `}`,
		}, s.changeDraft),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: one, Name: "delete-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Throw a draft away", Doc: "Its link is over at once. 409 once it is issued.",
		}, s.removeDraft),
	}
}

const recipientExample = `{"name": "Sara Al Qahtani", "email": "sara@alnoor.example", "language": "ar"}`

// DraftListed is a draft in a list: the invoice is left out, which may have
// thousands of lines.
type DraftListed struct {
	UUID       uuid.UUID  `json:"uuid" doc:"Id."`
	State      string     `json:"state" enum:"open,shared,approved,issued" doc:"open: being written; shared: waits for the recipient; approved: can be issued; issued."`
	Version    int        `json:"version" example:"1" doc:"Counts the edits, from 1. A code and an approval are of one version."`
	Recipient  *recipient `json:"recipient" doc:"Whom it is shared with; null while nobody is named."`
	Link       *string    `json:"share_link" doc:"Where the recipient sees it; null while it is not shared, and once the link is over."`
	LinkUntil  *time.Time `json:"share_expires_at" doc:"Until when the link works; null without one."`
	Approval   *approval  `json:"approval" doc:"The recipient's word; null before."`
	InvoiceID  *uuid.UUID `json:"invoice_uuid" doc:"The invoice that it became; null before."`
	CreatedBy  string     `json:"created_by" example:"noura@example.sa" doc:"E-mail address of who wrote it."`
	CreatedAt  time.Time  `json:"created_at" doc:"When it was first written."`
	LastChange time.Time  `json:"changed_at" doc:"When it was last changed."`
}

// Draft is a draft as answered.
type Draft struct {
	DraftListed
	Invoice api.InvoiceBody `json:"invoice" doc:"The invoice as it was last written."`
}

type recipient struct {
	Name     string `json:"name" optional:"true" maxLength:"100" example:"Sara Al Qahtani" doc:"Whom to greet."`
	Email    string `json:"email" optional:"true" maxLength:"254" example:"sara@alnoor.example" doc:"Where the link and the code are sent. Needed before the draft is shared."`
	Language string `json:"language" enum:"ar,en" default:"ar" example:"ar" doc:"Language of the letters."`
}

type approval struct {
	Name  string    `json:"name" example:"Sara Al Qahtani" doc:"As the recipient wrote it."`
	Email string    `json:"email" example:"sara@alnoor.example" doc:"Where the code was sent that they approved with."`
	At    time.Time `json:"approved_at" doc:"When."`
}

// draftOf shows a draft.
func (s *Surface) draftOf(d share.Draft) (*Draft, error) {
	body, err := api.InvoiceBodyOf(d.Request)
	if err != nil {
		return nil, err
	}
	return &Draft{DraftListed: s.listed(d), Invoice: body}, nil
}

// listed shows a draft without its invoice. A link that cannot be opened is no
// reason not to show the rest.
func (s *Surface) listed(d share.Draft) DraftListed {
	out := DraftListed{
		UUID: d.ID, State: string(d.State()), Version: d.Version, InvoiceID: d.Invoice,
		CreatedBy: d.CreatedBy, CreatedAt: d.CreatedAt, LastChange: d.ChangedAt,
	}
	if d.Recipient.Name != "" || d.Recipient.Email != "" {
		to := recipient(d.Recipient)
		out.Recipient = &to
	}
	if d.Share != nil {
		out.LinkUntil = &d.Share.Expires
		if link, err := s.Drafts.LinkOf(d); err == nil {
			out.Link = &link
		}
	}
	if a := d.Approval; a != nil {
		out.Approval = &approval{a.Name, a.Email, a.At}
	}
	return out
}

type listDrafts struct{ api.PageQuery }

type draftsList struct {
	Drafts []DraftListed `json:"drafts" doc:"The drafts of this page."`
	api.Envelope
}

func (s *Surface) listDrafts(ctx context.Context, c wire.Caller, in *listDrafts) (*draftsList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	found, err := s.Drafts.Drafts(ctx, c.Actor.Tenant, page)
	if err != nil {
		return nil, err
	}
	out := &draftsList{Envelope: api.EnvelopeOf(found, page)}
	for _, one := range found.Rows {
		out.Drafts = append(out.Drafts, s.listed(one))
	}
	return out, nil
}

type oneDraft struct {
	ID uuid.UUID `path:"draft_id" doc:"The draft's uuid."`
}

func (s *Surface) getDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*Draft, error) {
	d, err := s.Drafts.Draft(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	return s.draftOf(d)
}
