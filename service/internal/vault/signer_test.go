package vault_test

import (
	"bytes"
	"fmt"
	"testing"

	"khatm/seal"
)

func TestDeviceKey(t *testing.T) {
	ring := given(t, keyOf(1))
	made, value, err := ring.NewDeviceKey(purpose, owner)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := ring.Signer(purpose, owner, value)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made.PublicKey(), opened.PublicKey()) || len(made.PublicKey()) != 88 {
		t.Error("the opened key has a different public key")
	}
	a, err := made.Sign([]byte("message"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := opened.Sign([]byte("message")); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the opened key signs differently, %v", err)
	}
	if _, err := ring.Signer(purpose, "another device", value); err == nil {
		t.Error("the key opens for another device")
	}
}

// Device keys of the vault can sign certificate requests.
func TestSignerStampsRequests(t *testing.T) {
	signer, _, err := given(t, keyOf(1)).NewDeviceKey(purpose, owner)
	if err != nil {
		t.Fatal(err)
	}
	unit := seal.Unit{
		CommonName: "TST-1", Provider: "Khatm", Model: "1", Serial: "17", VATNumber: "300000000000003",
		UnitName: "Riyadh", Organisation: "Trading", InvoiceType: "1100", Location: "RRRD2929", Industry: "Trade",
	}
	request, err := unit.Request(signer, "sandbox")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(request.PublicKey, signer.PublicKey()) {
		t.Error("the request has a different public key")
	}
}

// Neither a type assertion nor printing reveals the key.
func TestSignerRevealsNoKey(t *testing.T) {
	ring := given(t, keyOf(1))
	signer, value, err := ring.NewDeviceKey(purpose, owner)
	if err != nil {
		t.Fatal(err)
	}
	if _, gives := signer.(interface{ Bytes() []byte }); gives {
		t.Error("the signer has a method Bytes")
	}
	plain, err := ring.Open(purpose, owner, value)
	if err != nil {
		t.Fatal(err)
	}
	wantSilent(t, signer, plain)
}

func TestSignerRefusesInvalidKeys(t *testing.T) {
	ring := given(t, keyOf(1))
	for name, plain := range map[string]string{
		"empty": "", "short": "abc", "zero": string(make([]byte, 32)), "text": fmt.Sprintf("%040d", 7),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ring.Signer(purpose, owner, sealed(t, ring, plain)); err == nil {
				t.Error("Signer accepted a value that is not a key")
			}
		})
	}
	key, err := seal.ParseKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ring.Signer(purpose, owner, sealed(t, ring, string(key.PEM())))
	if err != nil || !bytes.Equal(signer.PublicKey(), key.PublicKey()) {
		t.Errorf("Signer of a PEM key: %v, want the same public key", err)
	}
}

func BenchmarkSigner(b *testing.B) {
	ring := given(b, keyOf(1))
	_, value, err := ring.NewDeviceKey(purpose, owner)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := ring.Signer(purpose, owner, value); err != nil {
			b.Fatal(err)
		}
	}
}
