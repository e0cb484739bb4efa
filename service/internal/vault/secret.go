package vault

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[secret]"

// Secret holds a secret. It prints, logs and marshals as "[secret]"; only
// Reveal returns the content. The zero value is empty.
type Secret struct {
	// A function, for the same reason as in masterKey.
	reveal func() []byte
}

// NewSecret returns a copy of plain as a Secret.
func NewSecret(plain []byte) Secret {
	own := bytes.Clone(plain)
	return Secret{func() []byte { return own }}
}

// Reveal returns a copy of the secret, which the caller may clear.
func (s Secret) Reveal() []byte {
	if s.reveal == nil {
		return nil
	}
	return bytes.Clone(s.reveal())
}

// IsZero reports whether the secret is empty.
func (s Secret) IsZero() bool { return len(s.Reveal()) == 0 }

// Equal compares two secrets in constant time.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare(s.Reveal(), other.Reveal()) == 1
}

// String returns "[secret]".
func (s Secret) String() string { return redacted }

// Format prints "[secret]" for every verb.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// LogValue implements [slog.LogValuer].
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText implements [encoding.TextMarshaler].
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON implements [json.Marshaler].
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }
