package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// errNoKey returns the same error for every key that does not work: telling an
// unknown key from a revoked one would only help an attacker.
func errNoKey() error { return fault.New(fault.InvalidKey, "Invalid or revoked API key") }

// Key returns the holder of a key. It is called on every request and caches
// nothing, so that a revoked key fails on the next request. The call is counted
// in the rate window between from and until.
func (a *Accounts) Key(ctx context.Context, text string, from, until time.Time) (org.Holder, error) {
	name, digest, formed := org.SplitKey(text)
	if !formed {
		return org.Holder{}, errNoKey()
	}
	kept, err := a.keep.KeyHolder(ctx, KeyLookup{Name: name, Digest: digest[:], At: a.now(), From: from, Until: until})
	if errors.Is(err, ErrUnknown) {
		kept.Digest = make([]byte, sha256.Size) // compare anyway, so that timing does not reveal known names
	} else if err != nil {
		return org.Holder{}, err
	}
	same := org.SameDigest(digest[:], kept.Digest)
	if err != nil || !same || kept.Revoked {
		return org.Holder{}, errNoKey()
	}
	return kept.Holder, nil
}

// Session returns the visitor of a session token.
func (a *Accounts) Session(ctx context.Context, token string) (org.Visitor, error) {
	visitor, err := a.keep.Visitor(ctx, digestOf(token), a.now())
	if errors.Is(err, ErrUnknown) {
		return visitor, fault.New(fault.SessionExpired, "The session is unknown or has expired. Sign in again.")
	}
	return visitor, err
}
