package app_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// rowsOf returns the objects of a list in a response.
func rowsOf(t *testing.T, in any) (all []map[string]any) {
	t.Helper()
	list, isList := in.([]any)
	if !isList {
		t.Fatalf("%v is not a list", in)
	}
	for _, one := range list {
		row, _ := one.(map[string]any)
		all = append(all, row)
	}
	return all
}

// TestStatement_OverHTTP reads the account of a client with an invoice that is not
// cleared yet, an invoice in another currency, a payment and its reversal.
func TestStatement_OverHTTP(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, reader := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		accountant := h.Session(org.Accountant, h.Org)
		path := "/app/api/buyers/" + shop.Buyer.ID.String() + "/statement/"
		id := shop.Created(shop.Standard())
		payable := servicetest.Text(shop.Full(id)["invoice_payable_amount"])
		empty := h.As(reader, http.MethodGet, path, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "statements before the clearance", empty["statements"], any([]any{}))
		shop.Answered(id, ledger.Cleared)
		other := shop.Created(shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": "3.75", "notes": servicetest.Note("2")}))
		shop.Answered(other, ledger.Cleared)
		receipt := shop.Receipt("100")
		h.As(accountant, http.MethodPost, servicetest.ReceiptsPath+receipt.String()+"/reverse/", `{"reason":"bounced"}`).Wants(t, http.StatusOK)

		got := h.As(reader, http.MethodGet, path+"?date_from=2026-11-01&date_to=2026-11-30", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "head", []any{got["buyer"], got["buyer_name"], got["date_from"], got["date_to"]},
			[]any{shop.Buyer.ID.String(), shop.Buyer.Name, "2026-11-01", "2026-11-30"})
		list := rowsOf(t, got["statements"])
		if len(list) != 2 || list[0]["currency"] != "SAR" || list[1]["currency"] != "USD" {
			t.Fatalf("statements %v, want SAR and USD", list)
		}
		var lines [][]any
		for _, l := range rowsOf(t, list[0]["lines"]) {
			lines = append(lines, []any{l["kind"], l["uuid"], l["debit"], l["credit"], l["balance"]})
		}
		servicetest.Same(t, "lines", lines, [][]any{
			{"invoice", id.String(), payable, "0.00", payable},
			{"payment", receipt.String(), "0.00", "100.00", less(payable, "100")},
			{"payment_reversal", receipt.String(), "100.00", "0.00", payable},
		})
		servicetest.Same(t, "balances", []any{list[0]["opening_balance"], list[0]["closing_balance"]}, []any{"0.00", payable})

		got = h.As(reader, http.MethodGet, path+"?date_from=2026-12-01&currency=SAR", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "a later period", got["statements"], any([]any{
			map[string]any{"currency": "SAR", "opening_balance": payable, "lines": []any{}, "closing_balance": payable},
		}))
		for query, field := range map[string]string{
			"?date_from=2026-12-01&date_to=2026-11-30": "date_to", "?currency=XYZ": "currency", "?date_from=tomorrow": "date_from", "?currency=SA": "currency",
		} {
			wantField(t, query, h.As(reader, http.MethodGet, path+query, ""), field)
		}
		wantCode(t, "an unknown client", h.As(reader, http.MethodGet, "/app/api/buyers/"+uuid.NewString()+"/statement/", ""), http.StatusNotFound, "buyer_not_found")
	})
}

// less returns the difference of two amounts.
func less(from, amount string) string {
	return money.MustParse(from).Sub(money.MustParse(amount)).Fixed2()
}

// wantField checks that a request is refused because of a field.
func wantField(t *testing.T, what string, a servicetest.Answer, field string) {
	t.Helper()
	problems, _ := a.JSON(t)["errors"].([]any)
	if len(problems) == 0 {
		t.Fatalf("%s: %d %s, want a problem with %s", what, a.Status, a.Body, field)
	}
	first, _ := problems[0].(map[string]any)
	if a.Status != http.StatusBadRequest || first["path"] != field {
		t.Errorf("%s: %d %s, want 400 with the field %s", what, a.Status, a.Body, field)
	}
}

// TestAgeing_OverHTTP ages invoices with the clock.
func TestAgeing_OverHTTP(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, reader := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		id := shop.Created(shop.Standard())
		payable := servicetest.Text(shop.Full(id)["invoice_payable_amount"])
		got := h.As(reader, http.MethodGet, servicetest.AgeingPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "nothing is cleared", []any{got["clients"], got["totals"], got["total"]}, []any{[]any{}, []any{}, json.Number("0")})
		shop.Answered(id, ledger.Cleared)
		shop.Receipt("5")

		row := map[string]any{
			"currency": "SAR", "not_due": payable, "days_1_30": "0.00", "days_31_60": "0.00", "days_61_90": "0.00", "over_90": "0.00", "total": payable,
		}
		got = h.As(reader, http.MethodGet, servicetest.AgeingPath+"?currency=SAR", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "totals", got["totals"], any([]any{row}))
		row["credit"] = "5.00"
		servicetest.Same(t, "clients", got["clients"], any([]any{map[string]any{
			"buyer": shop.Buyer.ID.String(), "buyer_name": shop.Buyer.Name, "buyer_name_arabic": shop.Buyer.NameArabic, "owed": []any{row},
		}}))
		servicetest.Same(t, "as_of", got["as_of"], any("2026-11-15"))
		got = h.As(reader, http.MethodGet, servicetest.AgeingPath+"?page=2", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "the second page", []any{got["clients"], got["totals"], got["total"]}, []any{[]any{}, []any{}, json.Number("1")})
		wantField(t, "an unknown currency", h.As(reader, http.MethodGet, servicetest.AgeingPath+"?currency=XYZ", ""), "currency")
	})
}

