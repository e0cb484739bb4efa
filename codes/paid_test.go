package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestPaymentStatuses(t *testing.T) {
	want := map[string]string{
		"Pending":        "غير مدفوعة",
		"Partially Paid": "مدفوعة جزئيًا",
		"Paid":           "مدفوعة",
	}
	if n := len(codes.PaymentStatuses()); n != len(want) {
		t.Errorf("got %d statuses, want %d", n, len(want))
	}
	for status, arabic := range want {
		if w, ok := codes.FindPaymentStatus(status); !ok || w.EN != status || w.AR != arabic {
			t.Errorf("FindPaymentStatus(%q) = %v, %v, want %s", status, w, ok, arabic)
		}
	}
}
