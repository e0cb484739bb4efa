package paper_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"khatm/money"
	"khatm/paper"
	"khatm/pdfa"
)

// account returns a paper with all parts and enough rows for several pages.
func account() paper.Account {
	client := paper.Party{Name: "Al Noor Trading", NameArabic: "شركة النور للتجارة", VATNumber: "311111111100003", Street: "Tahlia", BuildingNumber: "1234", City: "Riyadh", Country: "SA"}
	a := paper.Account{
		Title: "payment_receipt", Number: "RCT-2026-000001", Created: time.Unix(0, 0).UTC(), Seller: client, Client: &client, ClientAs: "received_from",
		Facts: []paper.AccountFact{{Key: "received_on", Text: "2026-11-15"}, {Key: "payment_means", Word: "kept_as_credit"}, {Key: "until"}},
		Sums: []paper.AccountSum{
			{Key: "client_credit", Amount: money.MustParse("-1234.50"), Currency: "USD"}, {Key: "received_amount", Amount: money.MustParse("2"), Currency: "SAR"},
		},
		InWords: true, Notes: []string{"cheque 7"}, Reversed: true,
	}
	t := paper.AccountTable{
		Heading: paper.AccountFact{Key: "currency", Text: "SAR"},
		Columns: []paper.AccountColumn{{Key: "entry"}, {Key: "date", Width: 60}, {Key: "running_balance", Amount: true, Width: 80}},
	}
	for n := range 90 {
		t.Rows = append(t.Rows, paper.AccountRow{Strong: n == 0, Cells: []paper.AccountFact{{Word: "entry_refund"}, {Text: "2026-11-15"}, {Text: fmt.Sprintf("-%d.00", 1000+n)}}})
	}
	a.Tables = []paper.AccountTable{t}
	return a
}

func TestAccount_AllParts(t *testing.T) {
	for language, want := range map[paper.Language][]string{
		paper.English:   {"Payment Receipt", "REVERSED", "TEST – not a real document", "Two Saudi riyals", "Al Noor Trading", "cheque 7", "Refund kept as credit"},
		paper.Bilingual: {"Payment Receipt", "REVERSED", "Two Saudi riyals"},
		paper.Arabic:    {"RCT-2026-000001"},
	} {
		draw := func() []byte {
			pdf, err := press(t).Account(account(), paper.Options{Language: language, Test: true})
			if err != nil {
				t.Fatal(err)
			}
			return pdf
		}
		pdf := draw()
		if !bytes.Equal(pdf, draw()) {
			t.Errorf("%s: two drawings differ", language)
		}
		pages, err := pdfa.ReadPages(t.Context(), pdf, pdfa.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, page := range pages {
			text += page.Text + "\n"
		}
		for _, one := range append(want, "\u22121,089.00", "2026-11-15") {
			if !strings.Contains(text, one) {
				t.Errorf("%s: the paper does not say %q:\n%s", language, one, text)
			}
		}
		if len(pages) < 2 || strings.Contains(text, "TRANSLATION") || strings.Contains(text, "Until") {
			t.Errorf("%s: %d pages, want several without empty facts:\n%s", language, len(pages), text)
		}
	}
	if _, err := press(t).Account(account(), paper.Options{Language: "fr"}); err == nil {
		t.Error("a paper in an unknown language was drawn")
	}
}
