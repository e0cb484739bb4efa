package pdfa_test

import (
	"runtime"
	"strings"
	"testing"

	"khatm/pdfa"
)

// allocated returns the bytes that f allocates. Shaping allocates in proportion to the
// number of letters that it shapes.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// TestLongWordIsCheap checks that breaking a word of 1,000 letters in a narrow column
// costs at most a few times as much as setting the same letters as short words: a
// word must not be measured from its beginning to its end for each line.
func TestLongWordIsCheap(t *testing.T) {
	for name, letters := range map[string]string{"Latin": "Wlqmzi", "Arabic": "ضريبةم"} {
		fonts, err := pdfa.NewFonts(0) // no cache
		if err != nil {
			t.Fatal(err)
		}
		style := pdfa.Style{Size: 8}
		word, words := strings.Repeat(letters, 167), strings.Repeat(letters+" ", 167)
		fonts.Wrap(style, word, 24) // fill the pools
		var lines int
		long := allocated(func() { lines = len(fonts.Wrap(style, word, 24)) })
		short := allocated(func() { fonts.Wrap(style, words, 40) })
		t.Logf("%s: %d lines, ratio %.1f", name, lines, long/short)
		if lines < 100 {
			t.Fatalf("%s: %d lines, want a column of few letters", name, lines)
		}
		if long > 12*short {
			t.Errorf("%s: a long word costs %.1f times as much as short words, want at most 12", name, long/short)
		}
	}
}
