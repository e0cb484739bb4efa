package device

import (
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[secret]"

// Secret is a secret string, such as an API secret or a one-time password. It
// prints, logs and marshals as "[secret]"; only Reveal returns the text.
type Secret struct {
	// A function, because fmt prints unexported fields without calling their
	// methods, but prints only the address of a function.
	reveal func() string
}

// NewSecret returns text as a Secret.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Reveal returns the secret text.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero reports whether the secret is empty.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

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
