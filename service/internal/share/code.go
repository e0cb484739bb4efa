package share

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Limits of codes. With five attempts per code out of a million, and twenty
// codes per link, random guessing approves one draft in ten thousand.
const (
	CodeLife  = 10 * time.Minute
	MostTries = 5
	MostCodes = 20

	// CodePurpose is the purpose for which codes are encrypted; the owner is
	// CodeOwner of the link.
	CodePurpose = "draft-code"
)

// CodeOwner returns the owner of a link's code for the vault.
func CodeOwner(digest []byte) string { return hex.EncodeToString(digest) }

// Code is a code that approves a draft. It belongs to one link and one version.
type Code struct {
	Made    int // number of codes made for the link, including this one
	Sealed  []byte
	Version int
	At      time.Time
	Expires time.Time
	Tries   int
}

// current reports whether the code has not expired and was made for the current
// version of the draft. It may still have no attempts left.
func (c Code) current(d *Draft, now time.Time) bool {
	return c.Made > 0 && c.Version == d.Version && now.Before(c.Expires)
}

// Asked is the result of requesting a code.
type Asked struct {
	To      string // masked address that the code was sent to
	Expires time.Time
	Fresh   bool // a new code was queued; otherwise an earlier one is still valid
	UsedUp  bool // the code was tried too often; there is no new one until it expires
	Version int  // version of the draft that the code approves
}

// errUnchanged aborts a change that has nothing to write.
var errUnchanged = errors.New("nothing changed")

// AskCode e-mails a code to the recipient of a shared draft. While the last
// code is valid, it sends nothing and keeps counting the attempts.
func (s *Sharer) AskCode(ctx context.Context, token string, from From) (Asked, error) {
	link, err := s.draftLink(ctx, token)
	if err != nil {
		return Asked{}, err
	}
	var asked Asked
	_, err = s.Keeper.ChangeDraft(ctx, from.holder(link), link.Draft, func(f *Folder) error {
		if !f.leads(link) {
			return ErrGone()
		}
		if f.Approval != nil {
			return fault.Detail(fault.AlreadyApproved, "This draft is already approved.")
		}
		if f.Decline != nil {
			return errDeclined()
		}
		if err := f.checkWaiting(); err != nil {
			return err
		}
		if err := from.sees(&f.Draft); err != nil {
			return err
		}
		now := s.now()
		asked = Asked{To: masked(f.Recipient.Email), Expires: f.Code.Expires, Version: f.Version}
		if f.Code.current(&f.Draft, now) {
			asked.UsedUp = f.Code.Tries >= MostTries
			return errUnchanged
		}
		if f.Code.Made >= MostCodes {
			return fault.Detail(fault.NoMoreCodes, "No more codes can be sent for this link. Ask the sender for a new link.")
		}
		asked.Fresh, asked.Expires = true, now.Add(CodeLife)
		return s.newCode(link.Of, f, token, now)
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return Asked{}, guestError(err)
	}
	return asked, nil
}

// draftLink returns the link of a token, or an error if it does not lead to a
// draft.
func (s *Sharer) draftLink(ctx context.Context, token string) (Link, error) {
	link, err := s.link(ctx, token)
	if err != nil {
		return Link{}, err
	}
	if link.Draft == uuid.Nil {
		return Link{}, fault.Detail(fault.NothingToApprove, "This link shows an invoice, which needs no approval.")
	}
	return link, nil
}

// leads reports whether a link is still the link of the draft.
func (f *Folder) leads(l Link) bool { return f.Share != nil && bytes.Equal(f.Share.Digest, l.Digest) }

// newCode creates a code and the e-mail that contains it.
func (s *Sharer) newCode(of org.Tenant, f *Folder, token string, now time.Time) error {
	code, err := randomCode(s.Random)
	if err != nil {
		return err
	}
	sealed, err := s.Vault.Seal(CodePurpose, CodeOwner(f.Share.Digest), []byte(code))
	if err != nil {
		return fmt.Errorf("encrypt a code: %w", err)
	}
	f.Code = Code{Made: f.Code.Made + 1, Sealed: sealed, Version: f.Version, At: now, Expires: now.Add(CodeLife)}
	letter, err := s.codeLetter(of, f.Draft, s.address(token), code, f.Code.Expires)
	if err != nil {
		return err
	}
	f.Letters = append(f.Letters, letter)
	f.Action, f.Details = "draft.code_sent", map[string]any{"version": f.Version, "recipient": f.Recipient.Email, "made": f.Code.Made}
	return nil
}

// randomCode returns six random digits, uniformly distributed.
func randomCode(random io.Reader) (string, error) {
	const (
		codes = 1_000_000
		fair  = (1 << 32) / codes * codes // larger values would make some codes more likely
	)
	for {
		var raw [4]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return "", fmt.Errorf("generate a code: %w", err)
		}
		if n := binary.BigEndian.Uint32(raw[:]); n < fair {
			return fmt.Sprintf("%06d", n%codes), nil
		}
	}
}

