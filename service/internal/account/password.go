package account

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of a password: argon2id with 19 MiB and two passes, as OWASP has it.
const (
	argonMemory = 19 * 1024
	argonPasses = 2
	argonLanes  = 1
	saltBytes   = 16
	hashBytes   = 32
)

// hasher makes and checks password hashes, two at a time, so that a flood of
// sign-ins takes neither all memory nor all cores from issuing.
type hasher struct {
	random io.Reader
	slots  chan struct{}
}

func newHasher(random io.Reader) hasher {
	return hasher{random: random, slots: make(chan struct{}, 2)}
}

// of gives the hash of a password in its own notation.
func (h hasher) of(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(h.random, salt); err != nil {
		return "", fmt.Errorf("draw a salt: %w", err)
	}
	sum, err := h.sum(ctx, password, salt)
	if err != nil {
		return "", err
	}
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonLanes, text(salt), text(sum)), nil
}

// fits says whether a password is the one that was hashed. For somebody who
// has none it does the same work and says no.
func (h hasher) fits(ctx context.Context, password, kept string) (bool, error) {
	parts := strings.Split(kept, "$")
	salt, want := make([]byte, saltBytes), make([]byte, hashBytes)
	known := len(parts) == 6 && strings.HasPrefix(kept, fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, argonMemory, argonPasses, argonLanes))
	if known {
		var errSalt, errHash error
		salt, errSalt = base64.RawStdEncoding.DecodeString(parts[4])
		want, errHash = base64.RawStdEncoding.DecodeString(parts[5])
		known = errSalt == nil && errHash == nil && len(want) == hashBytes
	}
	sum, err := h.sum(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return known && subtle.ConstantTimeCompare(sum, want) == 1, nil
}

func (h hasher) sum(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.slots }()
	return argon2.IDKey([]byte(password), salt, argonPasses, argonMemory, argonLanes, hashBytes), nil
}
