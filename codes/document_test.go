package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestDocumentTypes(t *testing.T) {
	want := []struct {
		code int
		key  string
	}{
		{388, "TAX_INVOICE"},
		{381, "CREDIT_NOTE"},
		{383, "DEBIT_NOTE"},
		{386, "ADVANCE_PAYMENT_INVOICE"},
	}
	all := codes.DocumentTypes()
	if len(all) != len(want) {
		t.Fatalf("got %d types, want %d", len(all), len(want))
	}
	for i, w := range want {
		d, ok := codes.FindDocumentType(w.code)
		if !ok || d != all[i] || d.Key != w.key {
			t.Errorf("FindDocumentType(%d) = %v, %v, want %s", w.code, d, ok, w.key)
		}
		checkEnglish(t, d.Key, d.EN)
		checkArabic(t, d.Key, d.AR)
	}
	for _, unknown := range []int{0, 380, 389, -388} {
		if d, ok := codes.FindDocumentType(unknown); ok {
			t.Errorf("FindDocumentType(%d) = %v, want none", unknown, d)
		}
	}
	all[0].Code = 1
	if codes.DocumentTypes()[0].Code != 388 {
		t.Error("a caller can change the table")
	}
}
