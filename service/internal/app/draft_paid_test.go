package app_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// drafter writes and issues drafts as a clerk, who may not record payments.
type drafter struct {
	t     testing.TB
	h     *servicetest.Instance
	shop  *servicetest.Seller
	clerk string
}

func newDrafter(t testing.TB, h *servicetest.Instance) *drafter {
	return &drafter{t: t, h: h, shop: h.NewSeller(), clerk: h.Session(org.CreateInvoice, h.Org)}
}

// issued creates a draft, with more fields such as paid_on_issue, and issues it.
func (d *drafter) issued(invoice, more string) uuid.UUID {
	d.t.Helper()
	made := d.h.As(d.clerk, http.MethodPost, servicetest.DraftsPath, `{"invoice":`+invoice+more+`}`).Wants(d.t, http.StatusCreated)
	return d.issue(servicetest.IDOf(made))
}

func (d *drafter) issue(draft string) uuid.UUID {
	d.t.Helper()
	issued := d.h.As(d.clerk, http.MethodPost, servicetest.DraftsPath+draft+"/issue/", "").Wants(d.t, http.StatusAccepted)
	return uuid.MustParse(servicetest.TextIn(issued, "invoice_uuid"))
}

// receipts returns the receipts of an invoice.
func (d *drafter) receipts(id uuid.UUID) []any {
	d.t.Helper()
	return servicetest.List(d.t, d.h.As(d.clerk, http.MethodGet, servicetest.ReceiptsPath+"?invoice="+id.String(), "").Wants(d.t, http.StatusOK), "receipts")
}

// paid checks the payment status of an invoice and the number of its receipts.
func (d *drafter) paid(what string, id uuid.UUID, status string, receipts int) {
	d.t.Helper()
	servicetest.Same(d.t, what, []any{d.shop.Full(id)["payment_status"], len(d.receipts(id))}, []any{status, receipts})
}

// cash returns an invoice that is paid in cash, and others returns one that is not.
func (d *drafter) cash(changes ...servicetest.Fields) string {
	return d.shop.Standard(append([]servicetest.Fields{{"payment_means_type_code": "10", "notes": servicetest.Note(uuid.NewString())}}, changes...)...)
}

func (d *drafter) others(changes ...servicetest.Fields) string {
	return d.cash(append([]servicetest.Fields{{"payment_means_type_code": "48"}}, changes...)...)
}

// TestPaidOnIssue_CashSale pays a cash sale with a numbered receipt, unless the draft
// says otherwise.
func TestPaidOnIssue_CashSale(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := newDrafter(t, h)
		id := d.issued(d.cash(), "")
		d.paid("a cash sale", id, "Paid", 1)
		invoice, receipt := d.shop.Full(id), servicetest.First(t, d.receipts(id))
		servicetest.Same(t, "receipt", []any{receipt["number"], receipt["amount"], receipt["currency"], receipt["payment_means_type_code"], receipt["received_on"], receipt["unallocated"]},
			[]any{"RCT-2026-000001", invoice["invoice_payable_amount"], "SAR", "10", invoice["issue_date"], "0.00"})
		servicetest.Same(t, "balance", invoice["balance"], any("0.00"))
		d.paid("a cash sale that is switched off", d.issued(d.cash(), `,"paid_on_issue":false`), "Pending", 0)
		d.paid("a payment by card", d.issued(d.others(), ""), "Pending", 0)
		d.paid("a payment by card that is switched on", d.issued(d.others(), `,"paid_on_issue":true`), "Paid", 1)
		d.paid("a cash sale without a client", d.issued(d.shop.Simplified(servicetest.Fields{"payment_means_type_code": "10"}), ""), "Paid", 1)
		servicetest.Same(t, "numbers", h.As(d.clerk, http.MethodGet, servicetest.ReceiptsPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(3)))
	})
}

// TestPaidOnIssue_Advance pays an advance payment invoice whatever the means.
func TestPaidOnIssue_Advance(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := newDrafter(t, h)
		advance := d.issued(d.others(servicetest.Fields{"type_code": 386}), "")
		d.paid("an advance", advance, "Paid", 1)
		d.shop.Accepted(advance)

		// The invoice deducts all of the advance, so nothing is paid for it.
		id := d.issued(d.cash(servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": []any{advance}}), "")
		servicetest.Same(t, "payable", d.shop.Full(id)["invoice_payable_amount"], any("0.00"))
		d.paid("an invoice without a payable amount", id, "Pending", 0)
	})
}

