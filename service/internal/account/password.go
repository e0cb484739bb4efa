package account

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"

	"khatm/service/internal/capacity"
)

const (
	saltBytes = 16
	hashBytes = 32
)

// Cost holds the argon2id parameters for hashing a password.
type Cost struct {
	Memory uint32 // in KiB
	Passes uint32
	Lanes  uint8
}

// DefaultCost returns the minimum that OWASP recommends.
func DefaultCost() Cost { return Cost{Memory: 19 * 1024, Passes: 2, Lanes: 1} }

// prefix returns the beginning of every hash of this cost.
func (c Cost) prefix() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, c.Memory, c.Passes, c.Lanes)
}

// hasher makes and checks password hashes. Many sign-ins must not take memory and
// processor time from issuing invoices, so that each needs capacity.
type hasher struct {
	random   io.Reader
	cost     Cost
	capacity *capacity.Limits
	computed *atomic.Int64
}

func newHasher(c Config) hasher {
	return hasher{random: c.Random, cost: cmp.Or(c.Cost, DefaultCost()), capacity: c.Capacity, computed: &atomic.Int64{}}
}

// of returns the hash of a password in the PHC string format.
func (h hasher) of(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(h.random, salt); err != nil {
		return "", fmt.Errorf("generate salt: %w", err)
	}
	sum, err := h.sum(ctx, password, salt)
	if err != nil {
		return "", err
	}
	text := base64.RawStdEncoding.EncodeToString
	return h.cost.prefix() + text(salt) + "$" + text(sum), nil
}

// fits reports whether password matches the stored hash. If the hash is empty it
// does the same work and returns false.
func (h hasher) fits(ctx context.Context, password, kept string) (bool, error) {
	parts := strings.Split(kept, "$")
	salt, want := make([]byte, saltBytes), make([]byte, hashBytes)
	known := len(parts) == 6 && strings.HasPrefix(kept, h.cost.prefix())
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
	job, err := h.capacity.ProcessBriefly(ctx, int64(h.cost.Memory)<<10)
	if err != nil {
		return nil, err
	}
	defer job.End()
	h.computed.Add(1)
	return argon2.IDKey([]byte(password), salt, h.cost.Passes, h.cost.Memory, h.cost.Lanes, hashBytes), nil
}
