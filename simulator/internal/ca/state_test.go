package ca_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"khatm/simulator/internal/ca"
)

func restored(t testing.TB, a *ca.Authority) *ca.Authority {
	t.Helper()
	state, err := a.Export()
	if err != nil {
		t.Fatal(err)
	}
	b, err := ca.New(ca.Config{Random: seeded("restored"), State: state})
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.Export()
	if err != nil || !bytes.Equal(state, again) {
		t.Fatalf("exported state after restoring differs, want the same (error: %v)", err)
	}
	return b
}

func TestRestoredState(t *testing.T) {
	a := newAuthority(t)
	compliance := onboard(t, a, 1, noon)
	if _, err := a.Pass(compliance.Credential, "standard-compliant"); err != nil {
		t.Fatal(err)
	}
	gone := onboard(t, a, 2, noon)
	if err := a.Revoke(gone.Credential, noon); err != nil {
		t.Fatal(err)
	}
	b := restored(t, a)
	c, err := b.Authenticate(ca.Sandbox, compliance.BinarySecurityToken, compliance.Secret, noon)
	if err != nil || len(c.Steps) != 1 || c.RequestID != compliance.RequestID {
		t.Errorf("credential after restoring = %+v (error: %v), want one step and request ID %s", c, err, compliance.RequestID)
	}
	_, err = b.Authenticate(ca.Sandbox, gone.BinarySecurityToken, gone.Secret, noon)
	wantDenial(t, err, ca.IsRevoked)
	again, err := ca.ReadRequest(ca.Sandbox, good(1).request())
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.IssueCompliance(again, noon)
	wantCause(t, err, ca.KeyReused)
	if next := onboard(t, b, 3, noon); next.RequestID <= gone.RequestID {
		t.Errorf("request ID = %s, want one above %s", next.RequestID, gone.RequestID)
	}
	production, err := b.IssueProduction(c, c.RequestID, noon)
	if err != nil {
		t.Fatal(err)
	}
	_, root := a.Issuers(ca.Sandbox)
	wantSignedBy(t, production.Certificate, root)
	if !bytes.Equal(a.StampCertificate(), b.StampCertificate()) {
		t.Error("stamp certificate after restoring differs, want the same")
	}
	if len(b.Credentials()) != 4 {
		t.Errorf("%d credentials, want 4", len(b.Credentials()))
	}
}

func TestStateRefuses(t *testing.T) {
	a := newAuthority(t)
	onboard(t, a, 1, noon)
	state, err := a.Export()
	if err != nil {
		t.Fatal(err)
	}
	change := func(edit func(s map[string]any)) []byte {
		var s map[string]any
		if err := json.Unmarshal(state, &s); err != nil {
			t.Fatal(err)
		}
		edit(s)
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	list := func(v any) []any { return as[[]any](t, v) }
	object := func(v any) map[string]any { return as[map[string]any](t, v) }
	first := func(s map[string]any) map[string]any { return object(list(s["credentials"])[0]) }
	for name, text := range map[string][]byte{
		"empty":               {},
		"truncated":           state[:len(state)/2],
		"other version":       change(func(s map[string]any) { s["version"] = 2 }),
		"unknown field":       change(func(s map[string]any) { s["more"] = 1 }),
		"missing environment": change(func(s map[string]any) { s["environments"] = list(s["environments"])[1:] }),
		"wrong key": change(func(s map[string]any) {
			object(s["stamp"])["key"] = base64.StdEncoding.EncodeToString(make([]byte, 32))
		}),
		"other key": change(func(s map[string]any) {
			object(s["stamp"])["key"] = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32))
		}),
		"wrong certificate":   change(func(s map[string]any) { first(s)["certificate"] = "AAAA" }),
		"wrong kind":          change(func(s map[string]any) { first(s)["kind"] = "other" }),
		"wrong secret":        change(func(s map[string]any) { first(s)["secretDigest"] = "AAAA" }),
		"unknown environment": change(func(s map[string]any) { first(s)["environment"] = "moon" }),
		"repeated credential": change(func(s map[string]any) {
			s["credentials"] = append(list(s["credentials"]), first(s))
		}),
	} {
		if _, err := ca.New(ca.Config{Random: seeded("x"), State: text}); err == nil {
			t.Errorf("%s: New succeeded, want an error", name)
		}
	}
}

func as[T any](t testing.TB, v any) T {
	t.Helper()
	typed, ok := v.(T)
	if !ok {
		t.Fatalf("value is %T, want %T", v, typed)
	}
	return typed
}

func TestNewRefusesBadRandomness(t *testing.T) {
	for name, random := range map[string]io.Reader{"nil": nil, "short": strings.NewReader("short"), "zeros": bytes.NewReader(make([]byte, 1<<16))} {
		if _, err := ca.New(ca.Config{Random: random, Now: noon}); err == nil {
			t.Errorf("random source %s: New succeeded, want an error", name)
		}
	}
}
