package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

const summaryPath = "/app/api/summary/"

// summed is a row of a summary.
type summed struct {
	issued, accepted, waiting, rejected int
	vat, total                          money.Decimal
}

func (s *summed) text() string {
	return fmt.Sprintf("%d %d %d %d %s %s", s.issued, s.accepted, s.waiting, s.rejected, s.vat.Fixed2(), s.total.Fixed2())
}

// add adds an invoice of the API for programs. Amounts in other currencies are
// converted for each VAT category, except for the VAT, which the invoice has.
func (s *summed) add(t *testing.T, i map[string]any) {
	t.Helper()
	s.issued++
	switch i["authority_response_status"] {
	case "CLEARED", "REPORTED":
		s.accepted++
	case "NOT_CLEARED", "NOT_REPORTED":
		s.rejected++
		return
	default:
		s.waiting++
	}
	vat := money.MustParse(servicetest.Text(i["invoice_total_vat_amount_sar"]))
	total := vat
	for _, row := range rowsOf(t, i["vat_breakdown"]) {
		rate := money.MustParse(fmt.Sprint(i["exchange_rate"]))
		total = total.Add(money.MustParse(servicetest.Text(row["vat_category_taxable_amount"])).Mul(rate).Round2())
	}
	if i["type_code"] == servicetest.Number(381) {
		vat, total = vat.Neg(), total.Neg()
	}
	s.vat, s.total = s.vat.Add(vat), s.total.Add(total)
}

// summedOf returns a row of a summary.
func summedOf(t *testing.T, row map[string]any) string {
	t.Helper()
	return fmt.Sprint(row["issued"], " ", row["accepted"], " ", row["waiting"], " ", row["rejected"], " ", row["vat_sar"], " ", row["total_sar"])
}

// TestSummary_IsTheSumOfTheList issues documents in two currencies, with several
// rates, with every answer of the authority, on several days.
func TestSummary_IsTheSumOfTheList(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop, reader := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		unique := 0
		fields := func(more servicetest.Fields) servicetest.Fields {
			unique++
			all := servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(unique))}
			for name, value := range more {
				all[name] = value
			}
			return all
		}
		mixed := []any{shop.Line(servicetest.Fields{"item_net_price": "10.03", "invoiced_quantity": 1}), shop.Line(servicetest.Fields{"item_net_price": "33.37", "invoiced_quantity": 3, "vat_rate": 5})}
		dollars := servicetest.Fields{"currency": "USD", "exchange_rate": "3.7513", "form_lines": mixed}
		answers := []ledger.Status{ledger.Cleared, "", ledger.NotCleared, ledger.NoResponse}
		dates := testtool.Scale(2, 3, 3)
		for range dates {
			for _, answer := range answers {
				for _, change := range []servicetest.Fields{nil, {"form_lines": mixed}, dollars} {
					id := shop.Created(shop.Standard(fields(change)))
					if answer != "" {
						shop.Answered(id, answer)
					}
				}
			}
			shop.Created(shop.Simplified(fields(nil)))
			original := shop.Created(shop.Standard(fields(dollars)))
			shop.Answered(original, ledger.Cleared)
			shop.Created(shop.Standard(fields(dollars), servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{original}, "reason_id": shop.Reason.ID}))
			h.Clock.Advance(24 * time.Hour)
		}

		want := map[string]*summed{}
		all := &summed{}
		for _, i := range rowsOf(t, shop.Read(t, "/api/invoices/?page_size=100")["invoices"]) {
			day := servicetest.Text(i["issue_date"])
			if want[day] == nil {
				want[day] = &summed{}
			}
			want[day].add(t, i)
			all.add(t, i)
		}
		if len(want) != dates || all.issued != 15*dates {
			t.Fatalf("%d documents on %d days, want %d on %d", all.issued, len(want), 15*dates, dates)
		}
		got := h.As(reader, http.MethodGet, summaryPath, "").Wants(t, http.StatusOK)
		var days []string
		for _, row := range rowsOf(t, got["days"]) {
			day := servicetest.Text(row["date"])
			days = append(days, day)
			servicetest.Same(t, day, summedOf(t, row), want[day].text())
		}
		if len(days) != dates || !slices.IsSorted(days) {
			t.Errorf("days %v, want %d in their order", days, dates)
		}
		totals, _ := got["totals"].(map[string]any)
		servicetest.Same(t, "totals", summedOf(t, totals), all.text())

		one := h.As(reader, http.MethodGet, summaryPath+"?date_from="+days[1]+"&date_to="+days[1], "").Wants(t, http.StatusOK)
		totals, _ = one["totals"].(map[string]any)
		servicetest.Same(t, "one day", summedOf(t, totals), want[days[1]].text())

		// Another organisation sees nothing of it.
		stranger := h.Session(org.Admin, h.Organisation("Second", "business"))
		other := h.As(stranger, http.MethodGet, summaryPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "days of another organisation", other["days"], any([]any{}))
		totals, _ = other["totals"].(map[string]any)
		servicetest.Same(t, "totals of another organisation", summedOf(t, totals), "0 0 0 0 0.00 0.00")
	})
}

// TestSummary_AdvancesCountOnce deducts advances in SAR and in dollars: the VAT of an
// advance counts on its day, and not again with the invoice that deducts it.
func TestSummary_AdvancesCountOnce(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, reader := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		sold := func(price, currency, rate, advance string) string {
			more := servicetest.Fields{
				"currency": currency, "exchange_rate": rate, "notes": servicetest.Note(price + currency),
				"form_lines": []any{shop.Line(servicetest.Fields{"item_net_price": price, "invoiced_quantity": 1})},
			}
			if advance == "" {
				more["type_code"] = 386
			} else {
				more["add_prepaid_amount"], more["prepaid_invoices"] = true, []any{advance}
			}
			id := shop.Created(shop.Standard(more))
			shop.Answered(id, ledger.Cleared)
			return id.String()
		}
		first := sold("100.00", "SAR", "1", "")
		second := sold("10.00", "USD", "3.75", "")
		h.Clock.Advance(24 * time.Hour)
		sold("300.00", "SAR", "1", first)
		sold("30.00", "USD", "3.8", second)
		var got []string
		for _, row := range rowsOf(t, h.As(reader, http.MethodGet, summaryPath, "").Wants(t, http.StatusOK)["days"]) {
			got = append(got, summedOf(t, row))
		}
		// 15.00 + 1.50 × 3.75, then 45.00 − 15.00 + 4.50 × 3.8 − 1.50 × 3.75.
		servicetest.Same(t, "days", got, []string{"2 2 0 0 20.63 158.13", "2 2 0 0 41.47 317.97"})
	})
}

func TestSummary_Period(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(*server.Config) {})
	reader := h.Session(org.ViewInvoice, h.Org)
	h.As(reader, http.MethodGet, summaryPath+"?date_from=2026-10-01&date_to=2026-12-31", "").Wants(t, http.StatusOK)
	for _, query := range []string{"?date_from=2026-10-01&date_to=2027-01-01", "?date_from=2026-11-02&date_to=2026-11-01"} {
		wantField(t, query, h.As(reader, http.MethodGet, summaryPath+query, ""), "date_to")
	}
	wantField(t, "no date", h.As(reader, http.MethodGet, summaryPath+"?date_from=today", ""), "date_from")
}
