package paper

import (
	"testing"

	"khatm/codes"
)

func TestQuote(t *testing.T) {
	cases := []struct {
		name     string
		language Language
		text     string
		want     phrase
	}{
		{"one language", Bilingual, "Laptop", phrase{main: "Laptop"}},
		{"both", Bilingual, "حاسوب | Laptop", phrase{"حاسوب", "Laptop"}},
		{"both, English first", Arabic, "Laptop|حاسوب", phrase{"حاسوب", "Laptop"}},
		{"both on an English page", English, "حاسوب | Laptop", phrase{"Laptop", "حاسوب"}},
		{"a bar within one language", Bilingual, "A | B", phrase{main: "A | B"}},
		{"two bars", Bilingual, "حاسوب | Laptop | x", phrase{main: "حاسوب | Laptop | x"}},
		{"nothing after the bar", Bilingual, "حاسوب |", phrase{main: "حاسوب |"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.language.quote(c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestOwnWordsAreNotInTheGlossary checks that every own word has both languages and is
// not in the glossary.
func TestOwnWordsAreNotInTheGlossary(t *testing.T) {
	for key, w := range ownWords {
		if w[0] == "" || !hasRTL(w[1]) {
			t.Errorf("ownWords[%q] = %q, want an English and an Arabic text", key, w)
		}
		if _, found := codes.FindWord(key); found {
			t.Errorf("%s is in ownWords and in the glossary, want it only in the glossary", key)
		}
	}
}
