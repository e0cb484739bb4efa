package share_test

import (
	"strings"
	"testing"

	"khatm/service/internal/render"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
	"khatm/ubl"
)

// TestDraft_FromTheFirstLineToTheInvoice creates, shares, approves and issues a
// draft, and checks the audit trail.
func TestDraft_FromTheFirstLineToTheInvoice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		made := d.Draft()
		servicetest.Equal(t, "a new draft", made.State(), share.Open)
		servicetest.Equal(t, "draft as stored", d.Again(made), made)

		shared, err := d.Sharer().Share(d.Ctx, d.By, made.ID)
		d.Must(err)
		servicetest.Equal(t, "a shared draft", shared.State(), share.Shared)
		servicetest.Equal(t, "draft as stored", d.Again(made), shared)
		token := d.Token(shared)
		view, err := d.Sharer().Open(d.Ctx, token)
		d.Must(err)
		if view.Draft == nil || view.Issued != nil {
			t.Fatalf("the link shows %v, want a draft", view)
		}
		servicetest.Equal(t, "what the link shows", *view.Draft, shared)
		servicetest.Equal(t, "total", view.Draft.Shown.Invoice.Record.Totals.Payable.Fixed2(), "9660.00")

		code := d.Code(token)
		approval, err := d.Sharer().Approve(d.Ctx, token, " Noura Al-Otaibi ", code, share.From{})
		d.Must(err)
		servicetest.Equal(t, "approval", approval, share.Approval{Name: "Noura Al-Otaibi", Email: servicetest.Recipient.Email, At: h.Clock.Now(), Version: 1})
		servicetest.Equal(t, "an approved draft", d.Again(made).State(), share.Approved)

		issued, err := d.Sharer().Issue(d.Ctx, d.By, made.ID)
		d.Must(err)
		servicetest.Equal(t, "issued", issued.Number, "INV-2026-000001")
		servicetest.Equal(t, "the invoice of the draft", *d.Again(made).Invoice, issued.ID)
		servicetest.Equal(t, "an issued draft", d.Again(made).State(), share.Issued)
		servicetest.Equal(t, "the trail", d.Events(made.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.approved", "draft.issued"})
	})
}

// TestDraft_ShownAsPreviewed checks that a shared draft equals its preview, and
// that its document is unsigned and can be rendered.
func TestDraft_ShownAsPreviewed(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, _ := d.Shared()
		preview, err := d.Sharer().Preview(d.Ctx, d.By, draft.ID)
		d.Must(err)
		number := "DRAFT-" + draft.ID.String()[24:]
		shown := draft.Shown.Invoice
		servicetest.Equal(t, "number", shown.Number, number)
		preview.Number = number
		for n := range preview.Record.Lines { // line IDs are generated each time
			preview.Record.Lines[n].ID = shown.Record.Lines[n].ID
		}
		servicetest.Equal(t, "shown", shown, preview)

		document, err := ubl.Read(draft.Shown.XML)
		d.Must(err)
		servicetest.Equal(t, "number in the document", document.ID.String(), number)
		servicetest.Equal(t, "total in the document", document.MonetaryTotal.PayableAmount.String(), "9660.00")
		if text := string(draft.Shown.XML); strings.Contains(text, "Signature") || strings.Contains(text, "PIH") {
			t.Error("the document of a draft has a signature or a previous hash")
		}
		pdf, err := h.Service.Renderer().Draft(d.Ctx, d.Of(), draft.Shown.Invoice, draft.Shown.XML, render.Form{})
		d.Must(err)
		servicetest.Equal(t, "name", pdf.Name, number+".pdf")

		wrong := d.Request("1.00")
		wrong.PaymentMeans = "30" // without a reason
		_, previewed := h.Service.Issuer().Preview(d.Ctx, d.By, wrong)
		_, _, sketched := h.Service.Issuer().PreviewXML(d.Ctx, d.By, wrong, number)
		if previewed == nil || sketched == nil || previewed.Error() != sketched.Error() {
			t.Errorf("Preview returned %v, PreviewXML returned %v; want the same error", previewed, sketched)
		}
	})
}
