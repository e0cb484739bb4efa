package share

import (
	"errors"
	"strings"
	"testing"
)

func TestCleanName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, typed, want string
		wrong             error
	}{
		{"plain", " Noura Al Qahtani ", "Noura Al Qahtani", nil},
		{"Arabic", "نورة القحطاني", "نورة القحطاني", nil},
		{"direction marks", "\u200fنورة\u200e\u061c", "نورة", nil},
		{"non-breaking spaces", "Noura\u00a0Al\u202fQahtani\u3000", "Noura Al Qahtani", nil},
		{"joiners", "می\u200cخواهم", "می\u200cخواهم", nil},
		{"a hundred characters", strings.Repeat("ن", 100), strings.Repeat("ن", 100), nil},
		{"empty", "", "", ErrNoName},
		{"spaces", " \u00a0\u200f ", "", ErrNoName},
		{"too long", strings.Repeat("ن", 101), strings.Repeat("ن", 101), ErrLongName},
		{"two lines", "Noura\nBcc", "Noura\nBcc", ErrStrangeName},
		{"a line separator", "Noura\u2028x", "Noura\u2028x", ErrStrangeName},
		{"an override", "Noura\u202ex", "Noura\u202ex", ErrStrangeName},
		{"an isolate", "Noura\u2067x", "Noura\u2067x", ErrStrangeName},
		{"invalid UTF-8", "Noura\xff", "Noura", ErrStrangeName},
	} {
		got, wrong := CleanName(c.typed)
		if got != c.want || !errors.Is(wrong, c.wrong) || (wrong == nil) != (c.wrong == nil) {
			t.Errorf("%s: got %q, %v; want %q, %v", c.name, got, wrong, c.want, c.wrong)
		}
		if again, _ := CleanName(got); again != got {
			t.Errorf("%s: cleaning the name again returns %q, want no change", c.name, again)
		}
	}
}
