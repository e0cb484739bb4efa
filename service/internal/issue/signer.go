package issue

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"khatm/seal"
)

// deviceSigner signs for a device.
type deviceSigner struct {
	sealed      []byte // the stored key
	token       string // the stored certificate
	signer      seal.Signer
	certificate *seal.Certificate
}

// signerCache caches the signers of recently used devices: opening a key and
// parsing a certificate takes nearly as long as a stamp. A cached signer is
// used only if its key and certificate are those in the database.
type signerCache struct {
	vault Vault

	mu   sync.Mutex
	kept map[uuid.UUID]*deviceSigner
}

// maxSigners is the capacity of the cache. When it is full, it is emptied.
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
