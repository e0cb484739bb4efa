package guest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/pdfa"
	"khatm/service/internal/ledger"
	"khatm/service/internal/servicetest"
)

// noLink is the response to every token that does not work.
var noLink = servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"This link is no longer available."}` + "\n"}

func TestInterface_4_7_SharedInvoice(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		made := shop.CreateAs("canary-idempotency", shop.FullInvoice()).Wants(t, http.StatusAccepted)
		id := uuid.MustParse(servicetest.TextIn(made, "invoice_uuid"))
		token := shop.TokenOf(id)
		for part, method := range map[string]string{"": "GET", "pdf/": "GET", "otp/": "POST"} {
			noLink.Wants(t, "a standard invoice before it is cleared: "+part, h.Shared(method, token, part, ""))
		}
		shop.Accepted(id)
		a := h.Shared(http.MethodGet, token, "", "")
		got := a.Wants(t, http.StatusOK)
		servicetest.Equal(t, "header", []string{a.Header.Get("X-Branding"), a.Header.Get("X-Robots-Tag"), a.Header.Get("Referrer-Policy"), a.Header.Get("Cache-Control")},
			[]string{servicetest.Branding, "noindex, nofollow", "no-referrer", "no-store"})
		full := shop.Full(id)
		for _, field := range []string{
			"ref_num", "type_code", "transaction_code", "issue_date", "issue_time", "supply_date", "supply_end_date", "currency", "exchange_rate", "payment_means_type_code",
			"payment_terms", "payment_status", "qr_code", "vat_breakdown", "notes", "invoice_total_line_net_amount", "invoice_total_amount_without_vat",
			"invoice_total_vat_amount", "invoice_total_vat_amount_sar", "invoice_total_amount_with_vat", "prepaid_amount", "payable_rounding_amount", "invoice_payable_amount",
		} {
			servicetest.Same(t, field, got[field], full[field])
		}
		want := servicetest.Record{
			"kind": "invoice", "title": "Tax Invoice", "title_arabic": "فاتورة ضريبية", "status": "Cleared", "status_arabic": "معتمدة من الهيئة",
			"pdf_url": "http://127.0.0.1:8080/v1-3/api/public/shared/" + token + "/pdf/", "expires_at": "2026-12-15T12:00:00+03:00", "branding": servicetest.Branding,
			"state": nil, "version": nil, "recipient": nil, "approval": nil,
		}
		for field, value := range want {
			servicetest.Same(t, field, got[field], value)
		}
		if got["qr_code"] == nil || servicetest.TextIn(got["seller"], "vat_registration_number") != shop.Org.VATNumber || servicetest.TextIn(got["buyer"], "name") != "Buyer Trading" {
			t.Errorf("seller %v, buyer %v, QR code %v; want those of the invoice", got["seller"], got["buyer"], got["qr_code"])
		}
		lines, _ := got["lines"].([]any)
		servicetest.Equal(t, "lines", len(lines), 3)
		inner := []string{id.String(), shop.Device.ID.String(), shop.Buyer.ID.String(), shop.Org.ID.String(), shop.Reason.ID.String(), "canary-idempotency"}
		all, _ := full["lines"].([]any)
		for _, l := range all {
			inner = append(inner, servicetest.TextIn(l, "uuid"))
		}
		servicetest.Equal(t, "ids that are not shown to strangers", len(inner), 9)
		for _, secret := range inner {
			if strings.Contains(a.Body, secret) {
				t.Errorf("the response contains the internal value %s: %s", secret, a.Body)
			}
		}
		pdf := h.Shared(http.MethodGet, token, "pdf/", "")
		servicetest.Equal(t, "the same PDF", pdf.Body, shop.PDF(http.MethodGet, id, "").Body)
		servicetest.Equal(t, "headers of the PDF", []string{pdf.Header.Get("X-Branding"), pdf.Header.Get("X-Robots-Tag"), pdf.Header.Get("Content-Type")}, []string{servicetest.Branding, "noindex, nofollow", "application/pdf"})
		if !strings.HasPrefix(pdf.Header.Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("Content-Disposition is %q, want a file name", pdf.Header.Get("Content-Disposition"))
		}
		for part, body := range map[string]string{"otp/": "", "approve/": `{"name":"Noura","code":"123456"}`} {
			refused := h.Shared(http.MethodPost, token, part, body).Wants(t, http.StatusBadRequest)
			servicetest.Same(t, part+" for an invoice", []any{refused["code"], refused["detail"]}, []any{"nothing_to_approve", "This link shows an invoice, which needs no approval."})
		}
	})
}

// TestInterface_4_7_SharedBeforeAndWithoutAcceptance checks that a simplified
// invoice is visible at once and has a PDF after the authority's response, and
// that a rejected invoice is not visible.
func TestInterface_4_7_SharedBeforeAndWithoutAcceptance(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		id := shop.Created(shop.Simplified())
		token := shop.TokenOf(id)
		got := h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "told", []any{got["status"], got["status_arabic"], got["pdf_url"], got["buyer"], got["title"]},
			[]any{"Issued, awaiting reporting", "صادرة، بانتظار إبلاغ الهيئة", nil, nil, "Simplified Tax Invoice"})
		if got["qr_code"] == nil {
			t.Error("qr_code is null")
		}
		servicetest.Unprinted.Wants(t, "before the authority's response", h.Shared(http.MethodGet, token, "pdf/", ""))
		shop.Answered(id, ledger.Reported)
		got = h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "status", got["status"], any("Reported"))
		servicetest.Equal(t, "PDF", h.Shared(http.MethodGet, token, "pdf/", "").Status, http.StatusOK)

		for what, text := range map[string]string{"standard": shop.Standard(), "simplified": shop.Simplified(servicetest.Fields{"notes": servicetest.Note("another")})} {
			rejected := shop.Created(text)
			token := shop.TokenOf(rejected)
			status := map[string]ledger.Status{"standard": ledger.NotCleared, "simplified": ledger.NotReported}[what]
			shop.Answered(rejected, status)
			for part := range map[string]bool{"": true, "pdf/": true} {
				noLink.Wants(t, "rejected "+what+" "+part, h.Shared(http.MethodGet, token, part, ""))
			}
			servicetest.Equal(t, "page of a rejected "+what, h.Page(http.MethodGet, "/s/"+token).Status, http.StatusNotFound)
		}
	})
}

func TestInterface_4_7_SharedDraft(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		a := h.Shared(http.MethodGet, token, "", "")
		got := a.Wants(t, http.StatusOK)
		want := servicetest.Record{
			"kind": "draft", "ref_num": nil, "issue_date": nil, "issue_time": nil, "status": nil, "qr_code": nil, "payment_status": nil, "invoice_payable_amount": "9660.00",
			"state": "shared", "version": servicetest.Number(1), "recipient": "n***@buyer.example", "approval": nil, "branding": servicetest.Branding,
			"pdf_url": "http://127.0.0.1:8080/v1-3/api/public/shared/" + token + "/pdf/",
		}
		for field, value := range want {
			servicetest.Same(t, field, got[field], value)
		}
		for _, secret := range []string{draft.ID.String(), d.Device.ID.String(), d.Buyer.ID.String(), d.Org.ID.String(), servicetest.Recipient.Email, draft.Shown.Invoice.Number} {
			if secret != "" && strings.Contains(a.Body, secret) {
				t.Errorf("the response contains the internal value %s", secret)
			}
		}
		pdf := h.Shared(http.MethodGet, token, "pdf/", "")
		if pdf.Status != http.StatusOK || !strings.HasPrefix(pdf.Body, "%PDF-") {
			t.Fatalf("PDF: status %d, body %.60s; want 200 and a PDF", pdf.Status, pdf.Body)
		}
		if files, err := pdfa.Extract(context.Background(), []byte(pdf.Body), pdfa.Limits{}); err != nil || len(files) != 0 {
			t.Errorf("the PDF of a draft embeds %d files, want none (error: %v)", len(files), err)
		}
		servicetest.Equal(t, "the page's PDF", h.Page(http.MethodGet, "/s/"+token+"/pdf").Body, pdf.Body)

		_, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("5000.00"), servicetest.Recipient)
		d.Must(err)
		got = h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "after a change", []any{got["version"], got["invoice_payable_amount"]}, []any{servicetest.Number(2), "11500.00"})
	})
}

// The JSON and the page of an invoice at prices including VAT show both prices.
func TestInterface_4_7_SharedShelfPrices(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		line := shop.Line(servicetest.Fields{"item_net_price": servicetest.Unsent, "item_gross_price": "1234.50", "invoiced_quantity": 7})
		token := shop.TokenOf(shop.Created(shop.Simplified(servicetest.Fields{"form_lines": []any{line}})))
		got := servicetest.First(t, h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)["lines"])
		servicetest.Equal(t, "prices", []any{got["item_net_price"], got["item_gross_price"]}, []any{"1073.478571", "1234.50"}) // 8641.50 ÷ 1.15 = 7514.35, ÷ 7
		for language, label := range map[string]string{"ar": "سعر الوحدة (شامل الضريبة)", "en": "Unit price (including VAT)"} {
			page := h.Page(http.MethodGet, "/s/"+token+"?lang="+language).Body
			for _, text := range []string{label, "1,234.50", "1,073.478571"} {
				if !strings.Contains(page, text) {
					t.Errorf("page in %s does not contain %q", language, text)
				}
			}
		}
	})
}
