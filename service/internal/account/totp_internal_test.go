package account

import (
	"testing"
	"time"
)

// The vectors of RFC 6238, appendix B, with the last six of eight digits.
func TestTOTP(t *testing.T) {
	t.Parallel()
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		if got := totp([]byte("12345678901234567890"), stepOf(time.Unix(at, 0))); got != want {
			t.Errorf("code at %d = %s, want %s", at, got, want)
		}
	}
}

func TestUsedStep(t *testing.T) {
	t.Parallel()
	secret, now := []byte("12345678901234567890"), time.Unix(1_800_000_000, 0)
	step := stepOf(now)
	for _, c := range []struct {
		name       string
		code, last int64
		found      bool
	}{
		{"now", 0, 0, true},
		{"a slow clock", -1, 0, true},
		{"a fast clock", 1, 0, true},
		{"too old", -2, 0, false},
		{"too new", 2, 0, false},
		{"used before", 0, step, false},
		{"older than the last", -1, step, false},
		{"newer than the last", 1, step, true},
	} {
		got, found := usedStep(secret, totp(secret, step+c.code), now, c.last)
		if found != c.found || found && got != step+c.code {
			t.Errorf("%s: step %d, %v, want %d, %v", c.name, got, found, step+c.code, c.found)
		}
	}
}

func TestCleanCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		" 287 082\n": "287082", "٢٨٧٠٨٢": "287082", "۲۸۷۰۸۲": "287082", "abcd-efgh-2345-6777": "ABCDEFGH23456777", "": "", " - ": "",
	} {
		if got := cleanCode(code); got != want {
			t.Errorf("cleanCode(%q) = %q, want %q", code, got, want)
		}
	}
	for code, want := range map[string]bool{"287082": true, "28708": false, "2870821": false, "28708A": false, "": false} {
		if got := looksLikeTOTP(code); got != want {
			t.Errorf("looksLikeTOTP(%q) = %v, want %v", code, got, want)
		}
	}
}

func TestOtpauthURL(t *testing.T) {
	t.Parallel()
	const want = "otpauth://totp/Khatm:noura+a@example.sa?algorithm=SHA1&digits=6&issuer=Khatm&period=30&secret=ABCD"
	if got := otpauthURL("noura+a@example.sa", "ABCD"); got != want {
		t.Errorf("URL = %s, want %s", got, want)
	}
}
