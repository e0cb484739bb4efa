package paper_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

// TestRollOrder checks the order of the parts of a receipt and of a standard document on
// a roll.
func TestRollOrder(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, c := range []struct {
		kind  string
		parts []string
	}{
		{"388-standard-s15-sar", []string{"Tax Invoice", "INV-2026-000001", "2026-11-14", "Seller", "310175397400003", "Buyer", "311287654900003", "Item 1", "Total VAT", "Amount due", "Unique"}},
		{"381-standard-s15-sar", []string{"Credit Note", "INV-2026-000001", "INV-2026-000017", "Seller", "310175397400003", "Buyer", "Item 1", "Note total", "Unique"}},
		{"388-simplified-s15-sar", []string{"310175397400003", "Simplified", "INV-2026-000001", "2026-11-14", "Item 1", "Total VAT", "Amount due", "Unique"}},
	} {
		words := wordsOn(t, reader, draw(t, sealed(t, facts(t, c.kind)).XML, paper.Options{Language: paper.English, Paper: paper.Roll80}))[0]
		texts := joined(words)
		at := 0.0
		for _, part := range c.parts {
			i := slices.IndexFunc(texts, func(p placed) bool { return strings.Contains(p.Text, part) })
			if i < 0 {
				t.Fatalf("%s: the page lacks %q", c.kind, part)
			}
			if texts[i].Top < at {
				t.Errorf("%s: %q is at %.0f, want it below %.0f", c.kind, part, texts[i].Top, at)
			}
			at = texts[i].Top
		}
	}
}

// TestRollPrices checks that a roll says whether prices include VAT, and has the price
// of the shelf beside the total of a line with VAT.
func TestRollPrices(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, c := range []struct {
		kind     string
		language paper.Language
		want     []string
	}{
		{"till", paper.English, []string{"Quantity × price excl. VAT", "Total incl. VAT", "2 Piece × 31.30"}},
		{"till", paper.Arabic, []string{"السعر غير شامل الضريبة", "الإجمالي شامل الضريبة"}},
		{"shelf-prices", paper.English, []string{"Quantity × price incl. VAT", "Total incl. VAT", "10 Piece × 10.00", "Unit price (excluding VAT): 8.696"}},
		{"shelf-prices", paper.Bilingual, []string{"السعر شامل الضريبة", "price incl. VAT", "Total incl. VAT"}},
		{"shelf-prices-and-net-prices", paper.English, []string{"Quantity × Unit price", "Unit price (including VAT): ", "Unit price (excluding VAT): "}},
	} {
		text := strings.Join(strings.Fields(pageText(t, reader, sealed(t, facts(t, c.kind)).XML, paper.Options{Language: c.language, Paper: paper.Roll80})), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s, %s: the page lacks %q:\n%s", c.kind, c.language, want, text)
			}
		}
	}
}

// TestDeductionsHaveAMinus checks that amounts that are deducted have a minus sign
// before the digits, also on pages from right to left.
func TestDeductionsHaveAMinus(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for kind, wanted := range map[string][]string{
		"388-standard-all-usd-advance-two-rates": {"USD −20.02"},
		"383-standard-s15-e-o-usd-discount":      {"USD −3.21", "\n−1.07\n"},
		"rounding-down":                          {"\u20C1 −0.02"},
	} {
		document := sealed(t, facts(t, kind)).XML
		for _, language := range languages {
			for _, on := range papers {
				text := pageText(t, reader, document, paper.Options{Language: language, Paper: on})
				for _, want := range wanted {
					if !strings.Contains(text, want) {
						t.Errorf("%s, %s, %s: the page lacks %q:\n%s", kind, language, on, want, text)
					}
				}
			}
		}
	}
}

// TestNoRateWithoutVAT checks that lines, discounts and totals that are exempt or out of
// scope have no rate, and zero-rated ones have.
func TestNoRateWithoutVAT(t *testing.T) {
	said, err := paper.Said(sealed(t, facts(t, "388-standard-all-usd-advance-two-rates")).XML, paper.Options{Language: paper.English})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "line:") && !strings.HasPrefix(line, "vat:") {
			continue
		}
		rows++
		without := strings.Contains(line, "[E]") || strings.Contains(line, "[O]")
		if without != strings.Contains(line, "[–]") || strings.Contains(line, "[Z]") != strings.Contains(line, "[0%]") {
			t.Errorf("row %q, want a dash for E and O, and 0%% for Z only", line)
		}
	}
	if rows < 16 {
		t.Errorf("%d rows, want 11 lines and 5 categories", rows)
	}
}

// TestLabelsReadWithTheirFigures checks that on a bilingual page, an English label is
// followed by its colon and its figure from left to right, as it is read.
func TestLabelsReadWithTheirFigures(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, c := range []struct {
		kind string
		on   paper.Paper
		want []string
	}{
		{"383-standard-s15-e-o-usd-discount", paper.Roll80, []string{"Subtotal (excluding VAT): 100.00", "VAT amount: 15.00"}},
		{"shelf-prices", paper.Roll80, []string{"Unit price (excluding VAT): 8.696"}},
		{"shelf-prices", paper.A4, []string{"Unit price (including VAT): 10.00", "Invoice counter: 1 /", "= / "}},
	} {
		var lines []string
		for _, words := range wordsOn(t, reader, draw(t, sealed(t, facts(t, c.kind)).XML, paper.Options{Paper: c.on})) {
			lines = append(lines, fromLeft(words)...)
		}
		for _, want := range c.want {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("%s, %s: no line has %q from left to right:\n%s", c.kind, c.on, want, strings.Join(lines, "\n"))
			}
		}
	}
}

// fromLeft returns the lines of a page with their words from left to right.
func fromLeft(words []placed) []string {
	slices.SortStableFunc(words, func(a, b placed) int { return cmp.Compare(a.middle(), b.middle()) })
	var lines [][]placed
	for _, w := range words {
		if n := len(lines) - 1; n >= 0 && math.Abs(lines[n][0].middle()-w.middle()) < 1 {
			lines[n] = append(lines[n], w)
			continue
		}
		lines = append(lines, []placed{w})
	}
	texts := make([]string, len(lines))
	for i, line := range lines {
		slices.SortStableFunc(line, func(a, b placed) int { return cmp.Compare(a.Left, b.Left) })
		for _, w := range line {
			texts[i] = strings.TrimSpace(texts[i] + " " + w.Text)
		}
	}
	return texts
}
