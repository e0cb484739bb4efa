package paper_test

import (
	"strings"
	"testing"

	"khatm/paper"
)

// TestReasonIsNotPaymentTerms checks that a note that is paid by transfer has its
// reason once, and that other payment terms are printed.
func TestReasonIsNotPaymentTerms(t *testing.T) {
	for terms, want := range map[string]bool{"إرجاع بضاعة تالفة": false, "الدفع خلال 30 يومًا": true} {
		f := facts(t, "381-standard-s15-sar")
		f.PaymentMeans, f.Reason, f.PaymentTerms = "30", "إرجاع بضاعة تالفة", terms
		got, err := paper.Said(sealed(t, f).XML, paper.Options{Language: paper.English})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, "fact: [Reason] [إرجاع بضاعة تالفة]") || strings.Contains(got, "[Payment terms]") != want {
			t.Errorf("terms %s: payment terms printed: %t, want %t, and the reason:\n%s", terms, !want, want, got)
		}
	}
}
