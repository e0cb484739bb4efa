package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestInvoiceStatuses(t *testing.T) {
	want := map[string]string{
		"CLEARED":      "معتمدة من الهيئة",
		"REPORTED":     "أُبلغت بها الهيئة",
		"NOT_CLEARED":  "مرفوضة من الهيئة",
		"NOT_REPORTED": "مرفوضة من الهيئة",
		"No response":  "لم ترد الهيئة بعد",
		"Unanswered":   "لم ترد الهيئة بعد",
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

func TestBuyerStatus(t *testing.T) {
	for _, c := range []struct {
		documentType int
		simplified   bool
		status       string
		en, ar       string
	}{
		{codes.TaxInvoice, false, "CLEARED", "Cleared", "معتمدة من الهيئة"},
		{codes.TaxInvoice, true, "REPORTED", "Reported", "أُبلغت بها الهيئة"},
		{codes.TaxInvoice, false, "NOT_CLEARED", "Not cleared", "مرفوضة من الهيئة"},
		{codes.TaxInvoice, true, "NOT_REPORTED", "Not reported", "مرفوضة من الهيئة"},
		{codes.TaxInvoice, false, "Unanswered", "Awaiting clearance", "بانتظار اعتماد الهيئة"},
		{codes.TaxInvoice, true, "Unanswered", "Issued, awaiting reporting", "صادرة، بانتظار إبلاغ الهيئة"},
		{codes.AdvancePayment, false, "No response", "Awaiting clearance", "بانتظار اعتماد الهيئة"},
		{codes.AdvancePayment, true, "No response", "Issued, awaiting reporting", "صادرة، بانتظار إبلاغ الهيئة"},
		{codes.CreditNote, false, "CLEARED", "Cleared", "معتمد من الهيئة"},
		{codes.DebitNote, true, "REPORTED", "Reported", "أُبلغت به الهيئة"},
		{codes.CreditNote, false, "NOT_CLEARED", "Not cleared", "مرفوض من الهيئة"},
		{codes.DebitNote, true, "NOT_REPORTED", "Not reported", "مرفوض من الهيئة"},
		{codes.CreditNote, false, "Unanswered", "Awaiting clearance", "بانتظار اعتماد الهيئة"},
		{codes.DebitNote, true, "No response", "Issued, awaiting reporting", "صادر، بانتظار إبلاغ الهيئة"},
	} {
		got, ok := codes.BuyerStatus(c.documentType, c.simplified, c.status)
		if !ok || got.EN != c.en || got.AR != c.ar {
			t.Errorf("BuyerStatus(%d, %t, %q) = %v, %v; want %q and %q", c.documentType, c.simplified, c.status, got, ok, c.en, c.ar)
		}
	}
	if got, ok := codes.BuyerStatus(codes.TaxInvoice, true, "cleared"); ok {
		t.Errorf("BuyerStatus of an unknown status = %v, want none", got)
	}
}
