// Package ca is the certificate authority of the simulator: it reads
// certificate requests as strictly as the tax authority is known to, issues
// the two certificates of a device's life, knows who may come in with them,
// and puts the authority's own stamp on documents that were cleared.
//
// It knows no HTTP, no one-time password and no tax rule, and has no clock and
// no random source of its own. What it cannot accept is a [*Refusal] (of a
// request), a [*Denied] (of a credential) or an [*Unclearable] (of a document);
// the face of the simulator turns each into the body the real authority answers.
//
// Nothing here is by the code that writes and signs the product's documents.
// Every certificate is worthless outside the simulator: its issuers are made
// fresh, and the name of each production issuer says whose it is.
package ca

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Environment is one of the three worlds of the authority. A certificate of
// one is unknown in the others.
type Environment string

// The environments, and the last part of each one's path on the gateway.
const (
	Sandbox    Environment = "sandbox"    // developer-portal
	Simulation Environment = "simulation" // simulation
	Production Environment = "production" // core
)

// worlds are the environments with the template a request must name there and
// the name of the issuer of production certificates, which is the real one's
// behind a mark that the real one will never have.
var worlds = []struct {
	environment Environment
	template    string
	issuer      string
}{
	{Sandbox, "TSTZATCA-Code-Signing", "KHATM-DOUBLE-TSZEINVOICESCA1-CA"},
	{Simulation, "PREZATCA-Code-Signing", "KHATM-DOUBLE-PEZEINVOICESCA2-CA"},
	{Production, "ZATCA-Code-Signing", "KHATM-DOUBLE-PRZEINVOICESCA4-CA"},
}

// Config is what an authority is made from.
type Config struct {
	Random io.Reader // of keys, serials and secrets; read by one goroutine at a time
	Now    time.Time // from when on the issuers are valid; not used with State
	State  []byte    // what Export returned, to go on from there; nil for a fresh authority
}

// Authority issues certificates in three environments. It may be used by many
// goroutines.
type Authority struct {
	mu          sync.RWMutex
	random      io.Reader
	tick        int64 // the last number that was the time in milliseconds
	issuers     map[Environment]issuers
	stamp       *stamper
	credentials map[tokenID]*credential
	order       []tokenID // of issue
	keys        map[keyID]bool
}

// issuers are those of one environment.
type issuers struct{ compliance, production *issuer }

// New makes an authority with fresh keys, or one that goes on from a state.
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
		return nil, fmt.Errorf("make the authority: %w", err)
	}
	return a, nil
}

func (a *Authority) fresh(now time.Time) error {
	for _, w := range worlds {
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
// issuers, by which others can check what was issued; nil for no environment.
func (a *Authority) Issuers(e Environment) (compliance, production []byte) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	i, known := a.issuers[e]
	if !known {
		return nil, nil
	}
	return i.compliance.certificate, i.production.certificate
}
