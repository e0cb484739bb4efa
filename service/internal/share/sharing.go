package share

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Share creates a link to a draft and e-mails it to the recipient. An earlier
// link stops working, and e-mails about it that are still queued are not sent.
func (s *Sharer) Share(ctx context.Context, by org.Actor, id uuid.UUID) (Draft, error) {
	return s.retryChange(ctx, by, id, func(d Draft) (func(*Folder) error, error) {
		switch d.State() {
		case Approved:
			return nil, fault.New(fault.DraftApproved, "The draft is already approved.")
		case Issued:
			return nil, errIssued()
		case Open, Shared, Declined:
		}
		if d.Recipient.Email == "" {
			return nil, fault.New(fault.DraftNoRecipient, "The draft has no recipient with an e-mail address.")
		}
		shown, err := s.computeShown(ctx, by, d.ID, d.Request, d.Version)
		if err != nil {
			return nil, err
		}
		token, link, err := s.newLink(d.ID)
		if err != nil {
			return nil, err
		}
		d.Shown = shown
		letter, err := s.invitation(by.Tenant, d, s.address(token), link.Expires)
		if err != nil {
			return nil, err
		}
		return func(f *Folder) error {
			if f.Inactive {
				return fault.New(fault.OrganisationInactive, "The organisation's account is inactive. Contact support to activate it.")
			}
			f.Shown, f.Share, f.Code, f.Decline = shown, &link, Code{}, nil
			f.Summary = summaryOf(f.Request, shown.Invoice.Record)
			f.Letters = append(f.Letters, letter)
			f.Action, f.Details = "draft.shared", map[string]any{"version": f.Version, "recipient": f.Recipient.Email}
			return nil
		}, nil
	})
}

// Unshare withdraws the link of a draft. The link stops working, and e-mails
// about it that are still queued are not sent. An approval already given stays;
// a declined draft is open again.
func (s *Sharer) Unshare(ctx context.Context, by org.Actor, id uuid.UUID) (Draft, error) {
	d, err := s.change(ctx, by, id, func(f *Folder) error {
		if f.Share == nil && f.Decline == nil {
			return errUnchanged
		}
		f.Share, f.Decline = nil, nil
		if f.Approval == nil {
			f.Shown = nil
		}
		f.Action, f.Details = "draft.unshared", map[string]any{"version": f.Version}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return s.Keeper.Draft(ctx, by.Tenant, id)
	}
	return d, err
}
