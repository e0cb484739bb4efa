// Package ca is the simulator's certificate authority: it checks certificate
// requests as strictly as the tax authority is known to, issues compliance and
// production certificates, authenticates their holders, and adds the
// authority's stamp to cleared documents.
//
// It knows nothing about HTTP, one-time passwords or tax rules; time and random
// source are passed in. It returns a [*Refusal] for an invalid certificate
// request, a [*Denied] for an invalid credential and an [*Unclearable] for a
// document that cannot be cleared; package simulator converts each to the
// answer of the real authority.
//
// The package shares no code with the packages that write and sign Khatm's
// documents. Its certificates are not trusted anywhere else: the issuers' keys
// are new, and the name of each production issuer begins with KHATM.
package ca

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Environment is one of the three environments of the authority. A certificate
// of one is not valid in the others.
type Environment string

// The environments, with the last part of their paths on the gateway.
const (
	Sandbox    Environment = "sandbox"    // developer-portal
	Simulation Environment = "simulation" // simulation
	Production Environment = "production" // core
)

// environments lists the environments with the template that a request must
// name and the name of the issuer of production certificates: the real issuer's
// name with a prefix that marks it as simulated.
var environments = []struct {
	environment Environment
	template    string
	issuer      string
}{
	{Sandbox, "TSTZATCA-Code-Signing", "KHATM-DOUBLE-TSZEINVOICESCA1-CA"},
	{Simulation, "PREZATCA-Code-Signing", "KHATM-DOUBLE-PEZEINVOICESCA2-CA"},
	{Production, "ZATCA-Code-Signing", "KHATM-DOUBLE-PRZEINVOICESCA4-CA"},
}

// Config configures an Authority.
type Config struct {
	Random io.Reader // source of keys, serials and secrets; read by one goroutine at a time
	Now    time.Time // start of the issuers' validity; ignored if State is set
	State  []byte    // result of Export to restore; nil for a new authority
}

// Authority issues certificates in three environments. It is safe for
// concurrent use.
type Authority struct {
	mu          sync.RWMutex
	random      io.Reader
	tick        int64 // last value returned by next
	issuers     map[Environment]issuers
	stamp       *stamper
	credentials map[tokenID]*credential
	order       []tokenID // in the order of issue
	keys        map[keyID]bool
}

// issuers holds the two issuers of one environment.
type issuers struct{ compliance, production *issuer }

// New returns an authority with new keys, or one restored from cfg.State.
func New(cfg Config) (*Authority, error) {
	a := &Authority{
		random:      cfg.Random,
		issuers:     map[Environment]issuers{},
		credentials: map[tokenID]*credential{},
		keys:        map[keyID]bool{},
	}
	if cfg.State != nil {
		if err := a.restore(cfg.State); err != nil {
			return nil, fmt.Errorf("restore the authority: %w", err)
		}
		return a, nil
	}
	if err := a.fresh(cfg.Now); err != nil {
		return nil, fmt.Errorf("create the authority: %w", err)
	}
	return a, nil
}

func (a *Authority) fresh(now time.Time) error {
	for _, w := range environments {
		compliance, err := newIssuer(a.random, complianceName(), now)
		if err != nil {
			return err
		}
		production, err := newIssuer(a.random, productionName(w.issuer), now)
		if err != nil {
			return err
		}
		a.issuers[w.environment] = issuers{compliance, production}
	}
	key, err := newKey(a.random)
	if err != nil {
		return err
	}
	a.stamp, err = a.certifyStamp(key, now)
	return err
}

// Issuers returns the self-signed certificates (DER) of an environment's
// issuers, with which issued certificates can be verified. They are nil for an
// unknown environment.
func (a *Authority) Issuers(e Environment) (compliance, production []byte) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	i, known := a.issuers[e]
	if !known {
		return nil, nil
	}
	return i.compliance.certificate, i.production.certificate
}
