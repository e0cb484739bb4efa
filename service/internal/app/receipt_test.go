package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// TestInterface_3_3_StatusMovesWithPayments splits a payment over two invoices. The
// rest is credit of the client, which pays later; a reversal opens both again.
func TestInterface_3_3_StatusMovesWithPayments(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		first, second := shop.Created(shop.Standard()), shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("2")}))
		payable := servicetest.Text(shop.Full(first)["invoice_payable_amount"])
		owes := func(id uuid.UUID, status, balance string) {
			t.Helper()
			got := shop.Full(id)
			servicetest.Same(t, "payment", []any{got["payment_status"], got["balance"], got["refund_due"], got["settled_by_credit"]}, []any{status, balance, "0.00", "0.00"})
		}
		credit := func() any {
			t.Helper()
			return h.As(accountant, http.MethodGet, "/app/api/buyers/"+shop.Buyer.ID.String()+"/credit/", "").Wants(t, http.StatusOK)["credit"]
		}
		owes(first, "Pending", payable)
		body := strings.NewReplacer("BUYER", shop.Buyer.ID.String(), "FIRST", first.String(), "SECOND", second.String(), "PAYABLE", payable).Replace(
			`{"buyer":"BUYER","currency":"SAR","amount":"100000.00","payment_means_type_code":"10","allocations":[{"invoice":"FIRST","amount":"PAYABLE"},{"invoice":"SECOND","amount":"1.00"}]}`)
		made := h.As(accountant, http.MethodPost, servicetest.ReceiptsPath, body).Wants(t, http.StatusCreated)
		servicetest.Same(t, "number", made["number"], any("RCT-2026-000001"))
		owes(first, "Paid", "0.00")
		if got := shop.Full(second)["payment_status"]; got != "Partially Paid" {
			t.Errorf("second invoice %v, want Partially Paid", got)
		}
		if list, _ := credit().([]any); len(list) != 1 {
			t.Errorf("credit %v, want one currency", list)
		}
		path := servicetest.ReceiptsPath + servicetest.IDOf(made) + "/"
		wantCode(t, "more than the balance", h.As(accountant, http.MethodPost, path+"allocate/", `{"allocations":[{"invoice":"`+first.String()+`","amount":"0.01"}]}`), http.StatusBadRequest, "payment_exceeds_balance")
		undone := h.As(accountant, http.MethodPost, path+"reverse/", `{"reason":"typed twice"}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "unallocated", undone["unallocated"], any("0.00"))
		owes(first, "Pending", payable)
		owes(second, "Pending", payable)
		wantCode(t, "a second reversal", h.As(accountant, http.MethodPost, path+"reverse/", `{"reason":"again"}`), http.StatusConflict, "receipt_reversed")
	})
}

// TestRefund_OverHTTP records refunds up to refund_due.
func TestRefund_OverHTTP(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		note := shop.Refundable()
		due := servicetest.Text(shop.Full(note)["refund_due"])
		refund := func(amount string) servicetest.Answer {
			return h.As(accountant, http.MethodPost, servicetest.RefundsPath, `{"invoice":"`+note.String()+`","amount":"`+amount+`","keep_as_credit":true}`)
		}
		wantCode(t, "too much", refund("9"+due), http.StatusBadRequest, "refund_exceeds_due")
		onInvoice := h.As(accountant, http.MethodPost, servicetest.RefundsPath, `{"invoice":"`+shop.Created(shop.Standard()).String()+`","amount":"1.00","payment_means_type_code":"10"}`)
		wantCode(t, "a refund on an invoice", onInvoice, http.StatusBadRequest, "refund_not_on_credit_note")
		servicetest.Same(t, "path of the error", servicetest.First(t, onInvoice.JSON(t)["errors"])["path"], any("invoice"))
		made := refund(due).Wants(t, http.StatusCreated)
		got := shop.Full(note)
		servicetest.Same(t, "note", []any{got["payment_status"], got["refund_due"], got["balance"]}, []any{"Paid", "0.00", "0.00"})
		h.As(accountant, http.MethodPost, servicetest.RefundsPath+servicetest.IDOf(made)+"/reverse/", `{"reason":"in cash"}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "refund due after the reversal", shop.Full(note)["refund_due"], any(due))
	})
}

// TestPayments_50ConcurrentOverHTTP pays 3.00 fifty times on an invoice of 100.00.
// Requests that get 503 are repeated with their key.
func TestPayments_50ConcurrentOverHTTP(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		id := shop.Created(shop.Standard())
		shop.Receipt("100000", id)
		open := shop.Created(shop.Standard(servicetest.Fields{
			"notes": servicetest.Note("open"), "form_lines": []any{shop.Line(servicetest.Fields{"item_net_price": "86.96", "invoiced_quantity": 1})},
		}))
		var mu sync.Mutex
		var work sync.WaitGroup
		statuses := map[int]int{}
		body := servicetest.JSONBody(`{"buyer":"` + shop.Buyer.ID.String() +
			`","currency":"SAR","amount":"3.00","payment_means_type_code":"10","allocations":[{"invoice":"` + open.String() + `","amount":"3.00"}]}`)
		for n := range 50 {
			work.Go(func() {
				pay := func() servicetest.Answer {
					return h.Send(http.MethodPost, servicetest.ReceiptsPath, servicetest.Bearer(accountant), body, servicetest.Header("Idempotency-Key", fmt.Sprint("payment-", n)))
				}
				a := pay()
				for tries := 1; a.Status == http.StatusServiceUnavailable && tries < 10; tries++ {
					a = pay() // PostgreSQL did not accept a connection in time
				}
				mu.Lock()
				defer mu.Unlock()
				statuses[a.Status]++
			})
		}
		work.Wait()
		got := shop.Full(open)
		servicetest.Same(t, "responses", statuses, map[int]int{http.StatusCreated: 33, http.StatusBadRequest: 17})
		servicetest.Same(t, "balance", []any{got["balance"], got["payment_status"]}, []any{"1.00", "Partially Paid"})
	})
}
