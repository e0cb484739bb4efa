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

// Kind is the kind of a credential.
type Kind string

// The kinds. A compliance credential allows compliance checks and requesting a
// production certificate; a production credential allows clearance, reporting
// and renewal.
const (
	ComplianceCSID Kind = "compliance"
	ProductionCSID Kind = "production"
)

// Credential is a copy of an issued credential, as of the time of the call.
type Credential struct {
	Environment Environment
	Kind        Kind
	RequestID   string
	Certificate *witness.Certificate // must not be modified
	Revoked     time.Time            // zero if not revoked
	Steps       []string             // compliance steps passed, in order

	id tokenID
}

// Token returns the binarySecurityToken: the base64 text of the certificate,
// encoded in base64 again. Clients send it unchanged as the user name.
func (c Credential) Token() string { return tokenOf(c.Certificate.Raw) }

func tokenOf(der []byte) string {
	text := base64.StdEncoding.EncodeToString(der)
	return base64.StdEncoding.EncodeToString([]byte(text))
}

// tokenID is the hash of a token, keyID the hash of a public key in an
// environment.
type (
	tokenID [sha256.Size]byte
	keyID   [sha256.Size]byte
)

func idOf(token string) tokenID { return sha256.Sum256([]byte(token)) }

func keyIDOf(e Environment, spki []byte) keyID {
	return sha256.Sum256(append([]byte(e+" "), spki...))
}

// credential is a stored Credential.
type credential struct {
	Credential
	secret   [sha256.Size]byte // SHA-256 of the secret's text
	replaces tokenID           // production certificate to revoke when the next one is issued
}

// snapshot returns a copy for the caller.
func (c *credential) snapshot() Credential {
	s := c.Credential
	s.Steps = slices.Clone(s.Steps)
	return s
}

// Denial is the reason for denying a credential.
type Denial string

// The reasons. The authority answers 401 in each case, without the reason.
const (
	UnknownToken     Denial = "unknown-token"
	WrongSecret      Denial = "wrong-secret"
	OtherEnvironment Denial = "other-environment"
	Expired          Denial = "expired"
	IsRevoked        Denial = "revoked"
	OtherKind        Denial = "other-kind" // a compliance certificate instead of a production certificate, or the reverse
)

// Denied is the error for a credential that is denied.
type Denied struct{ Denial Denial }

func (d *Denied) Error() string { return "credential denied: " + string(d.Denial) }

// Authenticate looks up a credential by its token, exactly as issued, and
// checks the secret, the environment and the validity at the given time. The
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

// Credentials returns all issued credentials, oldest first.
func (a *Authority) Credentials() []Credential {
	a.mu.RLock()
	defer a.mu.RUnlock()
	all := make([]Credential, len(a.order))
	for i, id := range a.order {
		all[i] = a.credentials[id].snapshot()
	}
	return all
}

// Revoke revokes a credential. If it is revoked already, the earlier time is
// kept.
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

// Pass records that a compliance certificate passed a compliance step and
// returns the steps passed so far.
func (a *Authority) Pass(c Credential, step string) ([]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept := a.credentials[c.id]
	switch {
	case kept == nil:
		return nil, fmt.Errorf("record a compliance step: %w", &Denied{UnknownToken})
	case kept.Kind != ComplianceCSID:
		return nil, fmt.Errorf("record a compliance step: %w", &Denied{OtherKind})
	}
	if !slices.Contains(kept.Steps, step) {
		kept.Steps = append(kept.Steps, step)
	}
	return slices.Clone(kept.Steps), nil
}
