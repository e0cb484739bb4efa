package paper_test

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

// pageText draws a document and returns the text that pdftotext reads from it.
func pageText(t *testing.T, reader string, document []byte, o paper.Options) string {
	t.Helper()
	read := exec.Command(reader, "-enc", "UTF-8", "-", "-")
	read.Stdin = bytes.NewReader(draw(t, document, o))
	text, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	// pdftotext inserts characters where the direction changes.
	return strings.NewReplacer("\u202A", "", "\u202B", "", "\u202C", "").Replace(string(text))
}

// TestAmountsAreWhole checks that very large amounts are not broken into several lines.
func TestAmountsAreWhole(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	document := sealed(t, facts(t, "largest-amounts")).XML
	// Larger than any rule allows, in a currency with a longer symbol.
	document = bytes.ReplaceAll(document, []byte(">SAR<"), []byte(">USD<"))
	document = bytes.ReplaceAll(document, []byte(`"SAR">11499999998907.50<`), []byte(`"USD">12345678911499999998907.50<`))
	document = bytes.ReplaceAll(document, []byte(`"SAR">9999999999050.00<`), []byte(`"USD">12345678909999999999050.00<`))
	document = bytes.ReplaceAll(document, []byte(`"SAR">1499999999857.50<`), []byte(`"USD">12345678901499999999857.50<`))
	for _, on := range papers {
		for _, language := range languages {
			text := pageText(t, reader, document, paper.Options{Language: language, Paper: on})
			for amount, times := range map[string]int{
				"12,345,678,911,499,999,998,907.50": 2, "12,345,678,909,999,999,999,050.00": 2,
				"12,345,678,901,499,999,999,857.50": 2, "11,499,999,998,735.00": 1,
			} {
				if got := strings.Count(text, amount); got != times {
					t.Errorf("%s, %s: %s occurs %d times, want %d:\n%s", on, language, amount, got, times, text)
				}
			}
		}
	}
}

// TestRollLines checks the lines on a roll: the category if there is no VAT, labels in
// both languages, and the minus sign before its number.
func TestRollLines(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	document := sealed(t, facts(t, "383-standard-s15-e-o-usd-discount")).XML
	document = regexp.MustCompile(`(<cbc:InvoicedQuantity[^>]*>)`).ReplaceAll(document, []byte("${1}-"))
	text := pageText(t, reader, document, paper.Options{Language: paper.Bilingual, Paper: paper.Roll80})
	for _, want := range []string{`معفاة`, `Out of scope of VAT`, `Subtotal \(excluding VAT\)`, `VAT amount: `, `−0\.333333`, `−10[^0-9]`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("text does not match %s:\n%s", want, text)
		}
	}
}

// TestDetailsInBothLanguages checks that the details of a line are in the languages of
// the page.
func TestDetailsInBothLanguages(t *testing.T) {
	document := sealed(t, facts(t, "credit")).XML
	document = regexp.MustCompile(`(<cac:Item><cbc:Name>[^<]*</cbc:Name>)`).ReplaceAll(document,
		[]byte(`${1}<cac:SellersItemIdentification><cbc:ID>SKU-1</cbc:ID></cac:SellersItemIdentification>`))
	document = regexp.MustCompile(`(<cbc:LineExtensionAmount[^>]*>[^<]*</cbc:LineExtensionAmount>)(<cac:TaxTotal>)`).ReplaceAll(document,
		[]byte(`${1}<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Ramadan</cbc:AllowanceChargeReason>`+
			`<cbc:Amount currencyID="SAR">0.6</cbc:Amount></cac:AllowanceCharge>${2}`))
	cases := []struct {
		language paper.Language
		want     []string
	}{
		{paper.Bilingual, []string{"[رمز الصنف / Item code: SKU-1]", "[الخصم / Discount: 0.60 (Ramadan)]"}},
		{paper.Arabic, []string{"[رمز الصنف: SKU-1]", "[الخصم: 0.60 (Ramadan)]"}},
		{paper.English, []string{"[Item code: SKU-1]", "[Discount: 0.60 (Ramadan)]"}},
	}
	for _, c := range cases {
		said, err := paper.Said(document, paper.Options{Language: c.language})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(said, "detail: "+want+"\n") {
				t.Errorf("%s: content lacks the detail %s:\n%s", c.language, want, said)
			}
		}
	}
}
