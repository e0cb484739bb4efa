package vault

import (
	"fmt"

	"khatm/seal"
)

// signer signs with a device's key and does not give it away.
type signer struct{ key *seal.Key }

// Sign is of [seal.Signer].
func (s signer) Sign(message []byte) ([]byte, error) { return s.key.Sign(message) }

// PublicKey is of [seal.Signer].
func (s signer) PublicKey() []byte { return s.key.PublicKey() }

// String tells keys apart by their public half.
func (s signer) String() string { return s.key.String() }

// Signer opens the key of a device, to sign with.
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

// NewDeviceKey makes the key of a device: to sign with, and sealed to keep.
func (r *Ring) NewDeviceKey(purpose, owner string) (seal.Signer, []byte, error) {
	key, err := seal.NewKey(r.random)
	if err != nil {
		return nil, nil, fmt.Errorf("make %s: %w", label{purpose, owner}, err)
	}
	plain := key.Bytes()
	defer clear(plain)
	sealed, err := r.Seal(purpose, owner, plain)
	if err != nil {
		return nil, nil, err
	}
	return signer{key}, sealed, nil
}
