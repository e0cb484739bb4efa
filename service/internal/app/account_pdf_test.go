package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/pdfa"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// TestAccounts_PDF draws a receipt, its reversal, a statement and the balances in all
// languages, and reads their texts.
func TestAccounts_PDF(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		id := shop.Created(shop.Standard())
		shop.Answered(id, ledger.Cleared)
		foreign := shop.Created(shop.Standard(servicetest.Fields{"currency": "USD", "exchange_rate": "3.75", "notes": servicetest.Note("2")}))
		shop.Answered(foreign, ledger.Cleared)
		receipt := shop.Receipt("100000", id)
		draw := func(name, path, language string, want ...string) {
			t.Helper()
			text := pdfText(t, name, language, h.As(accountant, http.MethodGet, path+language, ""))
			for _, one := range want {
				if !strings.Contains(text, one) {
					t.Errorf("%s in %s does not contain %q:\n%s", name, language, one, text)
				}
			}
		}
		receiptPDF := servicetest.ReceiptsPath + receipt.String() + "/pdf/?language="
		statement := "/app/api/buyers/" + shop.Buyer.ID.String() + "/statement/export/?format=pdf&date_from=2026-11-01&language="
		ageing := servicetest.AgeingPath + "export/?format=pdf&language="
		for _, language := range []string{"ar_en", "ar", "en"} {
			draw("receipt", receiptPDF, language, "RCT-2026-000001", "INV-2026-000001", "100,000.00")
			draw("statement", statement, language, "INV-2026-000001", "RCT-2026-000001", "USD", "SAR")
			draw("ageing", ageing, language, "USD")
		}
		draw("receipt", receiptPDF, "en", "Payment Receipt", "One hundred thousand Saudi riyals")
		for language, heading := range map[string]string{"ar": "المنشأة", "en": "Organisation"} {
			draw("ageing", ageing, language, heading)
			draw("statement", statement, language, heading)
		}
		transfer := h.As(accountant, http.MethodPost, servicetest.ReceiptsPath, `{"buyer":"`+shop.Buyer.ID.String()+`","currency":"SAR","amount":"5.00","payment_means_type_code":"30"}`).Wants(t, http.StatusCreated)
		text := pdfText(t, "transfer", "ar", h.As(accountant, http.MethodGet, servicetest.ReceiptsPath+servicetest.IDOf(transfer)+"/pdf/?language=ar", ""))
		if !strings.Contains(text, "تحويل بنكي") || strings.Contains(text, "آجل") {
			t.Errorf("a transfer is not described as received:\n%s", text)
		}
		h.As(accountant, http.MethodPost, servicetest.ReceiptsPath+receipt.String()+"/reverse/", `{"reason":"bounced"}`).Wants(t, http.StatusOK)
		draw("reversed", receiptPDF, "ar_en", "REVERSED", "RCT-2026-000003", "bounced", "Credit of the client", "90,340.00")
	})
}

// TestAccounts_PDFOfCredit draws a refund that the client keeps as credit: no money
// was received.
func TestAccounts_PDFOfCredit(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		note := shop.Refundable()
		kept := h.As(accountant, http.MethodPost, servicetest.RefundsPath, `{"invoice":"`+note.String()+`","amount":"10.00","keep_as_credit":true}`).Wants(t, http.StatusCreated)
		credit := servicetest.ReceiptsPath + servicetest.Text(kept["receipt"]) + "/pdf/?language="
		for language, want := range map[string][]string{
			"en": {"Credit to Account", "Amount credited", "Refund kept as credit"},
			"ar": {"إشعار رصيد للعميل", "المبلغ المقيّد للعميل", "مبلغ مردود أُبقي رصيدًا للعميل"},
		} {
			text := pdfText(t, "credit", language, h.As(accountant, http.MethodGet, credit+language, ""))
			for _, one := range want {
				if !strings.Contains(text, one) {
					t.Errorf("%s: no %q in:\n%s", language, one, text)
				}
			}
			for _, one := range []string{"eceived", "Receipt", "Signature", "سند قبض", "استلمنا", "المستلم", "تاريخ القبض", "التوقيع"} {
				if strings.Contains(text, one) {
					t.Errorf("%s: %q in:\n%s", language, one, text)
				}
			}
		}
		h.As(accountant, http.MethodPost, servicetest.RefundsPath+servicetest.IDOf(kept)+"/reverse/", `{"reason":"in cash"}`).Wants(t, http.StatusOK)
		if text := pdfText(t, "reversed credit", "en", h.As(accountant, http.MethodGet, credit+"en", "")); !strings.Contains(text, "this credit is no longer valid") {
			t.Errorf("no mark in:\n%s", text)
		}
	})
}

// pdfText returns the text of a PDF, which it stores in KHATM_KEEP_PDFS if that is
// set.
func pdfText(t *testing.T, name, language string, a servicetest.Answer) string {
	t.Helper()
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(a.Body, "%PDF-") {
		t.Fatalf("%s: %d %s, want a PDF", name, a.Status, a.Header.Get("Content-Type"))
	}
	if folder := os.Getenv("KHATM_KEEP_PDFS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+"-"+language+".pdf"), []byte(a.Body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := pdfa.ReadPages(t.Context(), []byte(a.Body), pdfa.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, page := range pages {
		text += page.Text + "\n"
	}
	return text
}
