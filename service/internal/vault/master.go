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

// keyID names a master key. It is the beginning of a hash and no secret.
type keyID [8]byte

func (id keyID) String() string { return hex.EncodeToString(id[:]) }

// masterKey is one key of a ring.
type masterKey struct {
	id      keyID
	created string
	// A function, because fmt prints the parts of what sits in an unexported
	// field and asks no method. Of a function it can only print the address.
	secret func() []byte
}

func newMasterKey(secret []byte, created string) (masterKey, error) {
	if len(secret) != masterSize {
		return masterKey{}, errors.New("it is not 32 bytes long")
	}
	own := bytes.Clone(secret)
	hash := sha256.Sum256(append([]byte("khatm master key\x00"), own...))
	return masterKey{id: keyID(hash[:8]), created: created, secret: func() []byte { return own }}, nil
}

func drawMasterKey(random io.Reader, created string) (masterKey, error) {
	var secret [masterSize]byte
	defer clear(secret[:])
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return masterKey{}, fmt.Errorf("draw a master key: %w", err)
	}
	return newMasterKey(secret[:], created)
}

// parseKeys reads keys that were given as a text.
func parseKeys(text []byte) ([]masterKey, error) {
	var all []masterKey
	for part := range bytes.SplitSeq(text, []byte(",")) {
		key, err := parseMasterKey(bytes.TrimSpace(part), "")
		if err == nil && (&keys{all: all}).has(key.id) {
			err = errors.New("it is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("key %d: %w; openssl rand -base64 32 makes one", len(all)+1, err)
		}
		all = append(all, key)
	}
	return all, nil
}

// parseMasterKey reads a key in base64. Its errors do not quote it.
func parseMasterKey(text []byte, created string) (masterKey, error) {
	secret, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	defer clear(secret)
	if err != nil {
		return masterKey{}, errors.New("it is not base64")
	}
	return newMasterKey(secret, created)
}

func (k *keys) has(id keyID) bool {
	_, found := k.find(id)
	return found
}

// wrapping gives the cipher that wraps one data key. Each has a wrapping key of
// its own: under one AES-GCM key 2^32 random nonces are the bound, which a
// service that mints a link with every invoice would reach.
func (m masterKey) wrapping(salt []byte) cipher.AEAD {
	key, err := hkdf.Expand(sha256.New, m.secret(), "khatm wrap\x00"+string(salt), dataKeySize)
	if err != nil {
		panic(err) // only of a length that SHA-256 cannot give
	}
	defer clear(key)
	return gcm(key)
}

func gcm(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // only of a length that is no AES key's
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // only of a block that is not 16 bytes
	}
	return aead
}
