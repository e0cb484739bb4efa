package vault

import (
	"errors"
	"fmt"
	"io"
)

// errAltered does not say which layer failed: only an attacker could use that.
var errAltered = errors.New("the sealed value was altered, or belongs to another purpose or owner")

// Seal encrypts a secret with the active master key. The result can be opened
// only with the same purpose and owner.
func (r *Ring) Seal(purpose, owner string, plain []byte) ([]byte, error) {
	l, err := labelOf(purpose, owner)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	now, err := r.current()
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", l, err)
	}
	var drawn [dataKeySize + nonceSize]byte
	defer clear(drawn[:])
	if _, err := io.ReadFull(r.random, drawn[:]); err != nil {
		return nil, fmt.Errorf("seal %s: generate a data key: %w", l, err)
	}
	dataKey, nonce := drawn[:dataKeySize], drawn[dataKeySize:]
	sealed, err := r.wrap(now.all[0], l, dataKey, nonceSize+len(plain)+tagSize)
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", l, err)
	}
	sealed = append(sealed, nonce...)
	return gcm(dataKey).Seal(sealed, nonce, plain, l.secret()), nil
}

// Open decrypts a value that was sealed for this purpose and owner, with any
// master key of the ring.
func (r *Ring) Open(purpose, owner string, sealed []byte) ([]byte, error) {
	l, err := labelOf(purpose, owner)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	dataKey, err := r.unwrap(l, sealed)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", l, err)
	}
	defer clear(dataKey)
	plain, err := gcm(dataKey).Open(nil, sealed[nonceAt:secretAt], sealed[secretAt:], l.secret())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", l, errAltered)
	}
	return plain, nil
}

// Rewrap wraps the data key of a sealed value with the active master key; the
// encrypted secret stays the same. A value already under the active key is
// returned unchanged and unverified.
func (r *Ring) Rewrap(purpose, owner string, sealed []byte) (out []byte, changed bool, err error) {
	l, err := labelOf(purpose, owner)
	if err != nil {
		return nil, false, fmt.Errorf("rewrap: %w", err)
	}
	now, err := r.current()
	if err != nil {
		return nil, false, fmt.Errorf("rewrap %s: %w", l, err)
	}
	active := now.all[0]
	if id, err := idOf(sealed); err == nil && id == active.id {
		return sealed, false, nil
	}
	dataKey, err := r.unwrap(l, sealed)
	if err != nil {
		return nil, false, fmt.Errorf("rewrap %s: %w", l, err)
	}
	defer clear(dataKey)
	out, err = r.wrap(active, l, dataKey, len(sealed)-nonceAt)
	if err != nil {
		return nil, false, fmt.Errorf("rewrap %s: %w", l, err)
	}
	return append(out, sealed[nonceAt:]...), true, nil
}

// wrap writes the first part of a sealed value, up to the wrapped data key, with
// capacity for the rest.
func (r *Ring) wrap(key masterKey, l label, dataKey []byte, rest int) ([]byte, error) {
	head := make([]byte, wrappedAt, nonceAt+rest)
	head[0] = version
	copy(head[1:], key.id[:])
	if _, err := io.ReadFull(r.random, head[saltAt:]); err != nil {
		return nil, fmt.Errorf("generate a salt: %w", err)
	}
	// The wrapping key is used once, so the nonce may be zero.
	var nonce [nonceSize]byte
	return key.wrapping(head[saltAt:]).Seal(head, nonce[:], dataKey, l.wrap(head)), nil
}

// unwrap opens the data key of a sealed value.
func (r *Ring) unwrap(l label, sealed []byte) ([]byte, error) {
	id, err := idOf(sealed)
	if err != nil {
		return nil, err
	}
	key, err := r.find(id)
	if err != nil {
		return nil, err
	}
	var nonce [nonceSize]byte
	wrapping := key.wrapping(sealed[saltAt:wrappedAt])
	dataKey, err := wrapping.Open(nil, nonce[:], sealed[wrappedAt:nonceAt], l.wrap(sealed))
	if err != nil {
		return nil, errAltered
	}
	return dataKey, nil
}
