package ca

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"time"

	"khatm/witness"
)

// Issued is a new credential with the two texts that are told only once.
type Issued struct {
	Credential
	BinarySecurityToken string
	Secret              string // base64 of 32 random bytes
}

// IssueCompliance answers a request with a compliance certificate. A key that
// has a certificate in the environment already is a [*Refusal].
func (a *Authority) IssueCompliance(r *Request, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.keys[keyIDOf(r.Environment, r.PublicKey)] {
		return nil, refuse(KeyReused, "", "its key has a certificate already")
	}
	return a.certify(r.Environment, ComplianceCSID, r.registration(), tokenID{}, now)
}

// IssueProduction gives the holder of a compliance certificate, who was let in
// with it and passed the checks, the production certificate. If the compliance
// certificate came from RenewByChecks, the one renewed is revoked now.
func (a *Authority) IssueProduction(c Credential, requestID string, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept, err := a.usable(c, ComplianceCSID)
	if err != nil {
		return nil, err
	}
	if requestID != kept.RequestID {
		return nil, refuse(UnknownRequestID, "", "%q is not the number of this compliance certificate", clip(requestID))
	}
	r, err := registrationOf(kept.Certificate)
	if err != nil {
		return nil, err
	}
	issued, err := a.certify(kept.Environment, ProductionCSID, r, tokenID{}, now)
	if err == nil && kept.replaces != (tokenID{}) {
		err = a.revoke(kept.replaces, now)
	}
	return issued, err
}

// Renew replaces a production certificate at once and revokes it.
func (a *Authority) Renew(c Credential, r *Request, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.renewable(c, r); err != nil {
		return nil, err
	}
	issued, err := a.certify(r.Environment, ProductionCSID, r.registration(), tokenID{}, now)
	if err == nil {
		err = a.revoke(c.id, now)
	}
	return issued, err
}

// RenewByChecks answers a renewal with a compliance certificate, with which
// the checks are passed again. The production certificate stays good until
// IssueProduction gives the next one.
func (a *Authority) RenewByChecks(c Credential, r *Request, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.renewable(c, r); err != nil {
		return nil, err
	}
	return a.certify(r.Environment, ComplianceCSID, r.registration(), c.id, now)
}

// usable finds a credential again: since its holder was let in, another
// request may have revoked it.
func (a *Authority) usable(c Credential, kind Kind) (*credential, error) {
	kept := a.credentials[c.id]
	switch {
	case kept == nil:
		return nil, &Denied{UnknownToken}
	case kept.Kind != kind:
		return nil, &Denied{OtherKind}
	case !kept.Revoked.IsZero():
		return nil, &Denied{IsRevoked}
	}
	return kept, nil
}

// renewable checks a renewal. The authority takes the old key again; the key of
// another certificate would make two devices one.
func (a *Authority) renewable(c Credential, r *Request) error {
	kept, err := a.usable(c, ProductionCSID)
	if err != nil {
		return err
	}
	switch {
	case kept.Environment != r.Environment:
		return &Denied{OtherEnvironment}
	case kept.Certificate.VATNumber != r.VATNumber:
		return refuse(OtherTaxpayer, "UID", "the certificate to renew is of another taxpayer")
	case string(kept.Certificate.PublicKey) != string(r.PublicKey) && a.keys[keyIDOf(r.Environment, r.PublicKey)]:
		return refuse(KeyReused, "", "its key has a certificate already")
	}
	return nil
}

// certify makes the certificate and the credential and keeps them.
func (a *Authority) certify(e Environment, kind Kind, r registration, replaces tokenID, now time.Time) (*Issued, error) {
	i, known := a.issuers[e]
	if !known {
		return nil, fmt.Errorf("issue a certificate: there is no environment %q", e)
	}
	tick, err := a.next(now)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, 32)
	if _, err := io.ReadFull(a.random, raw); err != nil {
		return nil, fmt.Errorf("draw a secret: %w", err)
	}
	var der []byte
	if kind == ComplianceCSID {
		der = i.compliance.compliance(r, tick, now)
	} else {
		serial, err := longSerial(a.random)
		if err != nil {
			return nil, err
		}
		der = i.production.production(r, serial, now)
	}
	read, err := witness.ReadCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("issue a certificate: %w", err)
	}
	secret := base64.StdEncoding.EncodeToString(raw)
	c := &credential{
		Credential: Credential{Environment: e, Kind: kind, RequestID: strconv.FormatInt(tick, 10), Certificate: read, id: idOf(tokenOf(der))},
		secret:     sha256.Sum256([]byte(secret)),
		replaces:   replaces,
	}
	a.keep(c)
	return &Issued{c.snapshot(), tokenOf(der), secret}, nil
}

func (a *Authority) keep(c *credential) {
	a.credentials[c.id] = c
	a.order = append(a.order, c.id)
	a.keys[keyIDOf(c.Environment, c.Certificate.PublicKey)] = true
}

// next is the time in milliseconds, made unique: two in one millisecond, or
// after the clock was set back, get numbers one apart. It has 13 digits and, as
// a serial, 6 bytes.
func (a *Authority) next(now time.Time) (int64, error) {
	tick := max(now.UnixMilli(), a.tick+1)
	const first, last = 1<<40 + 1, 9_999_999_999_999 // 2004 to 2286
	if tick < first || tick > last {
		return 0, fmt.Errorf("issue a certificate: the year %d cannot be written in its serial", now.Year())
	}
	a.tick = tick
	return tick, nil
}

// clip shortens what a client sent, for a message.
func clip(text string) string {
	const most = 64
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
