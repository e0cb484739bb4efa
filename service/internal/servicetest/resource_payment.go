package servicetest

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// ReceiptsPath and RefundsPath are the endpoints of payments.
const (
	ReceiptsPath = "/app/api/receipts/"
	RefundsPath  = "/app/api/refunds/"
	AgeingPath   = "/app/api/ageing/"
)

// NoReceipt and NoRefund are the responses to unknown ids in a path.
var (
	NoReceipt = Refusal{http.StatusNotFound, `{"message":"Receipt not found"}` + "\n"}
	NoRefund  = Refusal{http.StatusNotFound, `{"message":"Refund not found"}` + "\n"}
)

func paymentResource() resource {
	reason := func(*Seller) func(*http.Request) { return JSONBody(`{"reason":"typed twice"}`) }
	return resource{
		// A body creates no invoice or credit note: those that refer to one are refused.
		bodies: map[string]body{
			"POST /api/receipts/": func(shop *Seller) func(*http.Request) {
				return JSONBody(`{"buyer":"` + shop.Buyer.ID.String() + `","currency":"SAR","amount":"10.00","payment_means_type_code":"10"}`)
			},
			"POST /api/receipts/{receipt_id}/allocate/": func(*Seller) func(*http.Request) {
				return JSONBody(`{"allocations":[{"invoice":"` + uuid.NewString() + `","amount":"1.00"}]}`)
			},
			"POST /api/receipts/{receipt_id}/reverse/": reason,
			"POST /api/refunds/": func(*Seller) func(*http.Request) {
				return JSONBody(`{"invoice":"` + uuid.NewString() + `","amount":"1.00","payment_means_type_code":"10"}`)
			},
			"POST /api/refunds/{refund_id}/reverse/": reason,
		},
		records: map[string]record{
			"receipt_id": {func(t *Seller, _ string) string { return t.Receipt("1000").String() }, NoReceipt},
			"refund_id": {func(t *Seller, _ string) string {
				t.TB.Helper()
				f := payment.Refund{ID: t.Service.NewID(), Note: t.Refundable(), Amount: money.MustParse("1"), Details: payment.Details{Means: "10", Date: "2026-11-15"}}
				if _, err := t.Service.Store().AddRefund(context.Background(), t.Operator(t.Org), f, payment.Request{}); err != nil {
					t.TB.Fatal(err)
				}
				return f.ID.String()
			}, NoRefund},
		},
		lists: []string{ReceiptsPath, RefundsPath, AgeingPath},
	}
}

// Receipt records a payment of the buyer that pays the given invoices in full.
func (t *Seller) Receipt(amount string, invoices ...uuid.UUID) uuid.UUID {
	t.TB.Helper()
	r := payment.Receipt{
		ID: t.Service.NewID(), Kind: payment.Payment, Client: t.Buyer.ID, Currency: "SAR", Amount: money.MustParse(amount),
		Details: payment.Details{Means: "10", Date: "2026-11-15"},
	}
	var wishes []payment.Wish
	for _, id := range invoices {
		i, err := t.Service.Store().Invoice(context.Background(), org.TenantOf(t.Org.ID), id)
		if err != nil {
			t.TB.Fatal(err)
		}
		wishes = append(wishes, payment.Wish{Document: id, Amount: i.Record.Totals.Payable})
	}
	if _, err := t.Service.Store().AddReceipt(context.Background(), t.Operator(t.Org), r, wishes, payment.Request{}); err != nil {
		t.TB.Fatal(err)
	}
	return r.ID
}

// sold creates an invoice with a new key of the seller, who may differ from the
// organisation of the instance.
func (t *Seller) sold(text string) uuid.UUID {
	t.TB.Helper()
	return uuid.MustParse(t.createdBy(t.NewKey(t.Org, org.CreateInvoice), text))
}

// Refundable returns a credit note on a paid invoice. It is simplified, so that it
// is valid at once.
func (t *Seller) Refundable() uuid.UUID {
	t.TB.Helper()
	buyer := Fields{"buyer": t.Buyer.ID}
	id := t.sold(t.Simplified(buyer, Fields{"notes": Note(uuid.NewString())}))
	t.Answered(id, ledger.Reported)
	t.Receipt("100000", id)
	return t.sold(t.Simplified(buyer, Fields{
		"type_code": 381, "original_invoice_reference": []uuid.UUID{id}, "reason_id": t.Reason.ID, "notes": Note(uuid.NewString()),
	}))
}
