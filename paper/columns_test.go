package paper_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

// TestColumns checks that the columns of the lines have the same widths in every
// document whose amounts fit into them, that a head has at most two lines, and that no
// text reaches the next column.
func TestColumns(t *testing.T) {
	for _, language := range languages {
		var first []float64
		for _, kind := range kinds {
			widths, heads, tooWide, err := press(t).Columns(sealed(t, facts(t, kind)).XML, paper.Options{Language: language})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = widths
			}
			if !slices.Equal(widths, first) && kind != "largest-amounts" {
				t.Errorf("%s, %s: columns %v, want %v as in other documents", kind, language, widths, first)
			}
			if slices.Max(heads) > 2 {
				t.Errorf("%s, %s: heads of %v lines, want at most 2", kind, language, heads)
			}
			if len(tooWide) > 0 {
				t.Errorf("%s, %s: texts reach the next column: %v", kind, language, tooWide)
			}
		}
	}
}

// TestEveryPageNamesTheDocument checks that each page has the title, the number and the
// seller.
func TestEveryPageNamesTheDocument(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	text := pageText(t, reader, sealed(t, long(60, 0)).XML, paper.Options{Language: paper.English, Supplement: paper.Supplement{Seller: paper.PartySupplement{Name: "Khatm Demo Trading"}}})
	pages := strings.Split(strings.TrimSuffix(text, "\f"), "\f")
	if len(pages) < 3 {
		t.Fatalf("%d pages, want several", len(pages))
	}
	for i, page := range pages {
		for _, want := range []string{"Tax Invoice", "INV-2026-000001", "Khatm Demo Trading"} {
			if !strings.Contains(page, want) {
				t.Errorf("page %d lacks %q", i+1, want)
			}
		}
	}
}

// TestTranslation checks that a page in English only says that it is a translation.
func TestTranslation(t *testing.T) {
	for _, language := range languages {
		got := said(t, "388-standard-s15-sar", language, paper.Supplement{})
		if strings.Contains(got, "ترجمة – الأصل بالعربية") != (language == paper.English) {
			t.Errorf("%s: the page says that it is a translation, or an English one does not:\n%s", language, got)
		}
	}
}

// TestMissingScriptsStayInTheText checks that characters that the fonts lack can be
// copied from the page.
func TestMissingScriptsStayInTheText(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	f := facts(t, "388-standard-s15-sar")
	f.Lines[0].Name = "牛乳 한국어 ไทย हिन्दी 🧾"
	f.Buyer.NameArabic = "深圳市科技有限公司 🏢"
	for _, on := range papers {
		text := pageText(t, reader, sealed(t, f).XML, paper.Options{Language: paper.English, Paper: on})
		for _, want := range []string{"牛乳", "한국어", "ไทย", "हिन्दी", "🧾", "深圳市科技有限公司", "🏢"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the text lacks %s:\n%s", on, want, text)
			}
		}
	}
}
