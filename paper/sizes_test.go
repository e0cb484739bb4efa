package paper_test

import (
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/money"
	"khatm/paper"
)

// TestSizes checks that no text of a table is smaller than 6 points, and that the
// numbers of a row have one size.
func TestSizes(t *testing.T) {
	large := facts(t, "383-standard-s15-e-o-usd-discount")
	large.Lines[3].Price = money.MustParse("123456789.12")
	documents := map[string]invoice.Facts{
		"largest-amounts": facts(t, "largest-amounts"), "large": large,
		"advances": facts(t, "388-standard-all-usd-advance-two-rates"), "shelf-prices": facts(t, "shelf-prices"),
	}
	for name, f := range documents {
		document := sealed(t, f).XML
		for _, on := range papers {
			for _, language := range languages {
				rows, smallest, err := press(t).Figures(document, paper.Options{Language: language, Paper: on})
				if err != nil {
					t.Fatal(err)
				}
				if smallest < 6-0.001 {
					t.Errorf("%s, %s, %s: smallest size is %.2f, want at least 6", name, on, language, smallest)
				}
				for i, sizes := range rows {
					for _, size := range sizes {
						if size != sizes[0] {
							t.Errorf("%s, %s, %s: row %d has numbers of the sizes %v, want one", name, on, language, i, sizes)
							break
						}
					}
				}
			}
		}
	}
}

// TestAbsurdAmounts checks that amounts that are too long for columns are below each
// other, each beside its label.
func TestAbsurdAmounts(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	document := sealed(t, facts(t, "largest-amounts")).XML
	long := "12345678901234567890" + "9999999999050.00"
	replaced := strings.ReplaceAll(string(document), ">9999999999050.00<", ">"+long+"<")
	text := pageText(t, reader, []byte(replaced), paper.Options{Language: paper.English, Paper: paper.Roll80})
	if want := "Amount excl. VAT 123,456,789,012,345,678,909,999,999,999,050.00"; !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
		t.Errorf("the page lacks %q:\n%s", want, text)
	}
}
