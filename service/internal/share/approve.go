package share

import (
	"context"
	"errors"

	"khatm/service/internal/fault"
)

// errWrongCode is returned for every code that does not approve the draft:
// wrong, expired, used up, sent for an older version, or never requested.
func errWrongCode() error {
	return fault.Detail(fault.WrongApprovalCode, "The code is not valid: it is wrong, has expired, or was tried too often. Check it, or request a new one ten minutes after the last one was sent.")
}

// Approve approves a shared draft in the recipient's name. The code proves that
// the caller receives the recipient's e-mail. If the draft is already approved,
// it returns the first approval.
func (s *Sharer) Approve(ctx context.Context, token, name, code string, from From) (Approval, error) {
	link, err := s.draftLink(ctx, token)
	if err != nil {
		return Approval{}, err
	}
	var given Approval
	var verdict error // result of an attempt, which is counted in any case
	_, err = s.Keeper.ChangeDraft(ctx, from.holder(link), link.Draft, func(f *Folder) (err error) {
		given, verdict, err = s.approve(f, link, name, code, from)
		return err
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	if err == nil {
		err = verdict
	}
	if err != nil {
		return Approval{}, guestError(err)
	}
	return given, nil
}

// approve decides on the approval of a draft that is locked against other
// changes. verdict is the error of an attempt that must be counted; err aborts
// the change.
func (s *Sharer) approve(f *Folder, link Link, name, typed string, from From) (given Approval, verdict, err error) {
	switch {
	case !f.leads(link):
		return given, nil, ErrGone()
	case f.Approval != nil:
		return *f.Approval, nil, errUnchanged
	}
	if err := f.checkWaiting(); err != nil {
		return given, nil, err
	}
	if err := from.sees(&f.Draft); err != nil {
		return given, nil, err
	}
	name, wrong := CleanName(name)
	if wrong != nil {
		return given, nil, fault.Detail(fault.InvalidName, "The name must have 1 to 100 characters on one line and contain no web or e-mail address.")
	}
	code, now := digits(typed), s.now()
	if code == "" || !f.Code.current(&f.Draft, now) || f.Code.Tries >= MostTries {
		return given, nil, errWrongCode()
	}
	right, err := s.try(f, code)
	if err != nil {
		return given, nil, err
	}
	if !right {
		if f.Code.Tries == MostTries {
			f.Action, f.Details = "draft.code_refused", map[string]any{"version": f.Version, "tries": f.Code.Tries}
		}
		return given, errWrongCode(), nil
	}
	given = Approval{Name: name, Email: f.Recipient.Email, At: now, Version: f.Version}
	f.Approval = &given
	f.Action = "draft.approved"
	f.Details = map[string]any{"name": name, "email": given.Email, "version": given.Version, "payable": f.Shown.Invoice.Record.Totals.Payable.Fixed2()}
	return given, nil, nil
}
