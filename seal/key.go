package seal

import (
	"crypto/sha256"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// Key is a device's private key on the curve secp256k1. However it is printed
// or marshalled, it shows a fingerprint of its public half and no secret; only
// Bytes and PEM give the secret away.
type Key struct {
	// A function, because fmt does not ask a Key that sits in an unexported
	// field: it prints the parts, even behind a pointer if the verb is a wrong
	// one. Of a function it can only print the address.
	secret func() *secp256k1.PrivateKey
	public []byte // SubjectPublicKeyInfo
}

// NewKey makes a key from a source of secure randomness.
func NewKey(random io.Reader) (*Key, error) {
	// One draw in 2^128 is no valid scalar. A source that fails repeatedly is
	// broken, and must not hold the caller for ever.
	const draws = 8
	var raw [32]byte
	defer clear(raw[:])
	for range draws {
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return nil, fmt.Errorf("draw a key: %w", err)
		}
		if key, err := keyOf(raw[:]); err == nil {
			return key, nil
		}
	}
	return nil, errors.New("draw a key: the random source gives no valid number")
}

// ParseKey reads a key: the 32 bytes that Bytes returns, or the text that PEM
// returns and openssl writes for "EC PRIVATE KEY".
func ParseKey(raw []byte) (*Key, error) {
	if len(raw) == secp256k1.PrivKeyBytesLen {
		return keyOf(raw)
	}
	block, err := pemBlock(raw, pemKey)
	if err != nil {
		return nil, fmt.Errorf("read a key (32 bytes or PEM): %w", err)
	}
	var sec1 sec1Key
	if err := unmarshal(block, &sec1); err != nil {
		return nil, fmt.Errorf("read a key: %w", err)
	}
	if sec1.Version != 1 || !sec1.Curve.Equal(oidSecp256k1) || len(sec1.Secret) != secp256k1.PrivKeyBytesLen {
		return nil, errors.New("read a key: it is not one on the curve secp256k1")
	}
	key, err := keyOf(sec1.Secret)
	if err != nil {
		return nil, err
	}
	if point := sec1.Public.Bytes; len(point) > 0 && string(point) != string(key.point()) {
		return nil, errors.New("read a key: its public half belongs to another key")
	}
	return key, nil
}

func keyOf(scalar []byte) (*Key, error) {
	var secret secp256k1.PrivateKey
	if overflow := secret.Key.SetByteSlice(scalar); overflow || secret.Key.IsZero() {
		return nil, errors.New("read a key: the number is zero or beyond the order of the curve")
	}
	return &Key{
		secret: func() *secp256k1.PrivateKey { return &secret },
		public: marshal(newPublicKey(secret.PubKey())),
	}, nil
}

// sec1Key is ECPrivateKey of RFC 5915.
type sec1Key struct {
	Version int
	Secret  []byte
	Curve   asn1.ObjectIdentifier `asn1:"optional,explicit,tag:0"`
	Public  asn1.BitString        `asn1:"optional,explicit,tag:1"`
}

// Bytes returns the secret number, 32 bytes, or nothing of an empty key.
func (k *Key) Bytes() []byte {
	if k.secret == nil {
		return nil
	}
	return k.secret().Serialize()
}

// PEM returns the secret as openssl reads it, or nothing of an empty key.
func (k *Key) PEM() []byte {
	if k.secret == nil {
		return nil
	}
	der := marshal(sec1Key{1, k.Bytes(), oidSecp256k1, bitString(k.point())})
	return pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: der})
}

// PublicKey returns the public half as SubjectPublicKeyInfo, 88 bytes of
// DER, or nothing of an empty key.
func (k *Key) PublicKey() []byte { return append([]byte(nil), k.public...) }

// point is the end of the SubjectPublicKeyInfo.
func (k *Key) point() []byte {
	return k.public[len(k.public)-secp256k1.PubKeyBytesLenUncompressed:]
}

// Sign returns the ECDSA signature, in DER, of the SHA-256 of the message. The
// same message always gets the same signature (RFC 6979).
func (k *Key) Sign(message []byte) ([]byte, error) {
	if k.secret == nil {
		return nil, errors.New("sign: the key is empty")
	}
	hash := sha256.Sum256(message)
	return ecdsa.Sign(k.secret(), hash[:]).Serialize(), nil
}

// verify reports whether the holder of the public key signed the message.
func verify(public *secp256k1.PublicKey, message, signature []byte) bool {
	parsed, err := ecdsa.ParseDERSignature(signature)
	if err != nil {
		return false
	}
	hash := sha256.Sum256(message)
	return parsed.Verify(hash[:], public)
}

// String returns "key" and the first 16 digits of the SHA-256 of the public
// half: enough to tell two keys apart in a log.
func (k Key) String() string {
	fingerprint := sha256.Sum256(k.public)
	return "key " + hex.EncodeToString(fingerprint[:8])
}

// Format prints String for every verb, so that none reaches the secret.
func (k Key) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// MarshalText returns String, for JSON and for logs.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
