package pdfa

import (
	"bytes"
	"slices"
	"testing"
)

// TestSignsAreNeutral checks that every character that no font has is drawn as the same
// sign, and the riyal sign as itself.
func TestSignsAreNeutral(t *testing.T) {
	want := signOutline('牛')
	for _, r := range []rune{'😀', 'ไ', 'ह', '한', 0xE000, 0x10FFFF} {
		if !bytes.Equal(signOutline(r), want) || signWidth(r) != signWidth('牛') {
			t.Errorf("U+%04X has a sign of its own", r)
		}
	}
	if bytes.Equal(signOutline(riyalSign), want) {
		t.Error("the riyal sign is drawn as a missing character")
	}
}

// TestOneSignForEachCharacter checks how many signs a text has, and that their texts
// are the characters: a letter with its vowel signs, a family, a flag and a skin
// colour are one sign.
func TestOneSignForEachCharacter(t *testing.T) {
	f := readFonts(t)
	for text, want := range map[string][]string{
		"牛乳":                  {"牛", "乳"},
		"हिन्दी":              {"हि", "न्", "दी"},
		"ที่":                 {"ที่"},
		"👩\u200D👩\u200D👧":     {"👩👩👧"},
		"🇸🇦🇪🇬":                {"🇸🇦", "🇪🇬"},
		"👍🏽👍":                 {"👍🏽", "👍"},
		"\u200E\u20C1":        {"\u20C1"},
		"\uE000":              {"\uFFFD"},
		"ا😀\u200D":            {"😀"},
		"😀\u0301\u0301\u0301": {"😀\u0301\u0301\u0301"},
	} {
		var got []string
		for _, w := range f.Line(Style{Size: 8}, text).words {
			for _, g := range w.glyphs {
				if w.face.metrics == nil {
					got = append(got, g.text)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: signs %q, want %q", text, got, want)
		}
	}
	if w := f.Line(Style{Size: 8}, "\u200E\u20C1").words; w[0].glyphs[0].gid != uint32(riyalSign) {
		t.Error("a direction mark hides the riyal sign")
	}
}
