package vault

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Layout of a sealed value, with sizes in bytes:
//
//	version      1  always 1
//	master key   8  its id
//	salt        24  of the wrapping key
//	data key    48  wrapped
//	nonce       12  of the secret
//	secret       n  encrypted
//	tag         16
const (
	version     = 1
	saltSize    = 24
	dataKeySize = 32
	nonceSize   = 12
	tagSize     = 16

	saltAt    = 1 + len(keyID{})
	wrappedAt = saltAt + saltSize
	nonceAt   = wrappedAt + dataKeySize + tagSize
	secretAt  = nonceAt + nonceSize
	leastSize = secretAt + tagSize
)

// KeyID returns the id of the master key that a value is sealed with. It
// verifies nothing.
func KeyID(sealed []byte) (string, error) {
	id, err := idOf(sealed)
	if err != nil {
		return "", err
	}
	return id.String(), nil
}

func idOf(sealed []byte) (keyID, error) {
	switch {
	case len(sealed) < leastSize:
		return keyID{}, fmt.Errorf("sealed value has %d bytes, want at least %d", len(sealed), leastSize)
	case sealed[0] != version:
		return keyID{}, fmt.Errorf("sealed value has unknown version %d", sealed[0])
	}
	return keyID(sealed[1:saltAt]), nil
}

// label is what a sealed value is bound to. Purpose and owner are part of both
// layers, each with its length, so that different pairs are never encoded
// alike.
type label struct{ purpose, owner string }

func labelOf(purpose, owner string) (label, error) {
	if purpose == "" || owner == "" {
		return label{}, errors.New("a secret needs a purpose and an owner")
	}
	return label{purpose, owner}, nil
}

// wrap returns the additional data of the data key: the head of the value,
// which binds version and master key, and the label.
func (l label) wrap(sealed []byte) []byte {
	return l.append(append([]byte("khatm data key\x00"), sealed[:saltAt]...))
}

// secret returns the additional data of the secret. It does not include the
// master key, so that Rewrap can keep the secret unchanged.
func (l label) secret() []byte { return l.append([]byte("khatm secret\x00")) }

func (l label) append(to []byte) []byte {
	for _, part := range []string{l.purpose, l.owner} {
		to = binary.AppendUvarint(to, uint64(len(part)))
		to = append(to, part...)
	}
	return to
}

func (l label) String() string { return l.purpose + " of " + l.owner }
