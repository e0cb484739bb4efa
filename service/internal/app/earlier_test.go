package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestEarlierInvoiceIsRegisteredByAnAccountant(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		register := func(user, number, vat string) servicetest.Answer {
			return h.As(user, http.MethodPost, servicetest.EarlierPath, fmt.Sprintf(`{"number":%q,"issue_date":"2025-12-31","simplified":false,"buyer":%q,"currency":"SAR",
				"totals":[{"vat_category_code":"S","vat_rate":15,"taxable_amount":"10000.00","vat_amount":%q}]}`, number, shop.Buyer.ID, vat))
		}
		made := register(accountant, "OLD-17", "1500.00").Wants(t, http.StatusCreated)
		id := servicetest.IDOf(made)
		for name, want := range map[string]any{
			"number": "OLD-17", "issue_date": "2025-12-31", "simplified": false, "buyer": shop.Buyer.ID.String(), "currency": "SAR", "total_with_vat": "11500.00", "amount_left": "11500.00",
		} {
			servicetest.Same(t, name, made[name], want)
		}
		one := func(user string) servicetest.Answer {
			return h.As(user, http.MethodGet, servicetest.EarlierPath+id+"/", "")
		}
		servicetest.Same(t, "the invoice that is read", one(accountant).Wants(t, http.StatusOK), made)
		servicetest.Same(t, "the same invoice again", register(accountant, "OLD-17", "1500.00").Wants(t, http.StatusCreated), made)
		wantCode(t, "other data", register(accountant, "OLD-17", "1500.01"), http.StatusConflict, "earlier_invoice_differs")

		// A credit note refers to it and reduces what is left.
		h.Call(http.MethodPost, shop.Address, shop.Standard(servicetest.Fields{
			"type_code": 381, "original_invoice_reference": []any{id}, "reason_id": shop.Reason.ID,
		})).Wants(t, http.StatusAccepted)
		servicetest.Same(t, "amount left", one(accountant).Wants(t, http.StatusOK)["amount_left"], any("1840.00"))

		// The list is ordered by number and has only invoices of the organisation.
		other := h.Organisation("Other", "business")
		stranger := h.Session(org.Admin, other)
		servicetest.NoEarlier.Wants(t, "an invoice of another organisation", one(stranger))
		for _, number := range []string{"OLD-19", "OLD-18"} {
			register(accountant, number, "1500.00").Wants(t, http.StatusCreated)
		}
		numbers := func(query string) (string, any) {
			list := h.As(accountant, http.MethodGet, servicetest.EarlierPath+query, "").Wants(t, http.StatusOK)
			var all []string
			for _, row := range servicetest.List(t, list, "earlier_invoices") {
				r, _ := row.(servicetest.Record)
				all = append(all, servicetest.Text(r["number"]))
			}
			return strings.Join(all, " "), list["next_cursor"]
		}
		got, cursor := numbers("?page_size=2")
		servicetest.Same(t, "first page", got, "OLD-17 OLD-18")
		got, cursor = numbers("?page_size=2&cursor=" + servicetest.Text(cursor))
		servicetest.Same(t, "second page", []any{got, cursor}, []any{"OLD-19", nil})
		got, _ = numbers("?number=OLD-18")
		servicetest.Same(t, "by number", got, "OLD-18")

		invoice := shop.Created(shop.Simplified()).String()
		servicetest.NoEarlier.Wants(t, "an invoice of this installation", h.As(accountant, http.MethodGet, servicetest.EarlierPath+invoice+"/", ""))
	})
}

func TestEarlierInvoiceIsChecked(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		accountant := h.Session(org.Accountant, h.Org)
		stranger := h.Client(h.Organisation("Other", "business"), "Buyer").ID.String()
		const total = `{"vat_category_code":"S","vat_rate":15,"taxable_amount":"100","vat_amount":"15"}`
		body := func(number, date, rest, totals string) string {
			return `{"number":"` + number + `","issue_date":"` + date + `",` + rest + `,"totals":[` + totals + `]}`
		}
		const simple = `"simplified":true,"currency":"SAR"`
		for text, field := range map[string]string{
			body(" 1", "2025-12-31", simple, total):                                      "number",
			body("\u200b", "2025-12-31", simple, total):                                  "number",
			body("1\u202e2", "2025-12-31", simple, total):                                "number",
			body("1", "2999-12-31", simple, total):                                       "issue_date",
			body("1", "31.12.2025", simple, total):                                       "issue_date",
			body("1", "2025-12-31", `"simplified":false,"currency":"SAR"`, total):        "buyer",
			body("1", "2025-12-31", simple+`,"buyer":"`+stranger+`"`, total):             "buyer",
			body("1", "2025-12-31", `"simplified":true,"currency":"XXY"`, total):         "currency",
			body("1", "2025-12-31", simple, ""):                                          "totals",
			body("1", "2025-12-31", simple, strings.Replace(total, `"15"}`, `"17"}`, 1)): "totals",
		} {
			if got := h.As(accountant, http.MethodPost, servicetest.EarlierPath, text).Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], field) {
				t.Errorf("%s: problems = %q, want one of %s", text, got, field)
			}
		}
		list := h.As(accountant, http.MethodGet, servicetest.EarlierPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "registered invoices", servicetest.List(t, list, "earlier_invoices"), []any{})
	})
}
