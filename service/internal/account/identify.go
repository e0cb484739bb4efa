package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// errNoKey is the answer to every key that does not work, whatever the reason:
// telling an unknown key from a revoked one would help only a thief.
func errNoKey() error { return fault.New(fault.Unauthenticated, "Invalid or revoked API key") }

// Key finds who stands behind the text of a key. It is asked on every request
// and remembers nothing, so that a revoked key fails at the very next.
// The call is in the rate window from then until then.
func (a *Accounts) Key(ctx context.Context, text string, from, until time.Time) (org.Holder, error) {
	name, digest, formed := org.SplitKey(text)
	if !formed {
		return org.Holder{}, errNoKey()
	}
	kept, err := a.keep.KeyHolder(ctx, Knock{Name: name, Digest: digest[:], At: a.now(), From: from, Until: until})
	if errors.Is(err, ErrUnknown) {
		kept.Digest = make([]byte, sha256.Size) // as much work as for a known name
	} else if err != nil {
		return org.Holder{}, err
	}
	same := org.SameDigest(digest[:], kept.Digest)
	if err != nil || !same || kept.Revoked {
		return org.Holder{}, errNoKey()
	}
	return kept.Holder, nil
}

// Session finds who stands behind the token of a session.
func (a *Accounts) Session(ctx context.Context, token string) (org.Visitor, error) {
	digest := sha256.Sum256([]byte(token))
	visitor, err := a.keep.Visitor(ctx, digest[:], a.now())
	if errors.Is(err, ErrUnknown) {
		return visitor, fault.New(fault.Unauthenticated, "The session is unknown or over. Sign in again.")
	}
	return visitor, err
}
