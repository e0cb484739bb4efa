package paper_test

import (
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/paper"
)

// supplement is a supplement with every text.
var supplement = paper.Supplement{
	Seller: paper.PartySupplement{Name: "Khatm Demo Trading", Address: paper.ArabicAddress{
		Street: "طريق الملك فهد", AdditionalStreet: "خلف الجامع", District: "العليا", City: "الرياض", Province: "منطقة الرياض",
	}},
	Buyer: paper.PartySupplement{Name: "Al Noor Stationery", Address: paper.ArabicAddress{Street: "شارع التحلية", City: "جدة"}},
	Items: []string{"حاسوب محمول مكتبي"}, AmountInWords: true,
	IBAN: "SA0380000000608010167519", Phone: "+966 11 234 5678", DueDate: "2026-12-14",
}

// latin returns the facts of a sample whose seller has an address in Latin letters.
func latin(t *testing.T, kind string) invoice.Facts {
	t.Helper()
	f := facts(t, kind)
	f.Seller.Address = invoice.Address{
		Street: "King Fahd Road", AdditionalStreet: "Behind the mosque", BuildingNumber: "1234", Plot: "7", District: "Al Olaya",
		City: "Riyadh", Province: "Riyadh Province", PostalCode: "12345", Country: "SA",
	}
	return f
}

// said returns the content of a sample in a language, with the supplement.
func said(t *testing.T, kind string, language paper.Language, s paper.Supplement) string {
	t.Helper()
	text, err := paper.Said(sealed(t, latin(t, kind)).XML, paper.Options{Language: language, Supplement: s})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSupplement checks which texts of the supplement are on a page of each language.
func TestSupplement(t *testing.T) {
	for language, want := range map[paper.Language]struct{ has, lacks []string }{
		paper.Bilingual: {
			has: []string{"Khatm Demo Trading", "1234 طريق الملك فهد، خلف الجامع، العليا، الرياض 12345، منطقة الرياض", "1234 King Fahd Road, Behind the mosque, Al Olaya, Riyadh 12345", "\u00A0لا\u00A0غير", "\u00A0only", "SA03 8000 0000 6080 1016 7519", "+966 11 234 5678", "2026-12-14"},
		},
		paper.Arabic: {
			has:   []string{"طريق الملك فهد", "\u00A0لا\u00A0غير", "SA03 8000 0000 6080 1016 7519"},
			lacks: []string{"Khatm Demo Trading", "\u00A0only", "King Fahd"},
		},
		paper.English: {
			has:   []string{"Khatm Demo Trading", "\u00A0only", "King Fahd Road", "Secondary\u00A0number\u00A07,"},
			lacks: []string{"\u00A0لا\u00A0غير", "طريق الملك فهد"},
		},
	} {
		got := said(t, "388-standard-s15-sar", language, supplement)
		for _, text := range want.has {
			if !strings.Contains(got, text) {
				t.Errorf("%s: the page lacks %q:\n%s", language, text, got)
			}
		}
		for _, text := range want.lacks {
			if strings.Contains(got, text) {
				t.Errorf("%s: the page has %q", language, text)
			}
		}
	}
}

// TestNoSupplement checks that nothing is added by default, and neither an account nor
// a due date to a credit note.
func TestNoSupplement(t *testing.T) {
	if got := said(t, "388-standard-s15-sar", paper.Bilingual, paper.Supplement{}); strings.Contains(got, "\u00A0لا\u00A0غير") || strings.Contains(got, "IBAN") {
		t.Errorf("the page has texts that were not requested:\n%s", got)
	}
	got := said(t, "381-standard-s15-sar", paper.Bilingual, supplement)
	if strings.Contains(got, "IBAN") || strings.Contains(got, "2026-12-14") {
		t.Errorf("a credit note has an account or a due date:\n%s", got)
	}
}
