package issue

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"khatm/seal"
)

// deviceSigner is what a device stamps with: its key and its certificate.
type deviceSigner struct {
	sealed      []byte // the key as it is kept
	token       string // the certificate as it is kept
	signer      seal.Signer
	certificate *seal.Certificate
}

// signerCache keeps the signers of devices that have stamped lately: to open a
// key and to read a certificate takes nearly as long as to stamp. The database
// decides: a signer that was made of another key or certificate is not used.
type signerCache struct {
	vault Vault

	mu   sync.Mutex
	kept map[uuid.UUID]*deviceSigner
}

// maxSigners bounds what is kept. When there are more, all are made anew.
const maxSigners = 1024

func (s *signerCache) of(c *Chain) (*deviceSigner, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept := s.kept[c.ID]; kept != nil && bytes.Equal(kept.sealed, c.Key) && kept.token == c.Token {
		return kept, nil
	}
	signer, err := s.vault.Signer(DeviceKey, c.ID.String(), c.Key)
	if err != nil {
		return nil, fmt.Errorf("open the key of device %s: %w", c.ID, err)
	}
	certificate, err := seal.ParseCertificate([]byte(c.Token))
	if err != nil {
		return nil, fmt.Errorf("read the certificate of device %s: %w", c.ID, err)
	}
	if s.kept == nil || len(s.kept) >= maxSigners {
		s.kept = map[uuid.UUID]*deviceSigner{}
	}
	made := &deviceSigner{sealed: c.Key, token: c.Token, signer: signer, certificate: certificate}
	s.kept[c.ID] = made
	return made, nil
}
