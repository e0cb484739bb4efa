package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestEveryDocumentTypeHasItsTitles(t *testing.T) {
	var keys []string
	for _, d := range codes.DocumentTypes() {
		standard, ok := codes.Title(d.Code, false)
		if !ok || standard.AR != d.AR {
			t.Errorf("%s: title %v, %v, want Arabic %s", d.Key, standard, ok, d.AR)
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
