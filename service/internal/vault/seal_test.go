package vault_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"khatm/service/internal/vault"
)

func TestRoundTrip(t *testing.T) {
	ring := given(t, keyOf(1))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 300, -1)
		purpose, owner := name.Draw(t, "purpose"), name.Draw(t, "owner")
		plain := rapid.SliceOfN(rapid.Byte(), 0, 5000).Draw(t, "plain")
		sealed, err := ring.Seal(purpose, owner, plain)
		if err != nil {
			t.Fatal(err)
		}
		if want := len(plain) + 109; len(sealed) != want {
			t.Fatalf("sealed value has %d bytes, want %d", len(sealed), want)
		}
		if len(plain) > 8 && bytes.Contains(sealed, plain) {
			t.Fatal("the sealed value contains the secret")
		}
		got, err := ring.Open(purpose, owner, sealed)
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("Open = %x, %v; want %x", got, err, plain)
		}
	})
}

// vector was sealed with vectorKey by an independent implementation of the
// format, in Python with the cryptography package.
const (
	vectorKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	vector    = "018977b5d25f4760e46465666768696a6b6c6d6e6f707172737475767778797a7b" +
		"241dcffc0bdb16b04807ec7924b82b0577f1caedc71b99e5ea6b09d1c81f8c1847b0d0a24196eaa9884da93a72d16271" +
		"32333435363738393a3b3c3d8eed4a000fb1b66eac0da27eaa188d0d910dfb531e723ccb1db63a45a67ba0c0d57f05d788"
)

func vectorBytes(t testing.TB) []byte {
	t.Helper()
	value, err := hex.DecodeString(vector)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// A value sealed once can be opened by every later version.
func TestVector(t *testing.T) {
	value := vectorBytes(t)
	if id, err := vault.KeyID(value); err != nil || id != "8977b5d25f4760e4" {
		t.Errorf("KeyID = %s, %v; want 8977b5d25f4760e4", id, err)
	}
	mustOpen(t, given(t, vectorKey), value, "a secret of the vault")
}

func TestSealedTwiceDiffers(t *testing.T) {
	ring := given(t, keyOf(1))
	a, b := sealed(t, ring, "same"), sealed(t, ring, "same")
	if head := 9; !bytes.Equal(a[:head], b[:head]) {
		t.Error("version and master key differ, want the same")
	}
	for from, to := range map[int]int{9: 33, 33: 81, 81: 93, 93: len(a)} {
		if bytes.Equal(a[from:to], b[from:to]) {
			t.Errorf("bytes %d to %d are the same in both values, want different ones", from, to)
		}
	}
}

func TestEveryAlterationIsRefused(t *testing.T) {
	ring := given(t, keyOf(1), keyOf(2))
	value := sealed(t, ring, "thirty-two bytes of a device key")
	for i := range value {
		for _, mask := range []byte{0x01, 0x10, 0x80, 0xff} {
			altered := bytes.Clone(value)
			altered[i] ^= mask
			if got, err := ring.Open(purpose, owner, altered); err == nil {
				t.Fatalf("value with byte %d changed by %#x opens as %q", i, mask, got)
			}
			if _, changed, err := ring.Rewrap(purpose, owner, altered); changed {
				t.Fatalf("value with byte %d changed by %#x is rewrapped, %v", i, mask, err)
			}
		}
		if _, err := ring.Open(purpose, owner, value[:i]); err == nil {
			t.Fatalf("the first %d bytes can be opened", i)
		}
	}
	if _, err := ring.Open(purpose, owner, append(bytes.Clone(value), 0)); err == nil {
		t.Error("a value with an extra byte can be opened")
	}
	mustOpen(t, ring, value, "thirty-two bytes of a device key")
}

func TestMovedValueIsRefused(t *testing.T) {
	ring := given(t, keyOf(1))
	value, err := ring.Seal("share-token", "17", []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, purpose, owner string }{
		{"another purpose", "device-key", "17"},
		{"another owner", "share-token", "18"},
		{"border moved left", "share-toke", "n17"},
		{"border moved right", "share-token1", "7"},
		{"exchanged", "17", "share-token"},
		{"other letter case", "Share-token", "17"},
		{"no purpose", "", "17"},
		{"no owner", "share-token", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, err := ring.Open(c.purpose, c.owner, value); err == nil {
				t.Errorf("value opens with the wrong label as %q", got)
			}
			if _, _, err := given(t, keyOf(2), keyOf(1)).Rewrap(c.purpose, c.owner, value); err == nil {
				t.Error("value is rewrapped with the wrong label")
			}
		})
	}
}

