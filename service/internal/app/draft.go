package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Drafts stores, shares and issues drafts of invoices.
type Drafts interface {
	Create(ctx context.Context, by org.Actor, r issue.Request, to share.Recipient) (share.Draft, error)
	Change(ctx context.Context, by org.Actor, id uuid.UUID, seen int, r issue.Request, to share.Recipient) (share.Draft, error)
	Draft(ctx context.Context, of org.Tenant, id uuid.UUID) (share.Draft, error)
	Drafts(ctx context.Context, of org.Tenant, f share.Filter, page org.Page) (org.List[share.Draft], error)
	Remove(ctx context.Context, by org.Actor, id uuid.UUID) error
	Preview(ctx context.Context, by org.Actor, id uuid.UUID) (ledger.Invoice, error)
	Share(ctx context.Context, by org.Actor, id uuid.UUID) (share.Draft, error)
	Unshare(ctx context.Context, by org.Actor, id uuid.UUID) (share.Draft, error)
	Issue(ctx context.Context, by org.Actor, id uuid.UUID) (ledger.Invoice, error)
	LinkOf(d share.Draft) (string, error)
}

const tagDrafts = "Drafts"

func (s *Surface) draftRows() []wire.Route {
	const list, one = "/api/drafts/", "/api/drafts/{draft_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: list, Name: "list-drafts", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceGet,
			Summary: "List drafts", Doc: "Returns the drafts of your organisation, newest first, including those already issued, with what their invoices are. Read a single draft to get its invoice.",
		}, s.listDrafts),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: list, Name: "create-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate, Whole: true, Ignores: api.IgnoredBelow("invoice"),
			Codes:   []fault.Code{fault.BadTransaction},
			Summary: "Create a draft",
			Doc: "`invoice` is the body of a request to create an invoice, with the same fields and types. The business rules are not checked " +
				"until the draft is previewed, shared or issued, so that unfinished drafts can be saved.",
			Example: `{"invoice": ` + api.InvoiceExample + `, "recipient": ` + recipientExample + `}`,
			Status:  http.StatusCreated,
		}, s.createDraft),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: one, Name: "get-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceGet, Whole: true,
			Codes:   []fault.Code{fault.DraftNotFound},
			Summary: "Read a draft", Doc: "Returns the draft as last saved, its state and its approval.",
		}, s.getDraft),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: one, Name: "change-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate, Whole: true, Ignores: api.IgnoredBelow("invoice"),
			Codes:   append(fault.OfPreview(), fault.DraftNotFound, fault.DraftIssuing, fault.DraftIssued, fault.DraftVersion, fault.DraftApproved, fault.DraftShared),
			Summary: "Change a draft",
			Doc: "Replaces `invoice` and `recipient` as a whole; a field that is not sent keeps its value. `recipient: null` removes the recipient, and `paid_on_issue: null` restores the default. " +
				"The recipient of a shared draft sees the new version, which must be a valid invoice, and codes sent for the old version no longer work. " +
				"Returns 409 if the draft is approved or issued, or if the e-mail address of a shared draft would change.",
			Example: `{"recipient": ` + recipientExample + `}`,
		}, s.changeDraft),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: one, Name: "delete-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   []fault.Code{fault.DraftNotFound, fault.DraftIssuing, fault.DraftIssued, fault.DraftVersion},
			Summary: "Delete a draft", Doc: "Deletes the draft; its link stops working at once. Returns 409 if the draft is issued.",
		}, s.removeDraft),
	}
}

const recipientExample = `{"name": "Sara Al Qahtani", "email": "sara@alnoor.example", "language": "ar"}`

// DraftListed is a draft in a list, without its invoice, which may have thousands
// of lines.
type DraftListed struct {
	UUID  uuid.UUID `json:"uuid" doc:"UUID of the draft."`
	State string    `json:"state" enum:"open,shared,approved,declined,issued" doc:"open: not shared yet; shared: waiting for the recipient; approved: can be issued; declined: the recipient refused it, so change it and share it again; issued: an invoice was created from it."`
	draftSummary
	Version    int        `json:"version" example:"1" doc:"Version number. It starts at 1 and increases with each change. A code and an approval belong to one version."`
	Recipient  *recipient `json:"recipient" doc:"The person the draft is shared with; null if none is set."`
	Link       *string    `json:"share_link" doc:"URL where the recipient can see the draft; null if it is not shared or the link no longer works."`
	LinkUntil  *time.Time `json:"share_expires_at" doc:"Time the link expires; null if there is no link."`
	Approval   *approval  `json:"approval" doc:"Approval of the recipient; null if the draft is not approved."`
	Decline    *declined  `json:"decline" doc:"Answer of a recipient who declined the draft; null if it was not declined."`
	InvoiceID  *uuid.UUID `json:"invoice_uuid" doc:"UUID of the invoice issued from the draft; null if it is not issued."`
	Corrects   *uuid.UUID `json:"corrects_uuid" doc:"UUID of the rejected invoice that the draft corrects; null if it corrects none."`
	CreatedBy  string     `json:"created_by" example:"noura@example.sa" doc:"E-mail address of the person who created the draft."`
	CreatedAt  time.Time  `json:"created_at" doc:"Time the draft was created."`
	LastChange time.Time  `json:"changed_at" doc:"Time of the last change."`
}