// try compares a code with the one that was sent, and counts the attempt.
func (s *Sharer) try(f *Folder, code string) (right bool, err error) {
	sent, err := s.Vault.Open(CodePurpose, CodeOwner(f.Share.Digest), f.Code.Sealed)
	if err != nil {
		return false, fmt.Errorf("decrypt the code of draft %s: %w", f.ID, err)
	}
	f.Code.Tries++
	return subtle.ConstantTimeCompare(sent, []byte(code)) == 1, nil
}

// errWrongCode returns the error for a wrong code that can be tried left more
// times.
func errWrongCode(left int) error {
	detail := "The code is wrong. It can be tried " + strconv.Itoa(left) + " more times."
	switch left {
	case 0:
		detail = "The code was entered wrongly five times and is no longer valid. Request a new one ten minutes after the last one was sent."
	case 1:
		detail = "The code is wrong. It can be tried once more."
	}
	return fault.Detail(fault.WrongCode, detail).With("tries_left", left)
}

// errInvalidCode returns the error for a code that is not counted as an attempt.
func errInvalidCode() error {
	return fault.Detail(fault.InvalidCode, "The code is not valid: it must have six digits, and may have expired. Check it, or request a new one ten minutes after the last one was sent.")
}

// errDeclined returns the error for a draft that was declined.
func errDeclined() error {
	return fault.Detail(fault.AlreadyDeclined, "This draft was declined. Ask the sender to share it again.")
}

// digits normalises a typed code, which may have spaces or Arabic digits. It
// returns "" if the text is not a code.
func digits(typed string) string {
	if len(typed) > 64 {
		return ""
	}
	code := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case '٠' <= r && r <= '٩':
			return '0' + r - '٠'
		case '۰' <= r && r <= '۹':
			return '0' + r - '۰'
		}
		return r
	}, typed)
	if len(code) != 6 || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// masked hides most of an e-mail address, so that only its owner recognises it.
func masked(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	for _, first := range local {
		return string(first) + "***@" + domain
	}
	return "***@" + domain
}

// checkWaiting returns an error if the draft cannot be approved, because it is
// issued or being issued, or because its organisation is suspended or
// deactivated.
func (f *Folder) checkWaiting() error {
	switch {
	case f.Invoice != nil || f.Claim != nil:
		return fault.Detail(fault.NothingToApprove, "This draft has already been issued.")
	case f.Inactive:
		return fault.Detail(fault.SellerUnserved, "This draft cannot be approved at the moment. Ask the sender.")
	}
	return nil
}

// guestError converts an error to one that may be shown to holders of the link.
func guestError(err error) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	switch detail, _ := e.Fields["detail"].(string); e.Kind() {
	case fault.NotFound:
		return ErrGone()
	case fault.Exhausted:
		return fault.Detail(fault.EmailsRefused, detail)
	}
	return err
}
