package share

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// MostComment is the maximum length of the comment on a declined draft in
// characters.
const MostComment = 500

// Errors of CleanComment.
var (
	ErrLongComment    = errors.New("the comment is too long")
	ErrStrangeComment = errors.New("the comment contains invalid characters")
)

// CleanComment returns a comment as it is stored, and what is wrong with it. It
// keeps line breaks and removes direction marks.
func CleanComment(typed string) (comment string, wrong error) {
	if !utf8.ValidString(typed) {
		return strings.ToValidUTF8(typed, ""), ErrStrangeComment
	}
	typed = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ", "\u200e", "", "\u200f", "", "\u061c", "").Replace(typed)
	comment = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, typed))
	strange := func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\u200c' && r != '\u200d' }
	switch {
	case utf8.RuneCountInString(comment) > MostComment:
		return comment, ErrLongComment
	case strings.ContainsFunc(comment, strange):
		return comment, ErrStrangeComment
	}
	return comment, nil
}

// Decline declines a shared draft in the recipient's name, with an optional
// comment, and e-mails the person who created it. It needs a code like Approve.
// If the draft is already declined, it returns the first answer.
func (s *Sharer) Decline(ctx context.Context, token, name, code, comment string, from From) (given Decline, err error) {
	answer := func(notify bool) error {
		return s.respond(ctx, token, from, func(f *Folder, link Link) (verdict, err error) {
			given, verdict, err = s.decline(f, name, code, comment, from)
			if err == nil && verdict == nil && notify {
				err = s.reportDecline(f, link)
			}
			return verdict, err
		})
	}
	// The answer counts even if no further e-mail may be sent today.
	if err = answer(true); fault.CodeOf(err) == fault.EmailsRefused {
		err = answer(false)
	}
	if err != nil {
		return Decline{}, err
	}
	return given, nil
}

// decline decides on the refusal of a draft that is locked against other
// changes.
func (s *Sharer) decline(f *Folder, name, code, comment string, from From) (given Decline, verdict, err error) {
	if f.Decline != nil {
		return *f.Decline, nil, errUnchanged
	}
	if f.Approval != nil {
		return given, nil, fault.Detail(fault.AlreadyApproved, "This draft is already approved.")
	}
	comment, wrong := CleanComment(comment)
	if wrong != nil {
		return given, nil, fault.Detail(fault.InvalidComment, "The comment must have at most 500 characters and contain no control characters.")
	}
	name, verdict, err = s.verify(f, name, code, from)
	if verdict != nil || err != nil {
		return given, verdict, err
	}
	given = Decline{Name: name, Email: f.Recipient.Email, Comment: comment, At: s.now(), Version: f.Version}
	f.Decline = &given
	f.Action = "draft.declined"
	f.Details = map[string]any{"name": name, "email": given.Email, "version": given.Version, "comment": comment}
	return given, nil, nil
}

// reportDecline queues the e-mail about a declined draft to the person who
// created the draft.
func (s *Sharer) reportDecline(f *Folder, link Link) error {
	if !properEmail(f.CreatedBy) {
		return nil
	}
	letter, err := s.declineLetter(link.Of, f.Draft)
	if err == nil {
		f.Letters = append(f.Letters, letter)
	}
	return err
}
