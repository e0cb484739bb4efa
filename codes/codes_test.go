package codes_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"khatm/codes"
)

func codesOf(entries []codes.Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Code)
	}
	return all
}

func keysOf(words []codes.Word) []string {
	var all []string
	for _, w := range words {
		all = append(all, w.Key)
	}
	return all
}

// wantList compares got with a list of words separated by white space.
func wantList(t *testing.T, got []string, want string) {
	t.Helper()
	if fields := strings.Fields(want); !slices.Equal(got, fields) {
		t.Errorf("got %d: %q\nwant %d: %q", len(got), got, len(fields), fields)
	}
}

func wantUnique(t *testing.T, all []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s] {
			t.Errorf("%q appears twice", s)
		}
		seen[s] = true
	}
}

// checkEntries checks a list of entries: unique keys, English texts, a lookup that
// agrees with the list, and that callers cannot change the list.
func checkEntries(t *testing.T, list func() []codes.Entry, find func(string) (codes.Entry, bool)) {
	t.Helper()
	var keys []string
	for _, e := range list() {
		keys = append(keys, e.Key)
		checkEnglish(t, e.Key, e.EN)
		if got, ok := find(e.Code); !ok || got.Code != e.Code {
			t.Errorf("find(%q) = %v, %v, want an entry with this code", e.Code, got, ok)
		}
	}
	wantUnique(t, keys)
	for _, unknown := range []string{"", " ", "NOPE", strings.ToLower(keys[0])} {
		if got, ok := find(unknown); ok || got != (codes.Entry{}) {
			t.Errorf("find(%q) = %v, %v, want none", unknown, got, ok)
		}
	}
	list()[0] = codes.Entry{Code: "changed"}
	if list()[0].Code == "changed" {
		t.Error("a caller can change the table")
	}
}

func checkArabicOf(t *testing.T, entries []codes.Entry) {
	t.Helper()
	for _, e := range entries {
		checkArabic(t, e.Key, e.AR)
	}
}

func checkEnglish(t *testing.T, key, text string) {
	t.Helper()
	if text == "" || text != strings.Join(strings.Fields(text), " ") {
		t.Errorf("%s: English text %q is empty or has superfluous spaces", key, text)
	}
	for _, r := range text {
		if unicode.Is(unicode.Arabic, r) {
			t.Errorf("%s: Arabic character %q in English text %q", key, r, text)
		}
	}
}

// checkArabic reports typing errors: letters of other scripts or of Persian,
// presentation forms, direction marks, a tatweel, final letters inside of a word, and
// superfluous spaces.
func checkArabic(t *testing.T, key, text string) {
	t.Helper()
	if text == "" || text != strings.Join(strings.Fields(text), " ") {
		t.Errorf("%s: Arabic text %q is empty or has superfluous spaces", key, text)
	}
	if !norm.NFC.IsNormalString(text) {
		t.Errorf("%s: Arabic text %q is not in Unicode NFC", key, text)
	}
	letters := 0
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case r >= 'ء' && r <= 'غ', r >= 'ف' && r <= 'ي':
			letters++
		case r >= '\u064b' && r <= '\u0652': // vowel marks
		case r >= '0' && r <= '9', strings.ContainsRune(" ()/،–", r):
		default:
			t.Errorf("%s: unexpected character %q (%U) in Arabic text %q", key, r, r, text)
		}
		if (r == 'ة' || r == 'ى') && i+1 < len(runes) && unicode.IsLetter(runes[i+1]) {
			t.Errorf("%s: final letter %q inside a word of %q", key, r, text)
		}
	}
	if letters == 0 {
		t.Errorf("%s: no Arabic letter in %q", key, text)
	}
}
