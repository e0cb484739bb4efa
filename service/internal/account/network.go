package account

import (
	"context"
	"crypto/sha256"
	"time"
)

// How long a network stays known after the last sign-in from it, and how many
// networks of a person are known.
const (
	networkLife  = 90 * 24 * time.Hour
	mostNetworks = 20
)

// KnowsNetwork reports whether the person with this e-mail address has signed in
// from the network lately. It does the same work for an unknown address.
func (a *Accounts) KnowsNetwork(ctx context.Context, email, network string) (bool, error) {
	email, err := ParseEmail(email)
	if err != nil {
		return false, err
	}
	return a.keep.KnowsNetwork(ctx, networkDigest(email, network), a.now().Add(-networkLife))
}

// networkDigest returns what is stored of a network: a digest, so that the
// database has no list of where people are.
func networkDigest(email, network string) []byte {
	digest := sha256.Sum256([]byte(email + "\x00" + network))
	return digest[:]
}
