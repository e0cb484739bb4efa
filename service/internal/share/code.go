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
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Bounds of codes. With five tries of a million, and twenty codes a link, who
// guesses at random opens one link of ten thousand in its whole life.
const (
	CodeLife  = 10 * time.Minute
	MostTries = 5
	MostCodes = 20

	// CodePurpose is what codes are sealed for; the owner is the link, by
	// CodeOwner.
	CodePurpose = "draft-code"
)

// CodeOwner names a link as the owner of its code.
func CodeOwner(digest []byte) string { return hex.EncodeToString(digest) }

// Code is the code that approves a draft, of one link and one version.
type Code struct {
	Made    int // how many were made for the link, this one included
	Sealed  []byte
	Version int
	At      time.Time
	Expires time.Time
	Tries   int
}

// current says whether the code was made lately, for the draft as it is. That
// does not mean that it still has tries.
func (c Code) current(d *Draft, now time.Time) bool {
	return c.Made > 0 && c.Version == d.Version && now.Before(c.Expires)
}

// Asked is what came of asking for a code.
type Asked struct {
	To      string // the address it was sent to, masked
	Expires time.Time
	Fresh   bool // a letter is on its way; else there is one already
	UsedUp  bool // the code was tried too often: there is none before it expires
	Version int  // of the draft that it approves
}

// errUnchanged ends a change that has nothing to write.
var errUnchanged = errors.New("nothing is changed")

// AskCode sends the recipient of a shared draft a code to approve it with.
// While the last one is valid nothing is sent, and its tries are not forgotten.
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
			return refused("This draft is approved already.")
		}
		if err := f.waits(); err != nil {
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
			return refused("No more codes can be sent for this link. Ask the sender for a new one.")
		}
		asked.Fresh, asked.Expires = true, now.Add(CodeLife)
		return s.newCode(link.Of, f, token, now)
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return Asked{}, told(err)
	}
	return asked, nil
}

// draftLink is the link of a token that leads to a draft.
func (s *Sharer) draftLink(ctx context.Context, token string) (Link, error) {
	link, err := s.link(ctx, token)
	if err != nil {
		return Link{}, err
	}
	if link.Draft == uuid.Nil {
		return Link{}, refused("This link shows an invoice, which needs no approval.")
	}
	return link, nil
}

// leads says whether a link is still the one of the draft.
func (f *Folder) leads(l Link) bool { return f.Share != nil && bytes.Equal(f.Share.Digest, l.Digest) }

// newCode makes a code, and the letter that brings it.
func (s *Sharer) newCode(of org.Tenant, f *Folder, token string, now time.Time) error {
	code, err := drawCode(s.Random)
	if err != nil {
		return err
	}
	sealed, err := s.Vault.Seal(CodePurpose, CodeOwner(f.Share.Digest), []byte(code))
	if err != nil {
		return fmt.Errorf("seal a code: %w", err)
	}
	f.Code = Code{Made: f.Code.Made + 1, Sealed: sealed, Version: f.Version, At: now, Expires: now.Add(CodeLife)}
	letter, err := s.codeLetter(of, f.Draft, s.address(token), code, f.Code.Expires)
	if err != nil {
		return err
	}
	f.Letters = append(f.Letters, letter)
	f.Deed, f.Details = "draft.code_sent", map[string]any{"version": f.Version, "recipient": f.Recipient.Email, "made": f.Code.Made}
	return nil
}

// drawCode draws six digits, each combination as likely as any other.
func drawCode(random io.Reader) (string, error) {
	const (
		codes = 1_000_000
		fair  = (1 << 32) / codes * codes // beyond it some codes would be more likely
	)
	for {
		var raw [4]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return "", fmt.Errorf("draw a code: %w", err)
		}
		if n := binary.BigEndian.Uint32(raw[:]); n < fair {
			return fmt.Sprintf("%06d", n%codes), nil
		}
	}
}

// try compares a code with the one that was sent, and counts the try.
func (s *Sharer) try(f *Folder, code string) (right bool, err error) {
	sent, err := s.Vault.Open(CodePurpose, CodeOwner(f.Share.Digest), f.Code.Sealed)
	if err != nil {
		return false, fmt.Errorf("open the code of draft %s: %w", f.ID, err)
	}
	f.Code.Tries++
	return subtle.ConstantTimeCompare(sent, []byte(code)) == 1, nil
}

// digits reads a code as people type it: with spaces, or in Arabic digits. What
// is no code at all is empty.
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

// masked is an e-mail address that its owner recognises and nobody else learns.
func masked(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	for _, first := range local {
		return string(first) + "***@" + domain
	}
	return "***@" + domain
}

// waits refuses whoever would approve a draft that is an invoice already, or is
// about to be one, and any of an organisation that is not served: it could not
// be issued.
func (f *Folder) waits() error {
	switch {
	case f.Invoice != nil || f.Claim != nil:
		return refused("This draft is issued already.")
	case f.Inactive:
		return (&fault.Error{Kind: fault.Invalid, Code: Unserved}).With("detail", "This draft cannot be approved at the moment. Ask the sender.")
	}
	return nil
}

// told is an error as those are told it who only have the link.
func told(err error) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	switch detail, _ := e.Fields["detail"].(string); e.Kind {
	case fault.NotFound:
		return ErrGone()
	case fault.Exhausted:
		return refused(detail)
	}
	return err
}

// refused is the refusal of what was sent by a link.
func refused(detail string) error {
	return (&fault.Error{Kind: fault.Invalid}).With("detail", detail)
}
