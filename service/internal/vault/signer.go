package vault

import (
	"fmt"

	"khatm/seal"
)

// signer signs with the key of a device without exposing it.
type signer struct{ key *seal.Key }

// Sign implements [seal.Signer].
func (s signer) Sign(message []byte) ([]byte, error) { return s.key.Sign(message) }

// PublicKey implements [seal.Signer].
func (s signer) PublicKey() []byte { return s.key.PublicKey() }

// String identifies the key by its public part.
func (s signer) String() string { return s.key.String() }

// Signer opens the key of a device for signing.
func (r *Ring) Signer(purpose, owner string, sealed []byte) (seal.Signer, error) {
	plain, err := r.Open(purpose, owner, sealed)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	key, err := seal.ParseKey(plain)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", label{purpose, owner}, err)
	}
	return signer{key}, nil
}

// NewDeviceKey generates the key of a device and returns it for signing and
// sealed for storage.
func (r *Ring) NewDeviceKey(purpose, owner string) (seal.Signer, []byte, error) {
	key, err := seal.NewKey(r.random)
	if err != nil {
		return nil, nil, fmt.Errorf("generate %s: %w", label{purpose, owner}, err)
	}
	plain := key.Bytes()
	defer clear(plain)
	sealed, err := r.Seal(purpose, owner, plain)
	if err != nil {
		return nil, nil, err
	}
	return signer{key}, sealed, nil
}
