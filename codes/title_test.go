package codes_test

import (
	"strings"
	"testing"

	"khatm/codes"
)

func TestEveryDocumentTypeHasItsTitles(t *testing.T) {
	var keys []string
	for _, d := range codes.DocumentTypes() {
		standard, ok := codes.Title(d.Code, false)
		if !ok || !strings.HasPrefix(standard.AR, d.AR) {
			t.Errorf("%s: title %v, %v, want Arabic that begins with %s", d.Key, standard, ok, d.AR)
		}
		simplified, ok := codes.Title(d.Code, true)
		if !ok || simplified.AR == standard.AR {
			t.Errorf("%s: simplified title %v, %v, want one that differs from the standard title", d.Key, simplified, ok)
		}
		keys = append(keys, standard.Key, simplified.Key)
	}
	wantUnique(t, keys)
	if w, ok := codes.Title(380, false); ok {
		t.Errorf("Title(380) = %v, want none", w)
	}
}

func TestTitleOfASimplifiedInvoice(t *testing.T) {
	got, _ := codes.Title(codes.TaxInvoice, true)
	want := codes.Word{Key: "simplified_tax_invoice", EN: "Simplified Tax Invoice", AR: "فاتورة ضريبية مبسطة"}
	if got != want {
		t.Errorf("title = %v, want %v", got, want)
	}
}

// TestTitlesFollowOneScheme checks that the title of a simplified document is that of
// the standard document with "simplified" added, and that every title names a tax
// invoice.
func TestTitlesFollowOneScheme(t *testing.T) {
	for _, d := range codes.DocumentTypes() {
		standard, _ := codes.Title(d.Code, false)
		simplified, _ := codes.Title(d.Code, true)
		if strings.Replace(simplified.EN, "Simplified ", "", 1) != standard.EN || !strings.Contains(standard.EN, "Tax Invoice") {
			t.Errorf("English titles %q and %q, want the same tax invoice with and without Simplified", standard.EN, simplified.EN)
		}
		if strings.Replace(simplified.AR, " مبسطة", "", 1) != standard.AR || !strings.Contains(standard.AR, "فاتورة ضريبية") {
			t.Errorf("Arabic titles %q and %q, want the same tax invoice with and without مبسطة", standard.AR, simplified.AR)
		}
	}
}
