package ca

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"khatm/witness"
)

// stateVersion must be raised when an older state could be misread.
const stateVersion = 1

// The JSON form of an authority's state, with byte strings in base64. It
// contains the issuers' private keys, so only its owner must be able to read
// it. Clients' secrets are stored as digests only.
type (
	state struct {
		Version      int                `json:"version"`
		Tick         int64              `json:"tick"`
		Environments []environmentState `json:"environments"`
		Stamp        pairState          `json:"stamp"`
		Credentials  []credentialState  `json:"credentials"`
	}
	environmentState struct {
		Environment Environment `json:"environment"`
		Compliance  pairState   `json:"compliance"`
		Production  pairState   `json:"production"`
	}
	pairState struct {
		Key         []byte `json:"key"`
		Certificate []byte `json:"certificate"`
	}
	credentialState struct {
		Environment Environment `json:"environment"`
		Kind        Kind        `json:"kind"`
		RequestID   string      `json:"requestID"`
		Certificate []byte      `json:"certificate"`
		Secret      []byte      `json:"secretDigest"`
		Replaces    []byte      `json:"replaces,omitempty"`
		Revoked     *time.Time  `json:"revoked,omitempty"`
		Steps       []string    `json:"steps,omitempty"`
	}
)

// Export returns the whole state for [Config.State], including the effect of
// every call that has returned.
func (a *Authority) Export() ([]byte, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	s := state{Version: stateVersion, Tick: a.tick, Stamp: pairState{a.stamp.key.bytes(), a.stamp.certificate.Raw}}
	for _, w := range environments {
		i := a.issuers[w.environment]
		s.Environments = append(s.Environments, environmentState{w.environment, i.compliance.state(), i.production.state()})
	}
	for _, id := range a.order {
		s.Credentials = append(s.Credentials, a.credentials[id].state())
	}
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return nil, fmt.Errorf("export the authority: %w", err)
	}
	return text, nil
}

func (i *issuer) state() pairState { return pairState{i.key.bytes(), i.certificate} }

func (c *credential) state() credentialState {
	s := credentialState{
		Environment: c.Environment,
		Kind:        c.Kind,
		RequestID:   c.RequestID,
		Certificate: c.Certificate.Raw,
		Secret:      c.secret[:],
		Steps:       c.Steps,
	}
	if c.replaces != (tokenID{}) {
		s.Replaces = c.replaces[:]
	}
	if !c.Revoked.IsZero() {
		s.Revoked = &c.Revoked
	}
	return s
}

func (a *Authority) restore(text []byte) error {
	var s state
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return err
	}
	if s.Version != stateVersion {
		return fmt.Errorf("the state has version %d, want %d", s.Version, stateVersion)
	}
	a.tick = s.Tick
	if err := a.restoreIssuers(s.Environments); err != nil {
		return err
	}
	key, certificate, err := s.Stamp.read()
	if err != nil {
		return fmt.Errorf("read the stamp: %w", err)
	}
	a.stamp = newStamper(key, certificate)
	for n, kept := range s.Credentials {
		c, err := kept.read()
		if err != nil {
			return fmt.Errorf("credential %d: %w", n+1, err)
		}
		if a.issuers[c.Environment].compliance == nil || a.credentials[c.id] != nil {
			return fmt.Errorf("credential %d: unknown environment or repeated credential", n+1)
		}
		a.keep(c)
	}
	return nil
}

func (a *Authority) restoreIssuers(kept []environmentState) error {
	for _, w := range environments {
		for _, k := range kept {
			if k.Environment != w.environment {
				continue
			}
			compliance, err := k.Compliance.issuer(complianceName())
			if err != nil {
				return fmt.Errorf("issuer of %s: %w", w.environment, err)
			}
			production, err := k.Production.issuer(productionName(w.issuer))
			if err != nil {
				return fmt.Errorf("issuer of %s: %w", w.environment, err)
			}
			a.issuers[w.environment] = issuers{compliance, production}
		}
		if a.issuers[w.environment].production == nil {
			return fmt.Errorf("environment %s is missing", w.environment)
		}
	}
	return nil
}

// read returns the key and its certificate, or an error if they do not match.
func (p pairState) read() (key, *witness.Certificate, error) {
	k, err := keyOf(p.Key)
	if err != nil {
		return key{}, nil, err
	}
	c, err := witness.ReadCertificate(p.Certificate)
	if err != nil {
		return key{}, nil, err
	}
	if !bytes.Equal(c.PublicKey, k.public()) {
		return key{}, nil, errors.New("the certificate does not match the key")
	}
	return k, c, nil
}

func (p pairState) issuer(name issuerName) (*issuer, error) {
	k, c, err := p.read()
	if err != nil {
		return nil, err
	}
	return &issuer{key: k, name: name.der, common: name.common, certificate: c.Raw}, nil
}

func (s credentialState) read() (*credential, error) {
	read, err := witness.ReadCertificate(s.Certificate)
	if err != nil {
		return nil, err
	}
	c := &credential{Credential: Credential{
		Environment: s.Environment,
		Kind:        s.Kind,
		RequestID:   s.RequestID,
		Certificate: read,
		Steps:       s.Steps,
		id:          idOf(tokenOf(read.Raw)),
	}}
	if s.Revoked != nil {
		c.Revoked = *s.Revoked
	}
	switch {
	case s.Kind != ComplianceCSID && s.Kind != ProductionCSID:
		return nil, fmt.Errorf("unknown kind %q", s.Kind)
	case copy(c.secret[:], s.Secret) != len(c.secret) || len(s.Secret) != len(c.secret):
		return nil, errors.New("secretDigest is not a SHA-256 digest")
	case s.Replaces != nil && (copy(c.replaces[:], s.Replaces) != len(c.replaces) || len(s.Replaces) != len(c.replaces)):
		return nil, errors.New("replaces is not a SHA-256 digest")
	}
	return c, nil
}