// draftSummary is what a draft shows of its invoice. All fields are null in a draft
// that was last changed by an earlier version of the service.
type draftSummary struct {
	Kind            *int    `json:"type_code" example:"388" doc:"Type of the document: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice. Null in drafts of earlier versions of the service, like the next five fields."`
	Transaction     *string `json:"transaction_code" example:"0100000" doc:"Transaction code: 0100000 standard, 0200000 simplified, 0100100 standard export."`
	Currency        *string `json:"currency" example:"SAR" doc:"Currency of the amounts."`
	BuyerName       *string `json:"buyer_name" example:"Al Noor Trading" doc:"Name of the client when the draft was last changed or shared; empty without a client."`
	BuyerNameArabic *string `json:"buyer_name_arabic" example:"شركة النور للتجارة" doc:"The same in Arabic; empty if the client has no name in Arabic."`
	Lines           *int    `json:"line_count" example:"2" doc:"Number of lines."`
	Payable         *string `json:"payable_amount" example:"9660.00" doc:"Amount to be paid, such as 9660.00, as computed when the draft was last changed or shared; null if it could not be computed."`
}

func draftSummaryOf(s *share.Summary) draftSummary {
	if s == nil {
		return draftSummary{}
	}
	out := draftSummary{
		Kind: &s.Kind, Transaction: &s.Transaction, Currency: &s.Currency, BuyerName: &s.Buyer, BuyerNameArabic: &s.BuyerArabic, Lines: &s.Lines,
	}
	if s.Payable != nil {
		out.Payable = new(s.Payable.Fixed2())
	}
	return out
}

// Draft is a draft in a response.
type Draft struct {
	DraftListed
	Invoice     api.InvoiceBody `json:"invoice" doc:"The invoice as last saved."`
	PaidOnIssue *bool           `json:"paid_on_issue" doc:"Whether a receipt over the balance is written when the draft is issued; null for the default: sales in cash and advance payment invoices are paid."`
}

type recipient struct {
	Name     string `json:"name" optional:"true" maxLength:"100" example:"Sara Al Qahtani" doc:"Name of the recipient, used in the e-mails."`
	Email    string `json:"email" optional:"true" maxLength:"254" example:"sara@alnoor.example" doc:"E-mail address to which the link and the code are sent. Required before the draft is shared."`
	Language string `json:"language" enum:"ar,en" default:"ar" example:"ar" doc:"Language of the e-mails: ar or en."`
}

type approval struct {
	Name  string    `json:"name" example:"Sara Al Qahtani" doc:"Name as entered by the recipient."`
	Email string    `json:"email" example:"sara@alnoor.example" doc:"E-mail address to which the approval code was sent."`
	At    time.Time `json:"approved_at" doc:"Time of the approval."`
}

type declined struct {
	Name    string    `json:"name" example:"Sara Al Qahtani" doc:"Name as entered by the recipient."`
	Email   string    `json:"email" example:"sara@alnoor.example" doc:"E-mail address to which the code was sent."`
	Comment string    `json:"comment" example:"The quantity of the second line should be 3." doc:"Comment of the recipient; may be empty or have several lines."`
	At      time.Time `json:"declined_at" doc:"Time of the answer."`
	Version int       `json:"version" doc:"Version of the draft that was declined."`
}

// draftOf returns a draft as a response.
func (s *Surface) draftOf(d share.Draft) (*Draft, error) {
	body, err := api.InvoiceBodyOf(d.Request)
	if err != nil {
		return nil, err
	}
	return &Draft{DraftListed: s.listed(d), Invoice: body, PaidOnIssue: d.Request.PaidOnIssue}, nil
}

// listed returns a draft without its invoice. The link is left out if its token
// cannot be decrypted.
func (s *Surface) listed(d share.Draft) DraftListed {
	out := DraftListed{
		UUID: d.ID, State: string(d.State()), draftSummary: draftSummaryOf(d.Summary), Version: d.Version, InvoiceID: d.Invoice, Corrects: d.Corrects,
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
	if a := d.Decline; a != nil {
		out.Decline = &declined{a.Name, a.Email, a.Comment, a.At, a.Version}
	}
	return out
}

type listDrafts struct {
	api.PageQuery
	State  []string `query:"state" optional:"true" maxItems:"100" enum:"open,shared,approved,declined,issued" example:"open" doc:"Only drafts in one of these states, comma-separated."`
	Search string   `query:"search_text" optional:"true" maxLength:"200" example:"النور" doc:"Words of the client's names, among the newest 10,000 drafts. Spelling variants match, as for clients. Drafts of earlier versions of the service are not found."`
}

type draftsList struct {
	Drafts []DraftListed `json:"drafts" doc:"Drafts on this page."`
	api.Envelope
}

func (s *Surface) listDrafts(ctx context.Context, c wire.Caller, in *listDrafts) (*draftsList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	f := share.Filter{Search: trade.Fold(in.Search)}
	for _, state := range in.State {
		f.States = append(f.States, share.State(state))
	}
	found, err := s.Drafts.Drafts(ctx, c.Actor.Tenant, f, page)
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
	ID uuid.UUID `path:"draft_id" doc:"UUID of the draft."`
}

func (s *Surface) getDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*Draft, error) {
	d, err := s.Drafts.Draft(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	return s.draftOf(d)
}