// TestRefunds_OfACreditNote lists refunds with their reversals.
func TestRefunds_OfACreditNote(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		note, another := shop.Refundable(), shop.Refundable()
		refund := func(note uuid.UUID) string {
			body := `{"invoice":"` + note.String() + `","amount":"1.00","payment_means_type_code":"10"}`
			return servicetest.IDOf(h.As(accountant, http.MethodPost, servicetest.RefundsPath, body).Wants(t, http.StatusCreated))
		}
		first, second, other := refund(note), refund(note), refund(another)
		h.As(accountant, http.MethodPost, servicetest.RefundsPath+first+"/reverse/", `{"reason":"in cash"}`).Wants(t, http.StatusOK)
		for query, want := range map[string][]any{
			"":                             {other, second, first},
			"?invoice=" + note.String():    {second, first},
			"?page_size=1&page=2":          {second},
			"?invoice=" + uuid.NewString(): nil,
		} {
			var got []any
			for _, r := range rowsOf(t, h.As(accountant, http.MethodGet, servicetest.RefundsPath+query, "").Wants(t, http.StatusOK)["refunds"]) {
				got = append(got, r["uuid"])
				servicetest.Same(t, "reversed", r["reversal"] != nil, r["uuid"] == first)
				if len(rowsOf(t, r["parts"])) != 1 {
					t.Errorf("parts %v, want one", r["parts"])
				}
			}
			servicetest.Same(t, "refunds "+query, got, want)
		}
	})
}

// TestAccounts_ExportHasNoFormula exports the statement and the balances of a client
// whose name is a formula, in all formats and languages.
func TestAccounts_ExportHasNoFormula(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, reader := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		_, err := h.Service.Store().ChangeClient(t.Context(), shop.Operator(shop.Org), shop.Buyer.ID, func(c *trade.Client) error {
			c.Name = `=HYPERLINK("http://evil.example")`
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		id := shop.Created(shop.Standard())
		shop.Answered(id, ledger.Cleared)
		payable := servicetest.Text(shop.Full(id)["invoice_payable_amount"])
		shop.Receipt("5")
		const evil = `=HYPERLINK("http://evil.example")` // the reader leaves out the apostrophe
		statement := "/app/api/buyers/" + shop.Buyer.ID.String() + "/statement/export/"
		for _, format := range []string{"xlsx", "csv"} {
			rows := amountsOf(tableOf(t, h.As(reader, http.MethodGet, statement+"?language=en&format="+format, "").Body))
			servicetest.Same(t, "statement as "+format, rows, [][]string{
				{"Client", "Currency", "Date", "Entry", "Number", "Due date", "Debit", "Credit", "Balance"},
				{evil, "SAR", "", "Opening balance", "", "", "", "", "0.00"},
				{evil, "SAR", "2026-11-15", "Invoice", "INV-2026-000001", "", payable, "0.00", payable},
				{evil, "SAR", "2026-11-15", "Payment", "RCT-2026-000001", "", "0.00", "5.00", less(payable, "5")},
				{evil, "SAR", "", "Closing balance", "", "", "", "", less(payable, "5")},
			})
			rows = amountsOf(tableOf(t, h.As(reader, http.MethodGet, servicetest.AgeingPath+"export/?language=en&format="+format, "").Body))
			servicetest.Same(t, "ageing as "+format, rows, [][]string{
				{"Client", "Currency", "Not due", "1–30 days", "31–60 days", "61–90 days", "Over 90 days", "Total", "Credit of the client"},
				{evil, "SAR", payable, "0.00", "0.00", "0.00", "0.00", payable, "5.00"},
				{"Total", "SAR", payable, "0.00", "0.00", "0.00", "0.00", payable},
			})
		}
		if text := h.As(reader, http.MethodGet, statement+"?language=en&format=csv", "").Body; !strings.Contains(text, `"'=HYPERLINK(`) || strings.Contains(text, `"=`) {
			t.Errorf("the CSV file contains a formula:\n%s", text)
		}
		arabic := shop.Buyer.NameArabic
		for language, want := range map[string][]string{"ar": {"العميل", arabic}, "ar_en": {"العميل / Client", arabic + " / " + evil}} {
			for _, path := range []string{statement, servicetest.AgeingPath + "export/"} {
				for _, format := range []string{"xlsx", "csv"} {
					a := h.As(reader, http.MethodGet, path+"?language="+language+"&format="+format, "")
					rows := tableOf(t, a.Body)
					servicetest.Same(t, path+" in "+language+" as "+format, []string{rows[0][0], rows[1][0]}, want)
					if kind := a.Header.Get("Content-Type"); format == "csv" && kind != "text/csv; charset=utf-8" {
						t.Errorf("%s: Content-Type %s", path, kind)
					} else if format == "csv" { // all rows have the same number of fields
						_, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body, "\ufeff"))).ReadAll()
						servicetest.Same(t, path, err, nil)
					}
				}
			}
		}
		wantField(t, "an unknown format", h.As(reader, http.MethodGet, statement+"?format=doc", ""), "format")
	})
}

// amountsOf writes all numbers with two decimal places, which XLSX does not keep.
func amountsOf(rows [][]string) [][]string {
	for _, row := range rows {
		for i, cell := range row {
			if amount, err := money.Parse(cell); err == nil {
				row[i] = amount.Fixed2()
			}
		}
	}
	return rows
}
