package guest

import (
	"testing"

	"khatm/invoice"
	"khatm/service/internal/ledger"
)

// TestReasonIsNotPaymentTerms checks that a note shows its reason once, and an invoice
// its payment terms.
func TestReasonIsNotPaymentTerms(t *testing.T) {
	t.Parallel()
	for kind, want := range map[invoice.Kind]string{invoice.CreditNote: "", invoice.DebitNote: "", invoice.TaxInvoice: "Goods returned"} {
		record := ledger.Record{PaymentMeans: "30", PaymentTerms: "Goods returned", ReasonText: "Goods returned"}
		if got := sheetOf(english, ledger.Invoice{Kind: kind, Record: record}); got.Terms != want || got.Reason != "Goods returned" {
			t.Errorf("kind %d: terms %q and reason %q, want %q and the reason", kind, got.Terms, got.Reason, want)
		}
	}
}
