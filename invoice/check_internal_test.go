package invoice

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TestNormalFormHasFewCharacters checks the bound that longer uses. Decomposing a
// character makes the most characters; NFC composes some of them again.
func TestNormalFormHasFewCharacters(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		text := string(r)
		if n := utf8.RuneCountInString(norm.NFD.String(text)); n > 2*len(text) {
			t.Errorf("%U has %d bytes and decomposes into %d characters, want at most %d", r, len(text), n, 2*len(text))
		}
	}
}

func TestLonger(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "abc": false, "abcd": true, "ششش": false, "شششش": true,
		"e\u0301e\u0301e\u0301": false, "\u0344\u0344": true, // two characters become four
	} {
		if got := longer(text, 3); got != want {
			t.Errorf("longer(%q, 3) = %t, want %t", text, got, want)
		}
	}
}