// TestPaidOnIssue_NotByKey leaves invoices that are created directly Pending, and
// credit notes.
func TestPaidOnIssue_NotByKey(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := newDrafter(t, h)
		id := d.shop.Created(d.cash())
		d.paid("a cash sale by key", id, "Pending", 0)
		d.paid("an advance by key", d.shop.Created(d.cash(servicetest.Fields{"type_code": 386})), "Pending", 0)
		d.shop.Accepted(id)
		note := servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{id}, "reason_id": d.shop.Reason.ID}
		d.paid("a credit note", d.issued(d.cash(note), ""), "Pending", 0)
		wantCode(t, "a paid credit note", h.As(d.clerk, http.MethodPost, servicetest.DraftsPath, `{"invoice":`+d.cash(note)+`,"paid_on_issue":true}`), http.StatusBadRequest, "validation_failed")

		// The draft that corrects the unpaid sale does not pay it either.
		rejected := d.shop.Created(d.cash())
		d.shop.Answered(rejected, ledger.NotCleared)
		made := h.As(d.clerk, http.MethodPost, servicetest.CorrectionPath(rejected), "").Wants(t, http.StatusCreated)
		servicetest.Same(t, "correction", made["paid_on_issue"], any(false))
		d.paid("a replacement of an unpaid sale", d.issue(servicetest.IDOf(made)), "Pending", 0)
	})
}

// TestPaidOnIssue_Change changes the choice of a draft.
func TestPaidOnIssue_Change(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := newDrafter(t, h)
		made := h.As(d.clerk, http.MethodPost, servicetest.DraftsPath, `{"invoice":`+d.cash()+`}`).Wants(t, http.StatusCreated)
		servicetest.Same(t, "default", made["paid_on_issue"], nil)
		path := servicetest.DraftsPath + servicetest.IDOf(made) + "/"
		for _, c := range []struct {
			body string
			want any
		}{
			{`{"paid_on_issue":false}`, false}, {`{"invoice":` + d.cash() + `}`, false}, {`{"paid_on_issue":true}`, true}, {`{"recipient":null}`, true}, {`{"paid_on_issue":null}`, nil}, {`{"paid_on_issue":false}`, false},
		} {
			servicetest.Same(t, c.body, h.As(d.clerk, http.MethodPatch, path, c.body).Wants(t, http.StatusOK)["paid_on_issue"], c.want)
		}
		advance := `{"invoice":` + d.cash(servicetest.Fields{"type_code": 386})
		wantCode(t, "an unpaid advance", h.As(d.clerk, http.MethodPatch, path, advance+`}`), http.StatusBadRequest, "validation_failed")
		h.As(d.clerk, http.MethodPatch, path, advance+`,"paid_on_issue":null}`).Wants(t, http.StatusOK)
	})
}

// TestCorrection_LeavesTheDifferenceUnpaid corrects a cash sale to a higher total. The
// payment moves; a receipt for the difference would be over money not received.
func TestCorrection_LeavesTheDifferenceUnpaid(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := newDrafter(t, h)
		rejected := d.issued(d.cash(), "")
		d.shop.Answered(rejected, ledger.NotCleared)
		total := servicetest.TextIn(d.shop.Full(rejected), "invoice_payable_amount")
		made := h.As(d.clerk, http.MethodPost, servicetest.CorrectionPath(rejected), "").Wants(t, http.StatusCreated)
		draft := servicetest.IDOf(made)
		dearer := d.cash(servicetest.Fields{"form_lines": []any{d.shop.Line(nil), d.shop.Line(nil)}})
		h.As(d.clerk, http.MethodPatch, servicetest.DraftsPath+draft+"/", `{"invoice":`+dearer+`}`).Wants(t, http.StatusOK)
		replacement := d.issue(draft)
		d.paid("the replacement", replacement, "Partially Paid", 1)
		servicetest.Same(t, "balance", d.shop.Full(replacement)["balance"], any(total))
	})
}

// TestCorrection_PaymentMovesToTheReplacement follows a payment from a rejected
// invoice to its replacement. Until then the payment needs attention; the verdict
// alone does not change the payment status.
func TestCorrection_PaymentMovesToTheReplacement(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := newDrafter(t, h)
		rejected := d.issued(d.cash(), "")
		d.shop.Answered(rejected, ledger.NotCleared)
		d.paid("a rejected sale", rejected, "Paid", 1)
		servicetest.Same(t, "attention", attentionOf(h, t, d.clerk), "action, rejected warning invoice, held warning invoice")
		other := h.Session(org.Admin, h.Organisation("Other", "business"))
		servicetest.Same(t, "attention of another organisation", attentionOf(h, t, other), "ok")

		made := h.As(d.clerk, http.MethodPost, servicetest.CorrectionPath(rejected), "").Wants(t, http.StatusCreated)
		servicetest.Same(t, "correction", made["paid_on_issue"], any(false))
		replacement := d.issue(servicetest.IDOf(made))
		d.paid("the replacement", replacement, "Paid", 1)
		servicetest.Same(t, "rejected", []any{d.shop.Full(rejected)["payment_status"], d.shop.Full(rejected)["balance"]}, []any{"Pending", "0.00"})
		receipt := servicetest.First(t, d.receipts(replacement))
		servicetest.Same(t, "receipt", []any{receipt["number"], receipt["unallocated"]}, []any{"RCT-2026-000001", "0.00"})
		servicetest.Same(t, "attention", attentionOf(h, t, d.clerk), "ok")
	})
}
