package account

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// LinkPurpose is what an access link is for.
type LinkPurpose string

// SetUpLink is the purpose of a link that creates the first account and organisation.
const SetUpLink LinkPurpose = "setup"

// AccessLink is a secret link that works once. The token in its URL is not stored,
// only the digest.
type AccessLink struct {
	ID        uuid.UUID
	Digest    []byte
	Purpose   LinkPurpose
	Of        org.Tenant // of an invitation
	Person    uuid.UUID  // whose password, or who signs in; zero for others
	Request   uuid.UUID  // Reset that a password link answers; not stored
	Email     string     // of the person; empty for set-up
	Role      org.Role   // of an invitation
	CreatedBy string
	CreatedAt time.Time
	Expires   time.Time
}

// newLink creates a link and the token in its URL.
func (a *Accounts) newLink(by org.Actor, purpose LinkPurpose, life time.Duration) (token string, link AccessLink, err error) {
	token, digest, err := a.newToken()
	if err != nil {
		return "", link, err
	}
	now := a.now()
	return token, AccessLink{ID: a.newID(), Digest: digest, Purpose: purpose, CreatedBy: by.Name, CreatedAt: now, Expires: now.Add(life)}, nil
}

// newToken returns a token with 256 random bits and its digest.
func (a *Accounts) newToken() (token string, digest []byte, err error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(a.random, raw); err != nil {
		return "", nil, fmt.Errorf("generate a token: %w", err)
	}
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, digestOf(token), nil
}

// digestOf returns what is stored of a token.
func digestOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// ErrLink returns the error for a link that does not work. It is the same for an
// unknown, expired, used and revoked link.
func ErrLink() error {
	return fault.New(fault.LinkNotAvailable, "The link does not work. It may have been used, replaced or have expired.")
}
