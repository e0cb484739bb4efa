package app

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"khatm/codes"
	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

type createDraft struct {
	Body draftBody `body:"json"`
}

type draftBody struct {
	Invoice   api.InvoiceBody `json:"invoice" doc:"The invoice, as in the body of POST /v1/api/invoices/."`
	Recipient *recipient      `json:"recipient" optional:"true" doc:"The person the draft will be shared with; can be set later."`

	PaidOnIssue *bool `json:"paid_on_issue" optional:"true" example:"false" doc:"Whether the invoice is paid when the draft is issued. By default only sales in cash (388 with payment means 10) are. Advance payment invoices always are, credit notes never."`
}

func (s *Surface) createDraft(ctx context.Context, c wire.Caller, in *createDraft) (*Draft, error) {
	r, err := requestOf(&in.Body.Invoice)
	if err != nil {
		return nil, err
	}
	r.PaidOnIssue = in.Body.PaidOnIssue
	if err := checkPaidOnIssue(r); err != nil {
		return nil, err
	}
	var to share.Recipient
	if in.Body.Recipient != nil {
		to = share.Recipient(*in.Body.Recipient)
	}
	d, err := s.Drafts.Create(ctx, c.Actor, r, to)
	if err != nil {
		return nil, err
	}
	return s.draftOf(d)
}

// requestOf returns the invoice of a draft. Most of its values are checked when
// it is shared or issued.
func requestOf(body *api.InvoiceBody) (issue.Request, error) {
	r, err := body.Request()
	if err != nil {
		return r, err
	}
	if r.Transaction == codec.Invalid { // cannot be stored
		return r, inDraft(issue.CheckTransaction(r.Transaction))
	}
	return r, nil
}

// checkPaidOnIssue returns an error if the kind of document does not leave the
// choice.
func checkPaidOnIssue(r issue.Request) error {
	const path = "paid_on_issue"
	switch {
	case r.PaidOnIssue == nil:
		return nil
	case *r.PaidOnIssue && r.Kind == codes.CreditNote:
		return fault.Wrong(fault.Problem{Path: path, Message: "must not be true for a credit note", MessageAR: "لا يُسجَّل الإشعار الدائن مدفوعًا عند إصداره.", Code: fault.InvalidValue})
	case !*r.PaidOnIssue && r.Kind == codes.AdvancePayment:
		return fault.Wrong(fault.Problem{Path: path, Message: "must not be false for an advance payment invoice", MessageAR: "فاتورة الدفعة المقدمة مدفوعة عند إصدارها.", Code: fault.InvalidValue})
	}
	return nil
}

// inDraft changes the paths of an error of an invoice to those of the invoice in
// the body of a draft.
func inDraft(err error) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	of := func(path string) string {
		if path == "" {
			return ""
		}
		return "invoice." + strings.TrimPrefix(path, issue.Root+".")
	}
	named, _ := e.Fields["path"].(string)
	e.Path = of(cmp.Or(e.Path, named))
	for n := range e.Problems {
		e.Problems[n].Path = of(e.Problems[n].Path)
	}
	return err
}

type changeDraft struct {
	oneDraft
	Body draftChange `body:"json"`
}

type draftChange struct {
	Invoice     *api.InvoiceBody      `json:"invoice" optional:"true" doc:"The new invoice, complete."`
	Recipient   codec.Sent[recipient] `json:"recipient" doc:"The new recipient; null removes the recipient."`
	PaidOnIssue codec.Sent[bool]      `json:"paid_on_issue" example:"false" doc:"Whether the invoice is paid when the draft is issued; null for the default."`
	Version     int                   `json:"version" optional:"true" minimum:"1" example:"1" doc:"The version you have seen. If the draft has changed since, the response is 409 and nothing is changed."`
}

func (s *Surface) changeDraft(ctx context.Context, c wire.Caller, in *changeDraft) (*Draft, error) {
	var sent *issue.Request
	if in.Body.Invoice != nil {
		r, err := requestOf(in.Body.Invoice)
		if err != nil {
			return nil, err
		}
		sent = &r
	}
	kept, err := s.Drafts.Draft(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	r, to := kept.Request, kept.Recipient
	if sent != nil {
		paid := r.PaidOnIssue
		r = *sent
		r.PaidOnIssue = paid
	}
	if given := in.Body.PaidOnIssue; given.Given {
		r.PaidOnIssue = nil
		if !given.Null {
			r.PaidOnIssue = &given.Value
		}
	}
	if err := checkPaidOnIssue(r); err != nil {
		return nil, err
	}
	if in.Body.Recipient.Given {
		to = share.Recipient(in.Body.Recipient.Value)
	}
	// Fields that are not sent keep the values read here, so the version read here
	// must still be the current one.
	d, err := s.Drafts.Change(ctx, c.Actor, in.ID, cmp.Or(in.Body.Version, kept.Version), r, to)
	if err != nil {
		return nil, inDraft(err)
	}
	return s.draftOf(d)
}

func (s *Surface) removeDraft(ctx context.Context, c wire.Caller, in *oneDraft) (*done, error) {
	if err := s.Drafts.Remove(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return &done{"Draft deleted."}, nil
}
