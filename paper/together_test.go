package paper_test

import (
	"math"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

// TestTextsStayOnOneLine checks that texts that are hard to read in parts are on one
// line of the page.
func TestTextsStayOnOneLine(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	iban := paper.Supplement{IBAN: "SA0380000000608010167519"}
	const account = "SA03 8000 0000 6080 1016 7519"
	for _, c := range []struct {
		name, kind string
		options    paper.Options
		want       string
	}{
		{"account on a roll", "till", paper.Options{Language: paper.Arabic, Paper: paper.Roll80, Supplement: iban}, account},
		{"account on a roll, English", "till", paper.Options{Language: paper.English, Paper: paper.Roll80, Supplement: iban}, account},
		{"account on a roll, both languages", "till", paper.Options{Paper: paper.Roll80, Supplement: iban}, account},
		{"translation", "till", paper.Options{Language: paper.English, Paper: paper.Roll80}, "ترجمة – الأصل بالعربية"},
		{"translation in the footer", "till", paper.Options{Language: paper.English}, "Translation · ترجمة – الأصل بالعربية"},
		{"longest title", "386-simplified-s15-sar", paper.Options{Language: paper.Arabic}, "فاتورة ضريبية مبسطة – دفعة مقدمة"},
		{"longest title, English", "386-simplified-s15-sar", paper.Options{Language: paper.English}, "Simplified Advance Payment Tax Invoice"},
		{"category", "388-standard-all-usd-advance-two-rates", paper.Options{}, "Services outside scope of tax / Not subject to VAT"},
		{"price including VAT", "shelf-prices", paper.Options{}, "Unit price (including VAT): 10.00"},
		{"net amount on a roll", "largest-amounts", paper.Options{Paper: paper.Roll80}, "Subtotal (excluding VAT): 9,999,999,998,900.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if text := pageText(t, reader, sealed(t, facts(t, c.kind)).XML, c.options); !strings.Contains(text, c.want) {
				t.Errorf("no line of the page contains %q:\n%s", c.want, text)
			}
		})
	}
}

// TestAccountIsAligned checks that the account number, whose label has both languages,
// begins below the other texts about the payment.
func TestAccountIsAligned(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for _, on := range papers {
		pdf := draw(t, sealed(t, facts(t, "credit")).XML, paper.Options{Paper: on, Supplement: paper.Supplement{IBAN: "SA0380000000608010167519"}})
		edges := map[string]float64{}
		for _, w := range wordsOn(t, reader, pdf)[0] {
			edges[w.Text] = w.Right
		}
		if means, account := edges["transfer"], edges["7519"]; means == 0 || math.Abs(means-account) > 0.5 {
			t.Errorf("%s: right edge of the account at %.1f, want %.1f as of the payment means", on, account, means)
		}
	}
}
