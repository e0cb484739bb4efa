package pdfa

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func readFonts(tb testing.TB) *Fonts {
	tb.Helper()
	f, err := NewFonts(1 << 20)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// shown returns the text of the glyphs of a line from left to right.
func shown(l Line) string {
	var b strings.Builder
	for _, w := range l.words {
		for _, g := range w.glyphs {
			b.WriteString(g.text)
		}
	}
	return b.String()
}

func reversed(s string) string {
	runes := []rune(s)
	for a, b := 0, len(runes)-1; a < b; a, b = a+1, b-1 {
		runes[a], runes[b] = runes[b], runes[a]
	}
	return string(runes)
}

func TestLineOrder(t *testing.T) {
	f := readFonts(t)
	cases := map[string]struct {
		base       Direction
		text, want string
	}{
		"latin":                         {LTR, "INV-2026-000123", "INV-2026-000123"},
		"latin number on the right":     {RTL, "INV-2026-000123", "INV-2026-000123"},
		"arabic":                        {RTL, "فاتورة ضريبية", reversed("فاتورة ضريبية")},
		"arabic, left to right":         {LTR, "فاتورة ضريبية", reversed("فاتورة ضريبية")},
		"digits and latin after arabic": {LTR, "بذاكرة 16GB وقرص", "16 " + reversed("بذاكرة") + "GB " + reversed("وقرص")},
		"the same, right to left":       {RTL, "بذاكرة 16GB وقرص", reversed("وقرص") + " 16GB " + reversed("بذاكرة")},
		"arabic digits":                 {RTL, "عبوة ٢٥٠ جرام", reversed("جرام") + " ٢٥٠ " + reversed("عبوة")},
		"brackets":                      {RTL, "علبة (50 قلم)", ")" + reversed("قلم") + " 50( " + reversed("علبة")},
		"percent after arabic (W2, W6)": {RTL, "نسبة 15%", "%15 " + reversed("نسبة")},
		"percent alone":                 {RTL, "15%", "15%"},
		"sign of a number":              {LTR, "-15.00", "-15.00"},
		"isolated arabic":               {LTR, "a \u2067لا\u2069 b", "a " + reversed("لا") + " b"},
		"override is ignored":           {LTR, "ab\u202Ecd\u202C", "abcd"},
		"auto":                          {Auto, "123 سلام", reversed("سلام") + " 123"},
		"private":                       {LTR, "a\uE001", "a\uFFFD"},
		"white space":                   {LTR, " a \n\t b ", "a b"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := shown(f.Line(Style{Size: 10, Base: c.base}, c.text)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestEveryCharacterIsDrawn checks that every Unicode character has a glyph, and that
// the glyph has a valid Unicode text.
func TestEveryCharacterIsDrawn(t *testing.T) {
	f := readFonts(t)
	fault := func(r rune, bold, rtl bool) string {
		if r = keep(r); r < 0 || r == '\n' || isInvisible(r) {
			return ""
		}
		face := f.chain(bold).pick(r, nil)
		w := f.word(wordKey{string(r), face, rtl})
		if len(w.glyphs) == 0 {
			return "is not drawn"
		}
		for _, g := range w.glyphs {
			if g.gid == 0 {
				return "is the missing glyph of " + face.name
			}
			for _, c := range g.text {
				if isPrivate(c) || c == 0 || c == 0xFEFF || c == 0xFFFE {
					return "has an invalid Unicode text"
				}
			}
			if g.text == "" {
				return "has no Unicode text"
			}
		}
		return ""
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r > 0x30000 && r&0xFF > 3 { // the other characters there behave alike
			continue
		}
		for n := range 4 {
			if s := fault(r, n&1 == 1, n&2 == 2); s != "" {
				t.Errorf("%U %s", r, s)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	f := readFonts(t)
	cases := map[string]struct {
		base  Direction
		text  string
		width float64
		lines int // 0: more than one; -1: none
	}{
		"nothing":         {LTR, "", 100, -1},
		"only spaces":     {LTR, " \t \n ", 100, -1},
		"fits":            {LTR, "one two", 100, 1},
		"two words":       {LTR, "one two", 30, 2},
		"line break":      {LTR, "one\ntwo", 100, 2},
		"empty line":      {LTR, "one\n\ntwo", 100, 3},
		"arabic":          {RTL, "شركة الواحة للتجارة والتقنية المحدودة", 80, 0},
		"a long word":     {LTR, strings.Repeat("W", 1000), 100, 0},
		"long arabic":     {RTL, strings.Repeat("مب", 500), 100, 0},
		"long emoji":      {RTL, strings.Repeat("😀", 500), 100, 0},
		"long then short": {LTR, strings.Repeat("W", 30) + " a b c", 100, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			lines := f.Wrap(Style{Size: 10, Base: c.base}, c.text, c.width)
			if n := len(lines); c.lines == 0 && n < 2 || c.lines > 0 && n != c.lines || c.lines < 0 && n != 0 {
				t.Errorf("got %d lines, want %d", n, c.lines)
			}
			letters := 0
			for _, l := range lines {
				if l.Width() > c.width+0.001 {
					t.Errorf("%q is %g points wide, want at most %g", shown(l), l.Width(), c.width)
				}
				letters += utf8.RuneCountInString(strings.ReplaceAll(shown(l), " ", ""))
			}
			if want := utf8.RuneCountInString(strings.Join(strings.Fields(c.text), "")); letters != want {
				t.Errorf("got %d letters on all lines, want %d", letters, want)
			}
		})
	}
}

func TestWrapBreaksAfterPunctuation(t *testing.T) {
	lines := readFonts(t).Wrap(Style{Size: 10}, "https://example.com/invoices/2026-11-15-000123", 130)
	if len(lines) < 2 || !strings.ContainsAny(shown(lines[0])[len(shown(lines[0]))-1:], "/-.") {
		t.Errorf("got %d lines, the first %q, want a break after punctuation", len(lines), shown(lines[0]))
	}
}

// TestWrapKeepsMarks checks that no line begins with a mark.
func TestWrapKeepsMarks(t *testing.T) {
	for _, l := range readFonts(t).Wrap(Style{Size: 10, Base: RTL}, strings.Repeat("مَّ", 300), 60) {
		text := []rune(shown(l))
		if isMark(text[len(text)-1]) { // in visual order the first character is the last
			t.Errorf("line %q begins with a mark, want a letter", string(text))
		}
	}
}

// TestCleanBoundsMarks checks that marks beyond maxMarks are removed.
func TestCleanBoundsMarks(t *testing.T) {
	many := strings.Repeat("\u0651", 100)
	most := strings.Repeat("\u0651", maxMarks)
	cases := map[string]struct{ text, want string }{
		"as many as allowed":      {"م" + most, "م" + most},
		"too many":                {"م" + many + "ن", "م" + most + "ن"},
		"on each letter":          {"م" + many + "ن" + many, "م" + most + "ن" + most},
		"without a letter":        {many + " a", most + " a"},
		"with joiners in between": {"م" + most + "\u200D" + many, "م" + most + "\u200D"},
		"spacing marks":           {"क" + strings.Repeat("\u0903", 100), "क" + strings.Repeat("\u0903", maxMarks)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := cleanString(c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWordCacheIsBounded(t *testing.T) {
	f, err := NewFonts(64 << 10)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 3000 {
				word := strings.Repeat(string(rune('a'+g)), i%20+1) + string(rune('ا'+i%28)) + string(rune('0'+i%10))
				f.Line(Style{Size: 8}, word)
			}
		})
	}
	all.Wait()
	total := 0
	for i := range f.words.shards {
		s := &f.words.shards[i]
		total += s.size
		n, sum := 0, 0
		for e := s.ring.next; e != &s.ring; e = e.next {
			n++
			sum += e.cost()
		}
		if n != len(s.entries) || sum != s.size {
			t.Errorf("shard %d: ring has %d entries of %d bytes, map has %d entries of %d bytes; want the same", i, n, sum, len(s.entries), s.size)
		}
	}
	if total > 64<<10 || total == 0 {
		t.Errorf("the cache uses %d bytes, want 1 to 65536", total)
	}
}

// TestWordCacheChangesNothing checks that cached words equal newly shaped ones.
func TestWordCacheChangesNothing(t *testing.T) {
	without, err := NewFonts(0)
	if err != nil {
		t.Fatal(err)
	}
	with := readFonts(t)
	style := Style{Size: 8, Base: RTL}
	for _, text := range []string{"لابتوب Dell Latitude 7450 بذاكرة 16GB", "يُستحق الدفع خلال 30 يومًا", "😀 \u20C1 Şişli"} {
		with.Line(style, text)
		a, b := with.Line(style, text), without.Line(style, text)
		if shown(a) != shown(b) || a.Width() != b.Width() {
			t.Errorf("%q with the cache: %q, %g points wide; want %q, %g", text, shown(a), a.Width(), shown(b), b.Width())
		}
	}
}
