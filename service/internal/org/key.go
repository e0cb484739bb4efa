package org

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
)

// Key is an API key as it is stored: everything but the secret.
type Key struct {
	ID        uuid.UUID
	Name      string // first 12 characters, such as svc_ab12cd3_; public, safe to log
	Title     string // name given by its owner
	Role      Role
	Scopes    []Scope
	CreatedAt time.Time
	CreatedBy string
	RevokedAt *time.Time
}

// A key consists of svc_, 7 letters or digits, _, and 43 characters of
// A–Z a–z 0–9 _ -.
const (
	keyPrefix    = "svc_"
	keyIDLength  = 7
	keySecret    = 43
	keyNameBytes = len(keyPrefix) + keyIDLength + 1
)

// LooksLikeKey reports whether a bearer token has the prefix of an API key.
func LooksLikeKey(token string) bool {
	return len(token) >= len(keyPrefix) && token[:len(keyPrefix)] == keyPrefix
}

// SplitKey returns the public name of a key and the digest of the whole key. ok
// is false if the token does not have the form of a key.
func SplitKey(token string) (name string, digest [sha256.Size]byte, ok bool) {
	if name = FormedKeyName(token); name == "" {
		return "", digest, false
	}
	return name, sha256.Sum256([]byte(token)), true
}

// FormedKeyName returns the public name of a key, or the empty string if the token
// does not have the form of a key: svc_, seven alphanumeric characters, an
// underscore and 43 characters of an alphabet of 64.
func FormedKeyName(token string) string {
	if len(token) != keyNameBytes+keySecret || !LooksLikeKey(token) || token[keyNameBytes-1] != '_' {
		return ""
	}
	for i := len(keyPrefix); i < len(token); i++ {
		c := token[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case i >= keyNameBytes-1 && (c == '_' || c == '-'):
		default:
			return ""
		}
	}
	return token[:keyNameBytes]
}

// KeyName returns the public part of a token that may be mistyped or too short.
func KeyName(token string) string { return token[:min(len(token), keyNameBytes)] }

// SameDigest reports whether two digests are equal, in constant time.
func SameDigest(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	urlSafe      = alphanumeric + "-_"
)

// NewKeyText returns the text of a new random key. Its secret has 43 characters
// of an alphabet of 64, that is 258 bits, so a plain digest of it is safe to
// store.
func NewKeyText(random io.Reader) (string, error) {
	id, err := draw(random, alphanumeric, keyIDLength)
	if err != nil {
		return "", err
	}
	secret, err := draw(random, urlSafe, keySecret)
	if err != nil {
		return "", err
	}
	return keyPrefix + id + "_" + secret, nil
}

// draw returns n characters picked evenly from the alphabet: it discards bytes
// that would favour the first characters.
func draw(random io.Reader, alphabet string, n int) (string, error) {
	fair := 256 - 256%len(alphabet)
	out := make([]byte, 0, n)
	buffer := make([]byte, n)
	for len(out) < n {
		if _, err := io.ReadFull(random, buffer); err != nil {
			return "", fmt.Errorf("generate key: %w", err)
		}
		for _, b := range buffer {
			if int(b) < fair && len(out) < n {
				out = append(out, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(out), nil
}
