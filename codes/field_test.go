package codes_test

import (
	"fmt"
	"strings"
	"testing"

	"khatm/codes"
)

func TestFieldLabels(t *testing.T) {
	for _, key := range strings.Fields(`
		invoice_number issue_date issue_time supply_date seller buyer vat_number commercial_registration
		street building_number district city postal_code country description unit_price unit_price_including_vat quantity unit
		vat_rate vat_amount subtotal_excluding_vat subtotal_including_vat discount taxable_amount vat_total
		vat_total_sar total prepaid rounding amount_due note_total currency exchange_rate payment_means payment_terms
		reason original_invoice notes page_of cryptographic_stamp exemption_reason previous_hash counter
		mark_test mark_draft mark_unsigned mark_test_note mark_draft_note mark_unsigned_note mark_translation`) {
		if _, ok := codes.FindWord(key); !ok {
			t.Errorf("the glossary has no word %s", key)
		}
	}
	if got := codes.MustWord("cryptographic_stamp").AR; got != "الختم التشفيري" {
		t.Errorf("Arabic label of the stamp = %s, want %s", got, "الختم التشفيري")
	}
}

func TestPageOf(t *testing.T) {
	page := codes.MustWord("page_of")
	if got := fmt.Sprintf(page.EN, 1, 2); got != "Page 1 of 2" {
		t.Errorf("English page number = %q, want %q", got, "Page 1 of 2")
	}
	if got := fmt.Sprintf(page.AR, 1, 2); got != "صفحة 1 من 2" {
		t.Errorf("Arabic page number = %q, want %q", got, "صفحة 1 من 2")
	}
}
