package app

import (
	"context"
	"net/http"

	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) draftShareRows() []wire.Route {
	const one = "/api/drafts/{draft_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "preview/", Name: "preview-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceGet, Whole: true,
			Codes:   append(fault.OfPreview(), fault.DraftNotFound),
			Summary: "Preview a draft", Doc: "Returns the invoice as it would be issued now, or the error that creating it would return. Nothing is issued and no number is used.",
			Free: true,
		}, s.previewDraft),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "share/", Name: "share-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   append(fault.OfPreview(), fault.DraftNotFound, fault.DraftIssuing, fault.DraftIssued, fault.DraftVersion, fault.DraftApproved, fault.DraftNoRecipient, fault.EmailLimit),
			Summary: "Share a draft for approval",
			Doc: "Creates a link that works for 30 days and e-mails it to the recipient, who approves the draft with a code sent to the same address. " +
				"The draft must be a valid invoice. An earlier link stops working. Returns 409 if the recipient has no e-mail address.",
		}, s.shareDraft),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: one + "share/", Name: "unshare-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   []fault.Code{fault.DraftNotFound, fault.DraftIssuing, fault.DraftIssued, fault.DraftVersion},
			Summary: "Withdraw the link of a draft", Doc: "The link stops working at once, and the draft can be issued without approval. An existing approval is kept.",
		}, s.unshareDraft),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "issue/", Name: "issue-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate, Whole: true,
			Codes:   append(fault.OfCreate(), fault.DraftNotFound, fault.DraftVersion, fault.DraftIssuing, fault.DraftIssued, fault.DraftWaiting, fault.DraftDeclined, fault.DraftDiffers),
			Summary: "Issue a draft",
			Doc: "Creates the invoice like `POST /v1/api/invoices/`, with the same errors. A repeated request returns the same invoice and issues nothing twice. " +
				"An invoice that is paid on issue gets its receipt together with its number. What was received for a rejected invoice moves to the invoice that replaces it. " +
				"Returns 409 while the recipient's approval is pending, and if anything on the document would differ from the approved version.",
			Refusal: "User is not authorised to create invoices.",
			Status:  http.StatusAccepted,
		}, s.issueDraft),
	}
}

func (s *Surface) previewDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*api.InvoicePreviewed, error) {
	shown, err := s.Drafts.Preview(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, inDraft(err)
	}
	return s.Previewed(shown), nil
}

func (s *Surface) shareDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*shared, error) {
	d, err := s.Drafts.Share(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, inDraft(err)
	}
	link, err := s.Drafts.LinkOf(d)
	if err != nil {
		return nil, err
	}
	return sharedLink(link, d.Share.Expires, d.Recipient.Email), nil
}

func (s *Surface) unshareDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*Draft, error) {
	d, err := s.Drafts.Unshare(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	return s.draftOf(d)
}

func (s *Surface) issueDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*api.InvoiceCreated, error) {
	issued, err := s.Drafts.Issue(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, inDraft(err)
	}
	return api.CreatedOf(issued), nil
}
