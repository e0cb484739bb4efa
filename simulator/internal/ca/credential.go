package ca

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"khatm/witness"
)

// Kind is what a credential is good for.
type Kind string

// The kinds: the first gets compliance checks and a production certificate,
// the second clearance, reporting and renewal.
const (
	ComplianceCSID Kind = "compliance"
	ProductionCSID Kind = "production"
)

// Credential is a certificate that was issued, as it stood when it was asked
// for.
type Credential struct {
	Environment Environment
	Kind        Kind
	RequestID   string
	Certificate *witness.Certificate // not to be changed
	Revoked     time.Time            // zero when it is not
	Steps       []string             // compliance steps passed, in the order they were

	id tokenID
}

// Token is the binarySecurityToken: base64 of the base64 text of the
// certificate. Clients send it back as it is.
func (c Credential) Token() string { return tokenOf(c.Certificate.Raw) }

func tokenOf(der []byte) string {
	text := base64.StdEncoding.EncodeToString(der)
	return base64.StdEncoding.EncodeToString([]byte(text))
}

// tokenID stands for a token, keyID for a public key in an environment.
type (
	tokenID [sha256.Size]byte
	keyID   [sha256.Size]byte
)

func idOf(token string) tokenID { return sha256.Sum256([]byte(token)) }

func keyIDOf(e Environment, spki []byte) keyID {
	return sha256.Sum256(append([]byte(e+" "), spki...))
}

// credential is a Credential as kept.
type credential struct {
	Credential
	secret   [sha256.Size]byte // SHA-256 of the secret's text
	replaces tokenID           // the production certificate that the next one takes the place of
}

// snapshot is the credential for a caller, who may keep it.
func (c *credential) snapshot() Credential {
	s := c.Credential
	s.Steps = slices.Clone(s.Steps)
	return s
}

// Denial is why a credential does not let its holder in.
type Denial string

// The denials. The authority answers 401 to each, without the reason.
const (
	UnknownToken     Denial = "unknown-token"
	WrongSecret      Denial = "wrong-secret"
	OtherEnvironment Denial = "other-environment"
	Expired          Denial = "expired"
	IsRevoked        Denial = "revoked"
	OtherKind        Denial = "other-kind" // a compliance certificate where a production one must be, or the reverse
)

// Denied says why a credential was not taken.
type Denied struct{ Denial Denial }

func (d *Denied) Error() string { return "credential denied: " + string(d.Denial) }

// Authenticate looks a credential up by its token, exactly as issued, and
// checks the secret and that it is good in the environment at the time. The
// error is a [*Denied].
func (a *Authority) Authenticate(e Environment, token, secret string, now time.Time) (Credential, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	c := a.credentials[idOf(token)]
	if c == nil {
		return Credential{}, &Denied{UnknownToken}
	}
	given := sha256.Sum256([]byte(secret))
	switch {
	case subtle.ConstantTimeCompare(given[:], c.secret[:]) != 1:
		return Credential{}, &Denied{WrongSecret}
	case c.Environment != e:
		return Credential{}, &Denied{OtherEnvironment}
	case now.After(c.Certificate.NotAfter):
		return Credential{}, &Denied{Expired}
	case !c.Revoked.IsZero():
		return Credential{}, &Denied{IsRevoked}
	}
	return c.snapshot(), nil
}

// Credentials lists all that were issued, the oldest first.
func (a *Authority) Credentials() []Credential {
	a.mu.RLock()
	defer a.mu.RUnlock()
	all := make([]Credential, len(a.order))
	for i, id := range a.order {
		all[i] = a.credentials[id].snapshot()
	}
	return all
}

// Revoke ends a credential. One that is revoked already keeps its time.
func (a *Authority) Revoke(c Credential, now time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.revoke(c.id, now)
}

func (a *Authority) revoke(id tokenID, now time.Time) error {
	kept := a.credentials[id]
	if kept == nil {
		return fmt.Errorf("revoke a credential: %w", &Denied{UnknownToken})
	}
	if kept.Revoked.IsZero() {
		kept.Revoked = now.UTC()
	}
	return nil
}

// Pass notes that a compliance certificate passed a compliance step, once or
// again, and returns the steps passed so far.
func (a *Authority) Pass(c Credential, step string) ([]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept := a.credentials[c.id]
	switch {
	case kept == nil:
		return nil, fmt.Errorf("note a compliance step: %w", &Denied{UnknownToken})
	case kept.Kind != ComplianceCSID:
		return nil, fmt.Errorf("note a compliance step: %w", &Denied{OtherKind})
	}
	if !slices.Contains(kept.Steps, step) {
		kept.Steps = append(kept.Steps, step)
	}
	return slices.Clone(kept.Steps), nil
}
