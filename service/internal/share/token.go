package share

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// tokenBytes is the number of random bytes in a token.
const tokenBytes = 32

// newLink creates a link to an invoice or a draft.
func (s *Sharer) newLink(owner uuid.UUID) (token string, link ledger.Share, err error) {
	var raw [tokenBytes]byte
	if _, err := io.ReadFull(s.Random, raw[:]); err != nil {
		return "", link, fmt.Errorf("generate a share token: %w", err)
	}
	token = base64.RawURLEncoding.EncodeToString(raw[:])
	link = ledger.Share{Digest: digestOf(token), Expires: s.now().Add(Life)}
	link.Sealed, err = s.Vault.Seal(issue.SharePurpose, owner.String(), []byte(token))
	if err != nil {
		return "", link, fmt.Errorf("encrypt a share token: %w", err)
	}
	return token, link, nil
}

// digestOf returns the digest by which a token is looked up.
func digestOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// address returns the URL of the page for a token.
func (s *Sharer) address(token string) string { return s.URL + "/s/" + token }

// LinkOf returns the URL of a shared draft, or "" if the draft is not shared.
func (s *Sharer) LinkOf(d Draft) (string, error) {
	if d.Share == nil {
		return "", nil
	}
	token, err := s.Vault.Open(issue.SharePurpose, d.ID.String(), d.Share.Sealed)
	if err != nil {
		return "", fmt.Errorf("decrypt the link of draft %s: %w", d.ID, err)
	}
	return s.address(string(token)), nil
}
