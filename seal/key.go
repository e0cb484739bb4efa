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

// Key is a device's private key on the curve secp256k1. Printing or marshalling
// it shows a fingerprint of the public key; only Bytes and PEM return the secret.
type Key struct {
	// A function, because fmt does not call the methods of a Key in an unexported
	// field: it prints the fields, and with a wrong verb even follows pointers. Of
	// a function it can print the address only.
	secret func() *secp256k1.PrivateKey
	public []byte // SubjectPublicKeyInfo
}

// NewKey generates a key. random must be a source of secure random bytes.
func NewKey(random io.Reader) (*Key, error) {
	// About one number in 2^128 is not a valid key. A source that fails repeatedly
	// is broken and must not block the caller forever.
	const draws = 8
	var raw [32]byte
	defer clear(raw[:])
	for range draws {
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return nil, fmt.Errorf("generate a key: %w", err)
		}
		if key, err := keyOf(raw[:]); err == nil {
			return key, nil
		}
	}
	return nil, errors.New("generate a key: the random source returned no valid number")
}

// ParseKey parses a key: the 32 bytes returned by [Key.Bytes], or an "EC PRIVATE
// KEY" in PEM as [Key.PEM] and openssl write it.
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
		return nil, errors.New("read a key: it is not on the curve secp256k1")
	}
	key, err := keyOf(sec1.Secret)
	if err != nil {
		return nil, err
	}
	if point := sec1.Public.Bytes; len(point) > 0 && string(point) != string(key.point()) {
		return nil, errors.New("read a key: its public key belongs to another private key")
	}
	return key, nil
}

func keyOf(scalar []byte) (*Key, error) {
	var secret secp256k1.PrivateKey
	if overflow := secret.Key.SetByteSlice(scalar); overflow || secret.Key.IsZero() {
		return nil, errors.New("read a key: the number is zero or not below the order of the curve")
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

// Bytes returns the 32 bytes of the private key, or nil for the zero Key.
func (k *Key) Bytes() []byte {
	if k.secret == nil {
		return nil
	}
	return k.secret().Serialize()
}

// PEM returns the private key in PEM, as openssl reads it, or nil for the zero
// Key.
func (k *Key) PEM() []byte {
	if k.secret == nil {
		return nil
	}
	der := marshal(sec1Key{1, k.Bytes(), oidSecp256k1, bitString(k.point())})
	return pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: der})
}

// PublicKey returns the public key as SubjectPublicKeyInfo, 88 bytes of DER, or
// nil for the zero Key.
func (k *Key) PublicKey() []byte { return append([]byte(nil), k.public...) }

// point returns the uncompressed point, the last bytes of the
// SubjectPublicKeyInfo.
func (k *Key) point() []byte {
	return k.public[len(k.public)-secp256k1.PubKeyBytesLenUncompressed:]
}

// Sign returns the ECDSA signature of the SHA-256 hash of the message, in DER.
// It is deterministic (RFC 6979).
func (k *Key) Sign(message []byte) ([]byte, error) {
	if k.secret == nil {
		return nil, errors.New("sign: the key is empty")
	}
	hash := sha256.Sum256(message)
	return ecdsa.Sign(k.secret(), hash[:]).Serialize(), nil
}

// verify reports whether the signature of the message is valid.
func verify(public *secp256k1.PublicKey, message, signature []byte) bool {
	parsed, err := ecdsa.ParseDERSignature(signature)
	if err != nil {
		return false
	}
	hash := sha256.Sum256(message)
	return parsed.Verify(hash[:], public)
}

// String returns "key" and the first 16 hexadecimal digits of the SHA-256 hash of
// the public key, enough to tell keys apart in a log.
func (k Key) String() string {
	fingerprint := sha256.Sum256(k.public)
	return "key " + hex.EncodeToString(fingerprint[:8])
}

// Format implements [fmt.Formatter]. It prints String for every verb, so that
// none prints the secret.
func (k Key) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// MarshalText returns String, for JSON and logs.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
