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

// Issued is a new credential with its token and its secret. The secret is not
// stored and cannot be returned again.
type Issued struct {
	Credential
	BinarySecurityToken string
	Secret              string // base64 of 32 random bytes
}

// IssueCompliance issues a compliance certificate. It returns a [*Refusal] if
// the key already has a certificate in the environment, unless the request was
// read by [ReadLax].
func (a *Authority) IssueCompliance(r *Request, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.keys[keyIDOf(r.Environment, r.PublicKey)] {
		if err := r.tolerate(refuse(KeyReused, "", "the key already has a certificate in this environment")); err != nil {
			return nil, err
		}
	}
	return a.certify(r.Environment, ComplianceCSID, r.registration(), tokenID{}, now)
}

// IssueProduction issues a production certificate to the authenticated holder
// of a compliance certificate, who has passed the checks. If the compliance
// certificate came from RenewByChecks, the certificate that it renews is
// revoked.
func (a *Authority) IssueProduction(c Credential, requestID string, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept, err := a.usable(c, ComplianceCSID)
	if err != nil {
		return nil, err
	}
	if requestID != kept.RequestID {
		return nil, refuse(UnknownRequestID, "", "%q is not the request ID of this compliance certificate", clip(requestID))
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

// Renew replaces a production certificate at once and revokes the old one.
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

// RenewByChecks starts a renewal with a compliance certificate, with which the
// checks must be passed again. The production certificate stays valid until
// IssueProduction issues the next one.
func (a *Authority) RenewByChecks(c Credential, r *Request, now time.Time) (*Issued, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.renewable(c, r); err != nil {
		return nil, err
	}
	return a.certify(r.Environment, ComplianceCSID, r.registration(), c.id, now)
}

// usable returns the stored credential, or a [*Denied] if it is of another kind
// or has been revoked since it was authenticated.
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

// renewable returns an error if the certificate cannot be renewed. The
// authority allows the old key to be used again. The key of another certificate
// is refused, because two devices would share it.
func (a *Authority) renewable(c Credential, r *Request) error {
	kept, err := a.usable(c, ProductionCSID)
	if err != nil {
		return err
	}
	switch {
	case kept.Environment != r.Environment:
		return &Denied{OtherEnvironment}
	case kept.Certificate.VATNumber != r.VATNumber:
		return refuse(OtherTaxpayer, "UID", "the certificate to renew belongs to another taxpayer")
	case string(kept.Certificate.PublicKey) != string(r.PublicKey) && a.keys[keyIDOf(r.Environment, r.PublicKey)]:
		return refuse(KeyReused, "", "the key already has a certificate in this environment")
	}
	return nil
}

// certify issues a certificate and stores its credential.
func (a *Authority) certify(e Environment, kind Kind, r registration, replaces tokenID, now time.Time) (*Issued, error) {
	i, known := a.issuers[e]
	if !known {
		return nil, fmt.Errorf("issue a certificate: unknown environment %q", e)
	}
	tick, err := a.next(now)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, 32)
	if _, err := io.ReadFull(a.random, raw); err != nil {
		return nil, fmt.Errorf("generate a secret: %w", err)
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

// next returns the time in milliseconds, increased if needed to be unique: for
// two calls in one millisecond, or after the clock was set back. The result has
// 13 digits and, as a serial, 6 bytes.
func (a *Authority) next(now time.Time) (int64, error) {
	tick := max(now.UnixMilli(), a.tick+1)
	const first, last = 1<<40 + 1, 9_999_999_999_999 // 2004 to 2286
	if tick < first || tick > last {
		return 0, fmt.Errorf("issue a certificate: the year %d does not fit in the serial", now.Year())
	}
	a.tick = tick
	return tick, nil
}

// clip shortens a client's text for an error message.
func clip(text string) string {
	const most = 64
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
