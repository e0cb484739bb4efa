package invoice_test

import (
	"testing"
	"time"

	"khatm/invoice"
)

func TestTransactionCodes(t *testing.T) {
	cases := []struct {
		code string
		want invoice.Transaction
	}{
		{"0100000", invoice.Transaction{}},
		{"0200000", invoice.Transaction{Simplified: true}},
		{"0110000", invoice.Transaction{ThirdParty: true}},
		{"0101000", invoice.Transaction{Nominal: true}},
		{"0100100", invoice.Transaction{Export: true}},
		{"0100010", invoice.Transaction{Summary: true}},
		{"0100001", invoice.Transaction{SelfBilled: true}},
		{"0211110", invoice.Transaction{Simplified: true, ThirdParty: true, Nominal: true, Export: true, Summary: true}},
	}
	for _, c := range cases {
		got, err := invoice.ParseTransaction(c.code)
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v, want %+v", c.code, got, err, c.want)
		}
		if text := c.want.String(); text != c.code {
			t.Errorf("%+v: got %s, want %s", c.want, text, c.code)
		}
	}
	for _, bad := range []string{"", "0", "010000", "01000000", "010000000", "0000000", "0300000", "1100000", "0100002", "01000 0", "010000O", "٠١٠٠٠٠٠", " 0100000"} {
		if got, err := invoice.ParseTransaction(bad); err == nil {
			t.Errorf("ParseTransaction(%q) = %+v, want an error", bad, got)
		}
	}
}

// TestEveryTransactionCode formats and parses all 64 codes.
func TestEveryTransactionCode(t *testing.T) {
	for bits := range 64 {
		on := func(bit int) bool { return bits>>bit&1 == 1 }
		want := invoice.Transaction{
			Simplified: on(0), ThirdParty: on(1), Nominal: on(2),
			Export: on(3), Summary: on(4), SelfBilled: on(5),
		}
		if got, err := invoice.ParseTransaction(want.String()); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", want.String(), got, err, want)
		}
	}
}

func TestIsNote(t *testing.T) {
	for kind, want := range map[invoice.Kind]bool{
		invoice.TaxInvoice: false, invoice.AdvancePayment: false, invoice.CreditNote: true, invoice.DebitNote: true, 0: false, 380: false,
	} {
		if got := kind.IsNote(); got != want {
			t.Errorf("IsNote of %d = %v, want %v", kind, got, want)
		}
	}
}

// TestRiyadhTime checks the date and time of instants around midnight in Riyadh, which
// is three hours ahead of UTC all year.
func TestRiyadhTime(t *testing.T) {
	newYork := time.FixedZone("New York", -5*60*60)
	cases := []struct {
		name       string
		instant    time.Time
		date, hour string
	}{
		{"last second of a day", time.Date(2026, 11, 13, 20, 59, 59, 999_999_999, time.UTC), "2026-11-13", "23:59:59"},
		{"midnight", time.Date(2026, 11, 13, 21, 0, 0, 0, time.UTC), "2026-11-14", "00:00:00"},
		{"midnight in UTC", time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC), "2026-11-14", "03:00:00"},
		{"new year", time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC), "2027-01-01", "00:00:00"},
		{"leap day", time.Date(2028, 2, 28, 21, 0, 0, 0, time.UTC), "2028-02-29", "00:00:00"},
		{"summer", time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC), "2026-07-01", "15:00:00"},
		{"from another zone", time.Date(2026, 11, 13, 16, 0, 0, 0, newYork), "2026-11-14", "00:00:00"},
		{"from Riyadh", time.Date(2026, 11, 14, 9, 15, 30, 0, invoice.Riyadh()), "2026-11-14", "09:15:30"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := invoice.Identity{Number: "INV-1"}.At(c.instant)
			if got.IssueDate != c.date || got.IssueTime != c.hour || got.Number != "INV-1" {
				t.Errorf("got %+v, want %s and %s", got, c.date, c.hour)
			}
		})
	}
}
