package guest

import (
	"testing"

	"khatm/codes"
	"khatm/service/internal/ledger"
)

// TestReasonIsNotPaymentTerms checks that a note shows its reason once, and an invoice
// its payment terms.
func TestReasonIsNotPaymentTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		invoice ledger.Invoice
		want    string
	}{
		{ledger.Invoice{Kind: codes.CreditNote}, ""},
		{ledger.Invoice{Kind: codes.DebitNote}, ""},
		{ledger.Invoice{Kind: codes.TaxInvoice}, "Goods returned"},
	} {
		c.invoice.Record = ledger.Record{PaymentMeans: "30", PaymentTerms: "Goods returned", ReasonText: "Goods returned"}
		if got := sheetOf(english, c.invoice); got.Terms != c.want || got.Reason != "Goods returned" {
			t.Errorf("kind %d: terms %q and reason %q, want %q and the reason", c.invoice.Kind, got.Terms, got.Reason, c.want)
		}
	}
}
