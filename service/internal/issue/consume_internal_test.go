package issue

import (
	"strings"
	"testing"
	"time"

	"khatm/invoice"
)

// The numbers of a released later year continue when that year begins.
func TestNumbersOfAReleasedSeries(t *testing.T) {
	t.Parallel()
	state := &State{Series: map[string]Series{"INV": {Prefix: "INV", First: 1, Year: 2026, Last: 117, Ahead: map[int]int64{2028: 5}}}}
	for _, c := range []struct {
		year int
		want string
	}{{2026, "INV-2026-000118"}, {2027, "INV-2027-000001"}, {2028, "INV-2028-000006"}, {2028, "INV-2028-000007"}, {2029, "INV-2029-000001"}} {
		name, series, number, err := state.next(invoice.TaxInvoice, time.Date(c.year, 6, 1, 0, 0, 0, 0, time.UTC))
		if err != nil || number != c.want {
			t.Errorf("year %d: number %s, %v, want %s", c.year, number, err, c.want)
		}
		state.Series[name] = series
	}
	if _, _, _, err := state.next(invoice.TaxInvoice, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)); err == nil || !strings.Contains(err.Error(), "khatm clock release") {
		t.Errorf("number of a past year: %v, want an error with \"khatm clock release\"", err)
	}
}

func TestIssueTimeOfAReleasedDevice(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	chain := &Chain{}
	chain.LastIssuedAt = now.AddDate(1, 0, 0)
	if _, err := issueTime(chain, now); err == nil || !strings.Contains(err.Error(), "khatm clock release --device "+chain.ID.String()) {
		t.Errorf("issueTime = %v, want an error with \"khatm clock release\"", err)
	}
	chain.Released = true
	if at, err := issueTime(chain, now); err != nil || !at.Equal(now) {
		t.Errorf("issueTime of a released device = %s, %v; want %s", at, err, now)
	}
}
