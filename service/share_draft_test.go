package service_test

import (
	"testing"

	"khatm/service/internal/share"
)

// A draft is written, shared, approved and issued, and the trail tells it.
func TestDraft_FromTheFirstLineToTheInvoice(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		made := d.draft()
		equal(t, "a new draft", made.State(), share.Open)
		equal(t, "as it is kept", d.again(made), made)

		shared, err := d.sharer().Share(d.ctx, d.by, made.ID)
		d.must(err)
		equal(t, "a shared draft", shared.State(), share.Shared)
		equal(t, "as it is kept", d.again(made), shared)
		token := d.token(shared)
		view, err := d.sharer().Open(d.ctx, token)
		d.must(err)
		if view.Draft == nil || view.Issued != nil {
			t.Fatalf("the link shows %v", view)
		}
		equal(t, "what the link shows", *view.Draft, shared)
		equal(t, "total", view.Draft.Shown.Invoice.Record.Totals.Payable.Fixed2(), "9660.00")

		code := d.code(token)
		approval, err := d.sharer().Approve(d.ctx, token, " Noura Al-Otaibi ", code)
		d.must(err)
		equal(t, "approval", approval, share.Approval{Name: "Noura Al-Otaibi", Email: recipient.Email, At: h.clock.Now(), Version: 1})
		equal(t, "an approved draft", d.again(made).State(), share.Approved)

		issued, err := d.sharer().Issue(d.ctx, d.by, made.ID)
		d.must(err)
		equal(t, "issued", issued.Number, "INV-2026-000001")
		equal(t, "what it became", *d.again(made).Invoice, issued.ID)
		equal(t, "an issued draft", d.again(made).State(), share.Issued)
		equal(t, "the trail", d.deeds(made.ID), []string{"draft.created", "draft.shared", "draft.approved", "draft.issued"})
	})
}
