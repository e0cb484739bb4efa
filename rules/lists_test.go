package rules

import (
	"strings"
	"testing"

	"khatm/codes"
)

// The sheets must accept every code that our documents may have.
func TestListsContainOurCodes(t *testing.T) {
	for _, d := range codes.AllPaymentMeans() {
		if !paymentMeans[d.Text()] {
			t.Errorf("payment means %s is not in paymentMeans", d.Text())
		}
	}
	for _, c := range codes.Categories() {
		if !vatCategories[c.Code] {
			t.Errorf("category %s is not in vatCategories", c.Code)
		}
	}
	for _, code := range codes.FurtherReasonCodes() {
		if _, ours := codes.FindReason(code); ours || !furtherReasons[code] {
			t.Errorf("reason %s is not in furtherReasons, or is in package codes", code)
		}
	}
	for _, n := range []string{"388", "381", "383", "386"} {
		if !documentTypes[n] {
			t.Errorf("document type %s is not in documentTypes", n)
		}
	}
}

// The text of the sheet equals the list of package codes except for the typing
// errors of the sheet.
func TestChargeReasonTextHasThreeTypos(t *testing.T) {
	corrected := strings.NewReplacer("CAPCAQ", "CAP CAQ", "IAA AB", "IAA IAB", "TAB AC", "TAB TAC").Replace(chargeReasonText)
	var list strings.Builder
	for _, e := range codes.ChargeReasons() {
		list.WriteString(" " + e.Code)
	}
	if got, want := corrected, list.String()+" "; got != want {
		t.Errorf("corrected text is %q, want %q", got, want)
	}
}
