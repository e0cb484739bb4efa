package guest

import (
	"testing"
	"time"

	"khatm/money"
)

func TestAmount(t *testing.T) {
	t.Parallel()
	if got := amount(money.MustParse("1234567.8")); got != "1,234,567.80" {
		t.Errorf("amount(1234567.8) = %s, want 1,234,567.80", got)
	}
}

func TestCleanKeepsTheDirectionOfTheWriting(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "نص عربي": "نص عربي", "two\nlines": "two\nlines", "a\tb": "a b", "a\x00b": "a b",
		"\u202Egnp.exe": "gnp.exe", "\u202Aa\u202Bb\u202Cc\u202Dd": "abcd", "\u2066a\u2067b\u2068c\u2069": "abc", "\uFEFFbom": "bom",
		"زوج\u200Cها": "زوج\u200Cها", "\u200Fmark": "\u200Fmark", // joiners and direction marks are part of Arabic text
	} {
		if got := clean(text); got != want {
			t.Errorf("clean(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in         language
		iso, text  string
		at, moment string
	}{
		{english, "2026-11-05", "5 November 2026", "2026-12-31T21:30:00Z", "1 January 2027, 00:30"},
		{arabic, "2026-11-05", "5 نوفمبر 2026", "2026-12-31T21:30:00Z", "1 يناير 2027، 00:30"},
		{arabic, "not a date", "not a date", "2026-04-30T20:59:59Z", "30 أبريل 2026، 23:59"},
	} {
		if got := c.in.dayOf(c.iso); got.Text != c.text || got.ISO != c.iso {
			t.Errorf("dayOf(%s) = %+v, want %q, %q", c.iso, got, c.text, c.iso)
		}
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.in.momentOf(at); got.Text != c.moment {
			t.Errorf("momentOf(%s) = %+v, want %s", c.at, got, c.moment)
		}
	}
}
