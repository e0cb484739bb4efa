package issue_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
)

// Each kind of document has its own series, without gaps.
func TestNumbersByKind(t *testing.T) {
	t.Parallel()
	s := open(t)
	original := s.accepted(note("original"))
	for n, c := range []struct {
		request issue.Request
		number  string
		kind    invoice.Kind
	}{
		{standard(), "INV-2026-000002", invoice.TaxInvoice},
		{standard(kind(386)), "ADV-2026-000001", invoice.AdvancePayment},
		{standard(corrects(381, original.ID), priced("10")), "CRN-2026-000001", invoice.CreditNote},
		{standard(corrects(383, original.ID)), "DBN-2026-000001", invoice.DebitNote},
		{standard(simplified), "INV-2026-000003", invoice.TaxInvoice},
		{standard(from(secondDevice)), "INV-2026-000004", invoice.TaxInvoice},
		{standard(kind(386), note("b")), "ADV-2026-000002", invoice.AdvancePayment},
		{standard(corrects(381, original.ID), priced("11")), "CRN-2026-000002", invoice.CreditNote},
		{standard(corrects(383, original.ID), priced("12")), "DBN-2026-000002", invoice.DebitNote},
	} {
		shown, err := s.issuer.Preview(t.Context(), s.by, c.request)
		if err != nil {
			t.Fatal(err)
		}
		got := s.create(c.request)
		same(t, fmt.Sprint(n, ": preview"), shown.Number, c.number)
		same(t, fmt.Sprint(n, ": number"), got.Number, c.number)
		same(t, fmt.Sprint(n, ": kind"), got.Kind, c.kind)
	}
}

func TestKindOfSeries(t *testing.T) {
	t.Parallel()
	for series, want := range map[string]invoice.Kind{
		"INV": invoice.TaxInvoice, "CRN": invoice.CreditNote, "DBN": invoice.DebitNote, "ADV": invoice.AdvancePayment, "": 0, "inv": 0, "XYZ": 0,
	} {
		same(t, series, issue.KindOf(series), want)
	}
}

// Numbers restart every year in Riyadh time, three hours ahead of UTC.
func TestNumbersByYear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		series issue.Series
		now    time.Time
		want   string
	}{
		{"never used", issue.Series{}, morning, "INV-2026-000001"},
		{"begun", issue.Series{Prefix: "INV", First: 1, Year: 2026, Last: 41}, morning, "INV-2026-000042"},
		{"another prefix", issue.Series{Prefix: "SHOP7", First: 1, Year: 2026, Last: 9}, morning, "SHOP7-2026-000010"},
		{"first year from another number", issue.Series{Prefix: "INV", First: 501}, morning, "INV-2026-000501"},
		{"second year from one", issue.Series{Prefix: "INV", First: 501, Year: 2025, Last: 777}, morning, "INV-2026-000001"},
		{"last second of the year", issue.Series{Prefix: "INV", First: 1, Year: 2026, Last: 5}, time.Date(2026, 12, 31, 20, 59, 59, 0, time.UTC), "INV-2026-000006"},
		{"first second of the next year", issue.Series{Prefix: "INV", First: 1, Year: 2026, Last: 5}, time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC), "INV-2027-000001"},
		{"more than six digits", issue.Series{Prefix: "INV", First: 1, Year: 2026, Last: 999_999}, morning, "INV-2026-1000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.now = c.now
			if c.series.Prefix != "" {
				s.book.series["INV"] = c.series
			}
			r := standard(func(r *issue.Request) { r.SupplyDate, r.SupplyEndDate = "2026-11-01", "2026-11-01" })
			shown, err := s.issuer.Preview(t.Context(), s.by, r)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "preview", shown.Number, c.want)
			got := s.create(r)
			same(t, "number", got.Number, c.want)
			after := s.book.series["INV"]
			same(t, "year kept", after.Year, c.now.Add(3*time.Hour).Year())
			same(t, "first kept", after.First, max(1, c.series.First))
		})
	}
}

// If the last number of a series belongs to a later year, create and preview
// are refused.
func TestNumberOfALaterYear(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.book.series["INV"] = issue.Series{Prefix: "INV", First: 1, Year: 2027, Last: 3}
	e := s.refused(standard())
	same(t, "kind", e.Kind(), fault.Unavailable)
	if !errors.Is(e, issue.ErrUnwritten) {
		t.Error("the error does not wrap ErrUnwritten")
	}
	same(t, "last", s.book.series["INV"].Last, 3)
}

// A refused request uses no number, chain position or stock.
func TestRefusalTakesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	same(t, "refusal", refusalOf(s.refused(standard(items(chairs, "11")))), "stock")
	same(t, "refusal", refusalOf(s.refused(standard(buyer(99)))), "buyer")
	got := s.create(standard(items(chairs, "10")))
	same(t, "number", got.Number, "INV-2026-000001")
	same(t, "counter", got.Counter, 1)
	same(t, "previous hash", got.PreviousHash, device.GenesisHash)
	amounts(t, "stock", *s.book.items[chairs].Stock, "0")
}

// The month of usage is in UTC, the issue date in Riyadh time.
func TestDatesOfADocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now        time.Time
		date, time string
		month      time.Month
	}{
		{time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC), "2026-11-15", "12:00:00", time.November},
		{time.Date(2026, 11, 30, 20, 59, 59, 999, time.UTC), "2026-11-30", "23:59:59", time.November},
		{time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC), "2026-12-01", "00:00:00", time.November},
		{time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), "2026-12-01", "03:00:00", time.December},
	} {
		s := open(t)
		s.now = c.now
		got := s.create(standard())
		same(t, "date", got.IssueDate, c.date)
		same(t, "time", got.IssueTime, c.time)
		same(t, "month of usage", s.book.batches[0].Month.Month(), c.month)
		if !got.IssuedAt.Equal(c.now) || !got.CreatedAt.Equal(c.now) {
			t.Errorf("issued at %s, created at %s, want %s", got.IssuedAt, got.CreatedAt, c.now)
		}
	}
}

// AheadOf returns the end of the tolerance and the current year in Riyadh.
func TestAheadOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now  time.Time
		year int
	}{
		{morning, 2026},
		{time.Date(2026, 12, 31, 20, 59, 59, 0, time.UTC), 2026},
		{time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC), 2027},
	} {
		after, year := issue.AheadOf(c.now)
		same(t, "year", year, c.year)
		same(t, "after", after.Sub(c.now), 5*time.Minute)
	}
}

func TestLocation(t *testing.T) {
	t.Parallel()
	same(t, "location", issue.Location(uuid.Max), "/api/invoices/ffffffff-ffff-ffff-ffff-ffffffffffff/")
}
