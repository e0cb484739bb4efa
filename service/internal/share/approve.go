package share

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name of whoever approves, in characters.
const maxName = 100

// errWrongCode is said of every code that does not approve: wrong, over, used
// up, of an older version, never asked for.
func errWrongCode() error {
	return refused("The code is not valid. Check it, or ask for a new one.")
}

// Approve approves a shared draft in the recipient's name, who proves by a code
// that the letters arrive. A draft is approved once: who comes later is told the
// first approval.
func (s *Sharer) Approve(ctx context.Context, token, name, code string, from From) (Approval, error) {
	link, err := s.draftLink(ctx, token)
	if err != nil {
		return Approval{}, err
	}
	var given Approval
	var verdict error // of a try, which is counted whatever it is
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
		return Approval{}, told(err)
	}
	return given, nil
}

// approve decides about a draft that nobody else can change meanwhile.
func (s *Sharer) approve(f *Folder, link Link, name, typed string, from From) (given Approval, verdict, err error) {
	switch {
	case !f.leads(link):
		return given, nil, ErrGone()
	case f.Approval != nil:
		return *f.Approval, nil, errUnchanged
	}
	if err := f.waits(); err != nil {
		return given, nil, err
	}
	if err := from.sees(&f.Draft); err != nil {
		return given, nil, err
	}
	name = strings.TrimSpace(name)
	if !properName(name) {
		return given, nil, refused("The name should have 1 to 100 characters, on one line, and no web address.")
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
			f.Deed, f.Details = "draft.code_refused", map[string]any{"version": f.Version, "tries": f.Code.Tries}
		}
		return given, errWrongCode(), nil
	}
	given = Approval{Name: name, Email: f.Recipient.Email, At: now, Version: f.Version}
	f.Approval = &given
	f.Deed = "draft.approved"
	f.Details = map[string]any{"name": name, "email": given.Email, "version": given.Version, "payable": f.Shown.Invoice.Record.Totals.Payable.Fixed2()}
	return given, nil, nil
}

func properName(name string) bool {
	n := utf8.RuneCountInString(name)
	// Some names are written with joiners; what turns the direction of a line is
	// no part of one.
	strange := func(r rune) bool { return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' }
	return n >= 1 && n <= maxName && utf8.ValidString(name) && !strings.ContainsFunc(name, strange) && !webAddress(name)
}

// webAddress says whether a text would lead somewhere in a letter of ours: names
// are in letters, and a letter leads to its draft and nowhere else.
func webAddress(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "://") || strings.Contains(text, "www.")
}
