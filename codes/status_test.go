package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestInvoiceStatuses(t *testing.T) {
	want := map[string]string{
		"CLEARED":      "معتمدة",
		"REPORTED":     "مُبلَّغ عنها",
		"NOT_CLEARED":  "غير معتمدة",
		"NOT_REPORTED": "لم يُقبل الإبلاغ",
		"No response":  "لا رد",
		"Unanswered":   "بانتظار الرد",
	}
	if n := len(codes.InvoiceStatuses()); n != len(want) {
		t.Errorf("got %d statuses, want %d", n, len(want))
	}
	for status, arabic := range want {
		if w, ok := codes.FindInvoiceStatus(status); !ok || w.Key != status || w.AR != arabic {
			t.Errorf("FindInvoiceStatus(%q) = %v, %v, want %s", status, w, ok, arabic)
		}
	}
	if w, ok := codes.FindInvoiceStatus("cleared"); ok {
		t.Errorf("FindInvoiceStatus(cleared) = %v, want none", w)
	}
}