// The data key of one value does not open the secret of another, even with the
// same purpose and owner.
func TestHalvesOfTwoValues(t *testing.T) {
	ring := given(t, keyOf(1))
	a, b := sealed(t, ring, "first"), sealed(t, ring, "other")
	mixed := append(bytes.Clone(a[:81]), b[81:]...)
	if got, err := ring.Open(purpose, owner, mixed); err == nil {
		t.Errorf("the mixed value opens as %q", got)
	}
}

func TestWrongMasterKey(t *testing.T) {
	value := sealed(t, given(t, keyOf(1)), "secret")
	_, err := given(t, keyOf(2)).Open(purpose, owner, value)
	if !errors.Is(err, vault.ErrUnknownKey) {
		t.Fatalf("Open with another key: %v, want ErrUnknownKey", err)
	}
	if id, _ := vault.KeyID(value); !strings.Contains(err.Error(), id) {
		t.Errorf("error %q does not contain the id of the needed key %s", err, id)
	}
	// Replacing the id of the key in a value is not enough.
	forged := append(bytes.Clone(sealed(t, given(t, keyOf(2)), "")[:9]), value[9:]...)
	if got, err := given(t, keyOf(2)).Open(purpose, owner, forged); err == nil {
		t.Errorf("the forged value opens as %q", got)
	}
}

func TestSealNeedsALabelAndRandomness(t *testing.T) {
	ring := given(t, keyOf(1))
	for _, c := range [][2]string{{"", "owner"}, {"purpose", ""}} {
		if out, err := ring.Seal(c[0], c[1], []byte("secret")); err == nil {
			t.Errorf("Seal with label %q returned %x, want an error", c, out)
		}
	}
	// Seal reads a data key, a nonce and a salt: 68 bytes.
	for n := range 68 {
		short := io.LimitReader(iotest.OneByteReader(bytes.NewReader(make([]byte, 100))), int64(n))
		ring, err := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(keyOf(1))), Random: short, Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := ring.Seal(purpose, owner, []byte("secret")); err == nil || out != nil {
			t.Fatalf("Seal with %d random bytes = %x, %v; want an error", n, out, err)
		}
	}
}

func TestRewrapKeepsThePayload(t *testing.T) {
	old := given(t, keyOf(1))
	value := sealed(t, old, "secret")
	same, changed, err := old.Rewrap(purpose, owner, value)
	if err != nil || changed || !bytes.Equal(same, value) {
		t.Errorf("Rewrap with the active key: changed %v, %v; want unchanged", changed, err)
	}
	moved, changed, err := given(t, keyOf(2), keyOf(1)).Rewrap(purpose, owner, value)
	if err != nil || !changed {
		t.Fatalf("Rewrap: changed %v, %v; want changed", changed, err)
	}
	if payload := 81; !bytes.Equal(moved[payload:], value[payload:]) || bytes.Equal(moved[9:payload], value[9:payload]) {
		t.Error("Rewrap changed more or less than the data key")
	}
	mustOpen(t, given(t, keyOf(2)), moved, "secret")
	if _, err := old.Open(purpose, owner, moved); !errors.Is(err, vault.ErrUnknownKey) {
		t.Errorf("Open with the old key: %v, want ErrUnknownKey", err)
	}
}

func FuzzOpen(f *testing.F) {
	ring, value := given(f, vectorKey), vectorBytes(f)
	f.Add(value)
	f.Add(value[:len(value)-1])
	f.Add(value[:109])
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ring.Open(purpose, owner, data)
		if (err == nil) != bytes.Equal(data, value) {
			t.Errorf("Open(%x) = %q, %v; want success only for the vector", data, got, err)
		}
	})
}

func BenchmarkSeal(b *testing.B) {
	ring := given(b, keyOf(1))
	for b.Loop() {
		sealed(b, ring, "thirty-two bytes of a device key")
	}
}

func BenchmarkOpen(b *testing.B) {
	ring := given(b, keyOf(1))
	value := sealed(b, ring, "thirty-two bytes of a device key")
	for b.Loop() {
		mustOpen(b, ring, value, "thirty-two bytes of a device key")
	}
}
