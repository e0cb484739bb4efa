package service_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/pdfa"
	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
)

// wide lets links be opened as often as a test likes.
func wide(c *server.Config) { c.Rates.PublicDaily, c.Rates.SharedHourly = 1<<30, 1<<30 }

// shared calls an endpoint of a link, as a stranger.
func (h *house) shared(method, token, part, body string) answer {
	h.t.Helper()
	return h.as("", method, sharedAt(token, part), body)
}

// noLink is the answer to every token that opens nothing.
var noLink = refusal{http.StatusNotFound, `{"message":"This link is no longer available."}` + "\n"}

func TestInterface_4_7_SharedInvoice(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		shop := h.till()
		made := shop.createAs("canary-idempotency", shop.showpiece()).wants(t, http.StatusAccepted)
		id := uuid.MustParse(textIn(made, "invoice_uuid"))
		token := shop.tokenOf(id)
		for part, method := range map[string]string{"": "GET", "pdf/": "GET", "otp/": "POST"} {
			noLink.wants(t, "a standard invoice before it is cleared: "+part, h.shared(method, token, part, ""))
		}
		shop.accepted(id)
		a := h.shared(http.MethodGet, token, "", "")
		got := a.wants(t, http.StatusOK)
		equal(t, "header", []string{a.header.Get("X-Branding"), a.header.Get("X-Robots-Tag"), a.header.Get("Referrer-Policy"), a.header.Get("Cache-Control")},
			[]string{branding, "noindex, nofollow", "no-referrer", "no-store"})
		full := shop.full(id)
		for _, field := range []string{
			"ref_num", "type_code", "transaction_code", "issue_date", "issue_time", "supply_date", "supply_end_date", "currency", "exchange_rate", "payment_means_type_code",
			"payment_terms", "payment_status", "qr_code", "vat_breakdown", "notes", "invoice_total_line_net_amount", "invoice_total_amount_without_vat",
			"invoice_total_vat_amount", "invoice_total_vat_amount_sar", "invoice_total_amount_with_vat", "prepaid_amount", "payable_rounding_amount", "invoice_payable_amount",
		} {
			same(t, field, got[field], full[field])
		}
		want := record{
			"kind": "invoice", "title": "Tax Invoice", "title_arabic": "فاتورة ضريبية", "status": "Cleared", "status_arabic": "معتمدة",
			"pdf_url": "http://127.0.0.1:8080/v1-3/api/public/shared/" + token + "/pdf/", "expires_at": "2026-12-15T12:00:00+03:00", "branding": branding,
			"state": nil, "version": nil, "recipient": nil, "approval": nil,
		}
		for field, value := range want {
			same(t, field, got[field], value)
		}
		if got["qr_code"] == nil || textIn(got["seller"], "vat_registration_number") != shop.org.VATNumber || textIn(got["buyer"], "name") != "Buyer Trading" {
			t.Errorf("seller %v, buyer %v, code %v", got["seller"], got["buyer"], got["qr_code"])
		}
		lines, _ := got["lines"].([]any)
		equal(t, "lines", len(lines), 3)
		inner := []string{id.String(), shop.device.ID.String(), shop.buyer.ID.String(), shop.org.ID.String(), shop.reason.ID.String(), "canary-idempotency"}
		all, _ := full["lines"].([]any)
		for _, l := range all {
			inner = append(inner, textIn(l, "uuid"))
		}
		equal(t, "ids that a stranger is not told", len(inner), 9)
		for _, secret := range inner {
			if strings.Contains(a.body, secret) {
				t.Errorf("a stranger is told %s: %s", secret, a.body)
			}
		}
		pdf := h.shared(http.MethodGet, token, "pdf/", "")
		equal(t, "the same PDF", pdf.body, shop.pdf(http.MethodGet, id, "").body)
		equal(t, "headers of the PDF", []string{pdf.header.Get("X-Branding"), pdf.header.Get("X-Robots-Tag"), pdf.header.Get("Content-Type")}, []string{branding, "noindex, nofollow", "application/pdf"})
		if !strings.HasPrefix(pdf.header.Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("saved as %q", pdf.header.Get("Content-Disposition"))
		}
		for part, body := range map[string]string{"otp/": "", "approve/": `{"name":"Noura","code":"123456"}`} {
			refused := h.shared(http.MethodPost, token, part, body).wants(t, http.StatusBadRequest)
			if detail := textIn(refused, "detail"); detail == "" || len(refused) != 1 {
				t.Errorf("%s of an invoice: %v", part, refused)
			}
		}
	})
}

