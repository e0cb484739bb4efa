package vault

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A sealed value is, one after the other:
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

// KeyID tells under which master key a value is sealed. Nothing is verified.
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
		return keyID{}, fmt.Errorf("%d bytes are no sealed value", len(sealed))
	case sealed[0] != version:
		return keyID{}, fmt.Errorf("sealed in version %d, which is not known here", sealed[0])
	}
	return keyID(sealed[1:saltAt]), nil
}

// label is what a sealed value is bound to. Purpose and owner stand in both
// layers, each with its length, so that no pair reads like another.
type label struct{ purpose, owner string }

func labelOf(purpose, owner string) (label, error) {
	if purpose == "" || owner == "" {
		return label{}, errors.New("a secret needs a purpose and an owner")
	}
	return label{purpose, owner}, nil
}

// wrap is the additional data of the data key: the head of the value, so that
// version and master key are bound too, and the label.
func (l label) wrap(sealed []byte) []byte {
	return l.append(append([]byte("khatm data key\x00"), sealed[:saltAt]...))
}

// secret is the additional data of the secret. The master key is not in it: a
// rewrapped value keeps its secret as it is.
func (l label) secret() []byte { return l.append([]byte("khatm secret\x00")) }

func (l label) append(to []byte) []byte {
	for _, part := range []string{l.purpose, l.owner} {
		to = binary.AppendUvarint(to, uint64(len(part)))
		to = append(to, part...)
	}
	return to
}

func (l label) String() string { return l.purpose + " of " + l.owner }
