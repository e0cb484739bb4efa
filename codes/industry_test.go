package codes_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"unicode"

	"khatm/codes"
)

func TestIndustries(t *testing.T) {
	checkClassifications(t, codes.Industries(), codes.FindIndustry)
	if n := len(codes.Industries()); n != 26 {
		t.Errorf("got %d industries, want 26", n)
	}
	codes.Industries()[0].UUID = "changed"
	if codes.Industries()[0].UUID == "changed" {
		t.Error("a caller can change the table")
	}
}

// The industry is part of the certificate request of a device.
func TestIndustryFitsACertificateRequest(t *testing.T) {
	for _, industry := range codes.Industries() {
		for _, text := range []string{industry.EN, industry.AR} {
			if len(text) > 64 {
				t.Errorf("%s: %q has %d bytes, want at most 64", industry.Code, text, len(text))
			}
			for _, r := range text {
				if r != ' ' && !unicode.IsLetter(r) {
					t.Errorf("%s: %q in %q, want only letters and spaces", industry.Code, r, text)
				}
			}
		}
	}
}

// Client records contain the UUIDs. If this test fails because an industry was added,
// update the hash. If a UUID or a code was changed, undo the change.
func TestIndustryUUIDsNeverChange(t *testing.T) {
	sum := sha256.New()
	for _, industry := range codes.Industries() {
		sum.Write([]byte(industry.UUID + " " + industry.Code + "\n"))
	}
	const want = "f36bc60e49a2334cabcfb37942893e6bff142e8e457d405d50f36590442c25b0"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("hash of all UUIDs and codes is %s, want %s", got, want)
	}
}
