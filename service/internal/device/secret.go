package device

import (
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[secret]"

// Secret is a text that the authority gave, or wants, and nobody else may see:
// the half of a credential, a one-time password. However it is printed, logged
// or marshalled it says "[secret]"; only Reveal gives it away.
type Secret struct {
	// A function, because fmt prints the parts of what sits in an unexported
	// field and asks no method. Of a function it can only print the address.
	reveal func() string
}

// NewSecret takes what is to be kept quiet.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Reveal returns the text.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero says whether there is no secret at all.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

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
