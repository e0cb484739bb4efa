package share

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Share shows a draft to its recipient: it makes a link and sends it. A link
// that was there before is worth nothing any more, and what still waits to be
// sent about it is not sent.
func (s *Sharer) Share(ctx context.Context, by org.Actor, id uuid.UUID) (Draft, error) {
	return s.settled(ctx, by, id, func(d Draft) (func(*Folder) error, error) {
		switch d.State() {
		case Approved:
			return nil, fault.New(fault.Conflict, "The draft is approved already.")
		case Issued:
			return nil, errIssued()
		case Open, Shared:
		}
		if d.Recipient.Email == "" {
			return nil, fault.New(fault.Conflict, "The draft has no recipient with an e-mail address.")
		}
		shown, err := s.sketch(ctx, by, d.ID, d.Request, d.Version)
		if err != nil {
			return nil, err
		}
		token, link, err := s.mint(d.ID)
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
				return fault.New(fault.Forbidden, "The organisation's account is inactive. Contact support to activate it.")
			}
			f.Shown, f.Share, f.Code = shown, &link, Code{}
			f.Letters = append(f.Letters, letter)
			f.Deed, f.Details = "draft.shared", map[string]any{"version": f.Version, "recipient": f.Recipient.Email}
			return nil
		}, nil
	})
}

// Unshare withdraws the link of a draft, which is then worth nothing; a letter
// that was not sent yet is not sent. An approval that was given stays.
func (s *Sharer) Unshare(ctx context.Context, by org.Actor, id uuid.UUID) (Draft, error) {
	d, err := s.change(ctx, by, id, func(f *Folder) error {
		if f.Share == nil {
			return errUnchanged
		}
		f.Share = nil
		if f.Approval == nil {
			f.Shown = nil
		}
		f.Deed, f.Details = "draft.unshared", map[string]any{"version": f.Version}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return s.Keeper.Draft(ctx, by.Tenant, id)
	}
	return d, err
}
