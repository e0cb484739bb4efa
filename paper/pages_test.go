package paper_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/money"
	"khatm/paper"
)

// TestLastPage checks that the last page of an invoice of any length has several lines
// and the totals.
func TestLastPage(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	step := testtool.Scale(6, 3, 1)
	for n := 10; n <= 46; n += step {
		f := long(n, 0)
		for i := range f.Lines {
			f.Lines[i].Name = fmt.Sprintf("ROW%02d", i)
		}
		text := pageText(t, reader, sealed(t, f).XML, paper.Options{Supplement: supplement})
		pages := strings.Split(strings.TrimSuffix(text, "\f"), "\f")
		last := pages[len(pages)-1]
		if rows := strings.Count(last, "ROW"); rows < 3 {
			t.Errorf("%d lines on %d pages: the last page has %d, want at least 3", n, len(pages), rows)
		}
		if !strings.Contains(last, "Amount due") {
			t.Errorf("%d lines: the last page lacks the totals", n)
		}
	}
}

// TestOnePage checks that documents that fit on one page with less space have one page.
func TestOnePage(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	export, twelve := sealed(t, facts(t, "388-export-z32-usd-discount")).XML, sealed(t, long(12, 0)).XML
	for _, c := range []struct {
		name     string
		document []byte
		language paper.Language
	}{
		{"export", export, paper.Bilingual}, {"export", export, paper.English}, {"12 lines", twelve, paper.Arabic},
	} {
		text := pageText(t, reader, c.document, paper.Options{Language: c.language, Supplement: supplement})
		if pages := strings.Count(text, "\f"); pages != 1 {
			t.Errorf("%s, %s: %d pages, want 1", c.name, c.language, pages)
		}
	}
}

// TestSellerWithoutBuyer checks that the seller has the same place on the page whether
// there is a buyer or not.
func TestSellerWithoutBuyer(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, language := range languages {
		var edges []float64
		for _, kind := range []string{"388-standard-s15-sar", "388-simplified-s15-sar"} {
			for _, w := range wordsOn(t, reader, draw(t, sealed(t, facts(t, kind)).XML, paper.Options{Language: language}))[0] {
				if w.Text == "310175397400003" {
					edges = append(edges, w.Left)
				}
			}
		}
		if len(edges) != 2 || math.Abs(edges[0]-edges[1]) > 0.5 {
			t.Errorf("%s: VAT number of the seller at %v, want the same place with and without a buyer", language, edges)
		}
	}
}

// TestTextsAreBlocks checks that the lines of a text in the direction opposite to that of
// the page begin at the same edge.
func TestTextsAreBlocks(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	named := facts(t, "388-standard-s15-sar")
	named.Lines[0].Name = "طابعة 4040 ليزر ملونة متعددة الوظائف للمكاتب والشركات الكبيرة بضمان شامل 36 شهرًا | Colour laser printer with many functions and three full years of warranty"
	for _, c := range []struct {
		facts    invoice.Facts
		language paper.Language
		paper    paper.Paper
		words    [2]string // on the first and on the second line
	}{
		{latin(t, "388-standard-s15-sar"), paper.Arabic, paper.A4, [2]string{"King", "Province,"}},
		{latin(t, "388-standard-s15-sar"), paper.Arabic, paper.Roll80, [2]string{"King", "Province,"}},
		{facts(t, "388-standard-s15-sar"), paper.English, paper.A4, [2]string{"3542", "،7261"}},
		{named, paper.English, paper.A4, [2]string{"4040", "36"}},
		{named, paper.English, paper.Roll80, [2]string{"4040", "36"}},
		{named, paper.Bilingual, paper.A4, [2]string{"Colour", "years"}},
	} {
		words := wordsOn(t, reader, draw(t, sealed(t, c.facts).XML, paper.Options{Language: c.language, Paper: c.paper}))[0]
		first, second := edgesOf(words, c.words[0]), edgesOf(words, c.words[1])
		edge, other := first.Left, second.Left
		if c.language == paper.English {
			edge, other = first.Right, second.Right
		}
		if edge == 0 || math.Abs(edge-other) > 0.5 || first.Top == second.Top {
			t.Errorf("%s, %s: lines of the text are at %v and %v, want one edge", c.language, c.paper, first, second)
		}
	}
}

// edgesOf returns the edges of the line of the first occurrence of a word, in the half of
// an A4 page that has the word.
func edgesOf(words []placed, text string) placed {
	line := placed{}
	for _, w := range words {
		if line.Text == "" && w.Text == text {
			line = w
		}
	}
	marker := line
	const middle = 297
	for _, w := range words {
		if math.Abs(w.middle()-marker.middle()) < 2 && (w.Left < middle) == (marker.Left < middle) {
			line.Left, line.Right = min(line.Left, w.Left), max(line.Right, w.Right)
		}
	}
	return line
}

// TestEndingOfAmountInWords checks that the ending of the amount in words is not alone
// on a line.
func TestEndingOfAmountInWords(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, price := range []string{"2418.59", "7017.70", "12113.44", "875017.50"} {
		f := facts(t, "till")
		f.Lines = f.Lines[:1]
		f.Lines[0].Price, f.Lines[0].Quantity = money.MustParse(price), money.MustParse("1")
		document := sealed(t, f).XML
		for _, on := range papers {
			text := pageText(t, reader, document, paper.Options{Paper: on, Supplement: paper.Supplement{AmountInWords: true}})
			for line := range strings.Lines(text) {
				switch strings.Join(strings.Fields(line), " ") {
				case "only", "لا غير", "غير":
					t.Errorf("%s, %s: the ending is alone on a line:\n%s", price, on, text)
				}
			}
		}
	}
}
