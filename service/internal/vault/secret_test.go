package vault_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/internal/vault"
)

// verbs are all verbs of fmt, and some that do not exist.
var verbs = strings.Fields("%v %+v %#v %s %q %x %X %d %b %o %c %U %e %g %t %p %T %w %y %-20s %#x %+q %10.3v")

// printed formats a value in every way in which it may get into a log:
// directly, and inside structures, where fmt does not call its methods.
func printed(t testing.TB, value any) string {
	t.Helper()
	var out bytes.Buffer
	shapes := []any{
		value, &value, []any{value}, map[string]any{"a": value},
		struct{ Shown any }{value}, &struct{ hidden any }{value}, errors.Join(fmt.Errorf("of %v", value)),
	}
	for _, shape := range shapes {
		for _, verb := range verbs {
			fmt.Fprintf(&out, verb+"\n", shape)
		}
		for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(handler).Info("text", "key", shape, slog.Group("group", "key", shape))
			slog.New(handler).With("key", shape).Error("text")
		}
		if text, err := json.Marshal(shape); err == nil {
			out.Write(text)
		}
		if text, err := xml.Marshal(shape); err == nil {
			out.Write(text)
		}
	}
	return out.String()
}

// wantSilent checks that no encoding of the secret appears, however the value
// is printed.
func wantSilent(t testing.TB, value any, secret []byte) {
	t.Helper()
	text := printed(t, value)
	part := secret[:min(len(secret), 9)] // a whole number of digits in all encodings
	for name, encoded := range map[string]string{
		"raw": string(part), "base64": base64.StdEncoding.EncodeToString(part),
		"hexadecimal": hex.EncodeToString(part), "numbers": strings.Trim(fmt.Sprintf("%d", part), "[]"),
		"numbers with commas": strings.ReplaceAll(strings.Trim(fmt.Sprintf("%d", part), "[]"), " ", ", "),
		"in Go":               strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", part), "[]byte{"), "}"),
	} {
		if strings.Contains(strings.ToLower(text), strings.ToLower(encoded)) {
			t.Errorf("printing %T reveals its secret in %s", value, name)
		}
	}
}

func TestSecretIsSilent(t *testing.T) {
	plain := []byte("canary in the mine")
	s := vault.NewSecret(plain)
	wantSilent(t, s, plain)
	wantSilent(t, &s, plain)
	wantSilent(t, struct{ inner vault.Secret }{s}, plain)
	wantSilent(t, map[string]vault.Secret{"a": s}, plain)
	wantSilent(t, vault.Config{Keys: s}, plain)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		if got := fmt.Sprintf(verb, s); got != "[secret]" {
			t.Errorf("%s prints %q, want [secret]", verb, got)
		}
	}
	if got, err := json.Marshal(map[string]any{"a": s}); err != nil || string(got) != `{"a":"[secret]"}` {
		t.Errorf("JSON = %s, %v; want [secret]", got, err)
	}
}

// TestPrintedSees checks that printed reveals a secret that is not protected.
func TestPrintedSees(t *testing.T) {
	for name, leak := range map[string]any{
		"text": "canary in the mine", "bytes": []byte("canary in the mine"),
		"hidden bytes": struct{ b []byte }{[]byte("canary in the mine")},
	} {
		text := printed(t, leak)
		if !strings.Contains(text, "canary in") && !strings.Contains(text, "99 97 110") {
			t.Errorf("printed does not reveal %s", name)
		}
	}
}

func TestRingIsSilent(t *testing.T) {
	secret := bytes.Repeat([]byte("k3y!"), 8)
	ring := given(t, base64.StdEncoding.EncodeToString(secret))
	wantSilent(t, ring, secret)
	wantSilent(t, struct{ inner *vault.Ring }{ring}, secret)
	wantSilent(t, ring.Keys(), secret)
	if got := fmt.Sprintf("%+v", ring); got != "ring of 1, active "+ring.Keys()[0].ID {
		t.Errorf("the ring prints as %q, want its size and the active key", got)
	}

	path, line := keyFile(t)
	fromFile, err := base64.StdEncoding.DecodeString(strings.Fields(line)[1])
	if err != nil {
		t.Fatal(err)
	}
	wantSilent(t, filed(t, path), fromFile)
}

// No error contains a key or a secret.
func TestErrorsAreSilent(t *testing.T) {
	secret := bytes.Repeat([]byte("k3y!"), 8)
	text := base64.StdEncoding.EncodeToString(secret)
	ring := given(t, text)
	value := sealed(t, ring, "canary in the mine")
	value[len(value)-1] ^= 1
	_, altered := ring.Open(purpose, owner, value)
	_, moved := ring.Open("x", "y", value)
	_, unknown := given(t, keyOf(1)).Open(purpose, owner, value)
	_, twice := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(text + "," + text)), Random: strings.NewReader(""), Now: noon})
	_, spoilt := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(text[1:])), Random: strings.NewReader(""), Now: noon})
	_, path := vault.Load(vault.Config{File: filepath.Join(t.TempDir(), "x"), Random: strings.NewReader(""), Now: noon})
	_, noKey := ring.Signer(purpose, owner, sealed(t, ring, "canary in the mine"))
	for i, err := range []error{altered, moved, unknown, twice, spoilt, path, noKey} {
		if err == nil {
			t.Fatalf("case %d returned no error", i)
		}
		wantSilent(t, err, secret)
		wantSilent(t, err, []byte("canary in the mine"))
	}
}

func TestSecretIsACopy(t *testing.T) {
	plain := []byte("secret")
	s := vault.NewSecret(plain)
	clear(plain)
	got := s.Reveal()
	if string(got) != "secret" {
		t.Errorf("Reveal = %q, want secret", got)
	}
	clear(got)
	if got := s.Reveal(); string(got) != "secret" {
		t.Errorf("second Reveal = %q, want secret", got)
	}
	if got := (vault.Secret{}).Reveal(); got != nil {
		t.Errorf("Reveal of the zero value = %q, want nil", got)
	}
}

func TestSecretEqual(t *testing.T) {
	one, same, other := vault.NewSecret([]byte("a")), vault.NewSecret([]byte("a")), vault.NewSecret([]byte("b"))
	if !one.Equal(same) || one.Equal(other) || one.Equal(vault.Secret{}) || !(vault.Secret{}).Equal(vault.NewSecret(nil)) {
		t.Error("Equal is wrong for equal, different or empty secrets")
	}
}