// A till hands a simplified invoice over at once; its PDF waits for the
// authority. A rejected one is none.
func TestInterface_4_7_SharedBeforeAndWithoutAcceptance(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		shop := h.till()
		id := shop.created(shop.simplified())
		token := shop.tokenOf(id)
		got := h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
		same(t, "told", []any{got["status"], got["status_arabic"], got["pdf_url"], got["buyer"], got["title"]},
			[]any{"Awaiting response", "بانتظار الرد", nil, nil, "Simplified Tax Invoice"})
		if got["qr_code"] == nil {
			t.Error("without its QR code")
		}
		unprinted.wants(t, "before the answer", h.shared(http.MethodGet, token, "pdf/", ""))
		shop.answered(id, ledger.Reported)
		got = h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
		same(t, "status", got["status"], any("Reported"))
		equal(t, "PDF", h.shared(http.MethodGet, token, "pdf/", "").status, http.StatusOK)

		for what, text := range map[string]string{"standard": shop.standard(), "simplified": shop.simplified(fields{"notes": note("another")})} {
			rejected := shop.created(text)
			token := shop.tokenOf(rejected)
			status := map[string]ledger.Status{"standard": ledger.NotCleared, "simplified": ledger.NotReported}[what]
			shop.answered(rejected, status)
			for part := range map[string]bool{"": true, "pdf/": true} {
				noLink.wants(t, "rejected "+what+" "+part, h.shared(http.MethodGet, token, part, ""))
			}
			equal(t, "page of a rejected "+what, h.page(http.MethodGet, "/s/"+token).status, http.StatusNotFound)
		}
	})
}

func TestInterface_4_7_SharedDraft(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		a := h.shared(http.MethodGet, token, "", "")
		got := a.wants(t, http.StatusOK)
		want := record{
			"kind": "draft", "ref_num": nil, "issue_date": nil, "issue_time": nil, "status": nil, "qr_code": nil, "payment_status": nil, "invoice_payable_amount": "9660.00",
			"state": "shared", "version": number(1), "recipient": "n***@buyer.example", "approval": nil, "branding": branding,
			"pdf_url": "http://127.0.0.1:8080/v1-3/api/public/shared/" + token + "/pdf/",
		}
		for field, value := range want {
			same(t, field, got[field], value)
		}
		for _, secret := range []string{draft.ID.String(), d.device.ID.String(), d.buyer.ID.String(), d.org.ID.String(), recipient.Email, draft.Shown.Invoice.Number} {
			if secret != "" && strings.Contains(a.body, secret) {
				t.Errorf("a stranger is told %s", secret)
			}
		}
		pdf := h.shared(http.MethodGet, token, "pdf/", "")
		if pdf.status != http.StatusOK || !strings.HasPrefix(pdf.body, "%PDF-") {
			t.Fatalf("%d %.60s", pdf.status, pdf.body)
		}
		if files, err := pdfa.Extract(context.Background(), []byte(pdf.body), pdfa.Limits{}); err != nil || len(files) != 0 {
			t.Errorf("a draft embeds %d files, %v", len(files), err)
		}
		equal(t, "the page's PDF", h.page(http.MethodGet, "/s/"+token+"/pdf").body, pdf.body)

		_, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("5000.00"), recipient)
		d.must(err)
		got = h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
		same(t, "after a change", []any{got["version"], got["invoice_payable_amount"]}, []any{number(2), "11500.00"})
	})
}
