package app

import (
	"context"
	"net/http"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

func (s *Surface) draftShareRows() []wire.Route {
	const one = "/api/drafts/{draft_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "preview/", Name: "preview-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceGet,
			Summary: "Preview a draft", Doc: "The invoice as it would be issued now, or the refusal of a create. Nothing is issued and no number is taken.",
			Free: true,
		}, s.previewDraft),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "share/", Name: "share-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Share a draft for approval",
			Doc: "Makes a link of 30 days and sends it to the recipient, who approves with a code that is sent to the same address. " +
				"What a create would refuse is refused here. A link that was there before is over. 409 without the e-mail address of a recipient.",
		}, s.shareDraft),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: one + "share/", Name: "unshare-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Withdraw the link of a draft", Doc: "The link is over at once, and the draft can be issued without approval. An approval that was given stays.",
		}, s.unshareDraft),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: one + "issue/", Name: "issue-draft", Tag: tagDrafts, Access: wire.People, Scope: org.InvoiceCreate,
			Summary: "Issue a draft",
			Doc: "Creates the invoice, as `POST /v1/api/invoices/` does, with the same refusals. Asking again answers again and issues nothing twice. " +
				"409 while the recipient is waited for, and when anything on the document would differ from what was approved.",
			Refusal: "User is not authorised to create invoices.",
			Status:  http.StatusAccepted,
		}, s.issueDraft),
	}
}

func (s *Surface) previewDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*api.InvoicePreviewed, error) {
	shown, err := s.Drafts.Preview(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	return s.Previewed(shown), nil
}

func (s *Surface) shareDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*shared, error) {
	d, err := s.Drafts.Share(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	link, err := s.Drafts.LinkOf(d)
	if err != nil {
		return nil, err
	}
	return &shared{link, d.Share.Expires}, nil
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
		return nil, err
	}
	return api.CreatedOf(issued), nil
}
