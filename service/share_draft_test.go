package service_test

import (
	"strings"
	"testing"

	"khatm/service/internal/render"
	"khatm/service/internal/share"
	"khatm/ubl"
)

// A draft is written, shared, approved and issued, and the trail tells it.
func TestDraft_FromTheFirstLineToTheInvoice(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
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
		approval, err := d.sharer().Approve(d.ctx, token, " Noura Al-Otaibi ", code, share.From{})
		d.must(err)
		equal(t, "approval", approval, share.Approval{Name: "Noura Al-Otaibi", Email: recipient.Email, At: h.clock.Now(), Version: 1})
		equal(t, "an approved draft", d.again(made).State(), share.Approved)

		issued, err := d.sharer().Issue(d.ctx, d.by, made.ID)
		d.must(err)
		equal(t, "issued", issued.Number, "INV-2026-000001")
		equal(t, "what it became", *d.again(made).Invoice, issued.ID)
		equal(t, "an issued draft", d.again(made).State(), share.Issued)
		equal(t, "the trail", d.deeds(made.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.approved", "draft.issued"})
	})
}

// What is shown of a draft is what a preview computes, and a document that can
// be drawn and is not signed.
func TestDraft_ShownAsPreviewed(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, _ := d.shared()
		preview, err := d.sharer().Preview(d.ctx, d.by, draft.ID)
		d.must(err)
		number := "DRAFT-" + draft.ID.String()[24:]
		shown := draft.Shown.Invoice
		equal(t, "number", shown.Number, number)
		preview.Number = number
		for n := range preview.Record.Lines { // ids of lines are made anew each time
			preview.Record.Lines[n].ID = shown.Record.Lines[n].ID
		}
		equal(t, "shown", shown, preview)

		document, err := ubl.Read(draft.Shown.XML)
		d.must(err)
		equal(t, "number in the document", document.ID.String(), number)
		equal(t, "total in the document", document.MonetaryTotal.PayableAmount.String(), "9660.00")
		if text := string(draft.Shown.XML); strings.Contains(text, "Signature") || strings.Contains(text, "PIH") {
			t.Error("the document of a draft is signed or in a chain")
		}
		pdf, err := h.service.Renderer().Draft(d.ctx, d.of(), draft.Shown.XML, render.Form{})
		d.must(err)
		equal(t, "name", pdf.Name, number+".pdf")

		wrong := d.request("1.00")
		wrong.PaymentMeans = "30" // without a reason
		_, previewed := h.service.Issuer().Preview(d.ctx, d.by, wrong)
		_, _, sketched := h.service.Issuer().PreviewXML(d.ctx, d.by, wrong, number)
		if previewed == nil || sketched == nil || previewed.Error() != sketched.Error() {
			t.Errorf("preview: %v; sketch: %v", previewed, sketched)
		}
	})
}
