package paper

import (
	"maps"
	"strings"
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

func TestLabelling(t *testing.T) {
	for _, c := range []struct {
		language Language
		want     string
	}{
		{English, "Item code: \u2068A-1\u2069"},
		{Arabic, "رمز الصنف: \u2068A-1\u2069"},
		{Bilingual, "رمز الصنف / \u2068Item code: \u2068A-1\u2069\u2069"},
	} {
		if got := c.language.word("item_code").labelling("A-1"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.language, got, c.want)
		}
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

// TestExcludingVATIsSaidAlike checks that all terms say "excluding VAT" and "including
// VAT" with the same Arabic words.
func TestExcludingVATIsSaidAlike(t *testing.T) {
	terms := map[string][2]string{}
	for _, w := range codes.Words() {
		terms[w.Key] = [2]string{w.EN, w.AR}
	}
	maps.Copy(terms, ownWords)
	checked := 0
	for key, w := range terms {
		excluding, including := strings.Contains(w[0], "xcl"), strings.Contains(w[0], "ncl")
		if !excluding && !including {
			continue
		}
		checked++
		if !strings.Contains(w[1], "شامل الضريبة") || strings.Contains(w[1], "غير شامل") != excluding {
			t.Errorf("%s: %q is %q in Arabic, want it with شامل الضريبة, or with غير شامل الضريبة if it excludes VAT", key, w[0], w[1])
		}
	}
	if checked < 8 {
		t.Errorf("checked %d terms, want at least 8", checked)
	}
}
