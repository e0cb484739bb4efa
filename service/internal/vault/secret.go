package vault

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[secret]"

// Secret carries a secret about. However it is printed, logged or marshalled,
// it says "[secret]"; only Reveal gives it away. The zero value is empty.
type Secret struct {
	// A function, for the reason that masterKey has one.
	reveal func() []byte
}

// NewSecret takes a copy of what is to be kept quiet.
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

// IsZero says whether there is no secret at all.
func (s Secret) IsZero() bool { return len(s.Reveal()) == 0 }

// Equal compares in a time that does not tell where two secrets differ.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare(s.Reveal(), other.Reveal()) == 1
}

// String does not tell the secret.
func (s Secret) String() string { return redacted }

// Format prints String for every verb.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// LogValue is String, for logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText is String, for whatever marshals to text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON is String, quoted.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }
