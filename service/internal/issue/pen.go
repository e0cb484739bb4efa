package issue

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"khatm/seal"
)

// pen is what a device stamps with.
type pen struct {
	sealed      []byte // the key as it is kept
	token       string // the certificate as it is kept
	signer      seal.Signer
	certificate *seal.Certificate
}

// pens keeps the pens of devices that have stamped lately: to open a key and to
// read a certificate takes nearly as long as to stamp. What the database says
// counts: a pen that was made of another key or certificate is not used.
type pens struct {
	vault Vault

	mu   sync.Mutex
	kept map[uuid.UUID]*pen
}

// mostPens bounds what is kept. When there are more, all are made anew.
const mostPens = 1024

func (p *pens) of(c *Chain) (*pen, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if kept := p.kept[c.ID]; kept != nil && bytes.Equal(kept.sealed, c.Key) && kept.token == c.Token {
		return kept, nil
	}
	signer, err := p.vault.Signer(DeviceKey, c.ID.String(), c.Key)
	if err != nil {
		return nil, fmt.Errorf("open the key of device %s: %w", c.ID, err)
	}
	certificate, err := seal.ParseCertificate([]byte(c.Token))
	if err != nil {
		return nil, fmt.Errorf("read the certificate of device %s: %w", c.ID, err)
	}
	if p.kept == nil || len(p.kept) >= mostPens {
		p.kept = map[uuid.UUID]*pen{}
	}
	made := &pen{sealed: c.Key, token: c.Token, signer: signer, certificate: certificate}
	p.kept[c.ID] = made
	return made, nil
}
