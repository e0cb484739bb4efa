package rules

import (
	"strings"
	"testing"

	"khatm/codes"
)

// TestListsHoldOurs: every code that a document of ours may have is known to
// the sheets.
func TestListsHoldOurs(t *testing.T) {
	for _, d := range codes.AllPaymentMeans() {
		if !paymentMeans[d.Text()] {
			t.Errorf("payment means %s", d.Text())
		}
	}
	for _, c := range codes.Categories() {
		if !vatCategories[c.Code] {
			t.Errorf("category %s", c.Code)
		}
	}
	for _, code := range codes.FurtherReasonCodes() {
		if _, ours := codes.FindReason(code); ours || !furtherReasons[code] {
			t.Errorf("further reason %s", code)
		}
	}
	for _, n := range []string{"388", "381", "383", "386"} {
		if !documentTypes[n] {
			t.Errorf("document type %s", n)
		}
	}
}

// TestChargeReasonTextHasThreeSlips: the text of the sheet is the list of
// package codes but for what its author mistyped.
func TestChargeReasonTextHasThreeSlips(t *testing.T) {
	mended := strings.NewReplacer("CAPCAQ", "CAP CAQ", "IAA AB", "IAA IAB", "TAB AC", "TAB TAC").Replace(chargeReasonText)
	var list strings.Builder
	for _, e := range codes.ChargeReasons() {
		list.WriteString(" " + e.Code)
	}
	if got, want := mended, list.String()+" "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
