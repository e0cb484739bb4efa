package share

import (
	"context"
	"errors"

	"khatm/service/internal/fault"
)

// Approve approves a shared draft in the recipient's name. The code proves that
// the caller receives the recipient's e-mail. If the draft is already approved,
// it returns the first approval.
func (s *Sharer) Approve(ctx context.Context, token, name, code string, from From) (given Approval, err error) {
	err = s.respond(ctx, token, from, func(f *Folder, _ Link) (verdict, err error) {
		if f.Approval != nil {
			given = *f.Approval
			return nil, errUnchanged
		}
		if f.Decline != nil {
			return nil, errDeclined()
		}
		name, verdict, err := s.verify(f, name, code, from)
		if verdict != nil || err != nil {
			return verdict, err
		}
		given = Approval{Name: name, Email: f.Recipient.Email, At: s.now(), Version: f.Version}
		f.Approval = &given
		f.Action = "draft.approved"
		f.Details = map[string]any{"name": name, "email": given.Email, "version": given.Version, "payable": f.Shown.Invoice.Record.Totals.Payable.Fixed2()}
		return nil, nil
	})
	if err != nil {
		return Approval{}, err
	}
	return given, nil
}

// respond changes a draft on behalf of the holder of its link. A verdict of
// decide is returned like an error, but the change is written, so that a wrong
// code is counted.
func (s *Sharer) respond(ctx context.Context, token string, from From, decide func(*Folder, Link) (verdict, err error)) error {
	link, err := s.draftLink(ctx, token)
	if err != nil {
		return err
	}
	var verdict error
	_, err = s.Keeper.ChangeDraft(ctx, from.holder(link), link.Draft, func(f *Folder) (err error) {
		if !f.leads(link) {
			return ErrGone()
		}
		verdict, err = decide(f, link)
		return err
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	if err == nil {
		err = verdict
	}
	if err != nil {
		return guestError(err)
	}
	return nil
}

// verify checks that a draft waits for its recipient, and the name and the code
// that were entered. It returns the name as it is stored. verdict is the error
// of an attempt that must be counted; err aborts the change.
func (s *Sharer) verify(f *Folder, typedName, typedCode string, from From) (name string, verdict, err error) {
	if err := f.checkWaiting(); err != nil {
		return "", nil, err
	}
	if err := from.sees(&f.Draft); err != nil {
		return "", nil, err
	}
	name, wrong := CleanName(typedName)
	if wrong != nil {
		return "", nil, fault.Detail(fault.InvalidName, "The name must have 1 to 100 characters on one line and contain no web or e-mail address.")
	}
	code := digits(typedCode)
	if code == "" || !f.Code.current(&f.Draft, s.now()) {
		return "", nil, errInvalidCode()
	}
	if f.Code.Tries >= MostTries {
		return "", nil, errWrongCode(0)
	}
	right, err := s.try(f, code)
	if err != nil || right {
		return name, nil, err
	}
	if f.Code.Tries == MostTries {
		f.Action, f.Details = "draft.code_refused", map[string]any{"version": f.Version, "tries": f.Code.Tries}
	}
	return "", errWrongCode(MostTries - f.Code.Tries), nil
}
