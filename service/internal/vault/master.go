package vault

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

const masterSize = 32

// keyID identifies a master key. It is a truncated hash of the key, not a
// secret.
type keyID [8]byte

func (id keyID) String() string { return hex.EncodeToString(id[:]) }

// masterKey is one key of a ring.
type masterKey struct {
	id      keyID
	created string
	// A function, because fmt prints unexported fields without calling their
	// methods, but prints only the address of a function.
	secret func() []byte
}

func newMasterKey(secret []byte, created string) (masterKey, error) {
	if len(secret) != masterSize {
		return masterKey{}, fmt.Errorf("has %d bytes, want %d", len(secret), masterSize)
	}
	own := bytes.Clone(secret)
	hash := sha256.Sum256(append([]byte("khatm master key\x00"), own...))
	return masterKey{id: keyID(hash[:8]), created: created, secret: func() []byte { return own }}, nil
}

func drawMasterKey(random io.Reader, created string) (masterKey, error) {
	var secret [masterSize]byte
	defer clear(secret[:])
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return masterKey{}, fmt.Errorf("generate a master key: %w", err)
	}
	return newMasterKey(secret[:], created)
}

// parseKeys parses comma-separated keys.
func parseKeys(text []byte) ([]masterKey, error) {
	var all []masterKey
	for part := range bytes.SplitSeq(text, []byte(",")) {
		key, err := parseMasterKey(bytes.TrimSpace(part), "")
		if err == nil && (&keys{all: all}).has(key.id) {
			err = errors.New("is a duplicate")
		}
		if err != nil {
			return nil, fmt.Errorf("key %d: %w; create one with openssl rand -base64 32", len(all)+1, err)
		}
		all = append(all, key)
	}
	return all, nil
}

// parseMasterKey parses a base64 key. Errors do not quote it.
func parseMasterKey(text []byte, created string) (masterKey, error) {
	secret, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	defer clear(secret)
	if err != nil {
		return masterKey{}, errors.New("is not valid base64")
	}
	return newMasterKey(secret, created)
}

func (k *keys) has(id keyID) bool {
	_, found := k.find(id)
	return found
}

// wrapping returns the cipher that wraps one data key. Each data key has its
// own wrapping key: with AES-GCM, one key allows only 2^32 random nonces, which
// a service that seals a link token per invoice could reach.
func (m masterKey) wrapping(salt []byte) cipher.AEAD {
	key, err := hkdf.Expand(sha256.New, m.secret(), "khatm wrap\x00"+string(salt), dataKeySize)
	if err != nil {
		panic(err) // only for a length that SHA-256 cannot produce
	}
	defer clear(key)
	return gcm(key)
}

func gcm(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // only for an invalid AES key length
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // only for a block size other than 16
	}
	return aead
}
