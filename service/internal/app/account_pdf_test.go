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
			a := h.As(accountant, http.MethodGet, path+language, "")
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
		h.As(accountant, http.MethodPost, servicetest.ReceiptsPath+receipt.String()+"/reverse/", `{"reason":"bounced"}`).Wants(t, http.StatusOK)
		draw("reversed", receiptPDF, "ar_en", "REVERSED", "RCT-2026-000002", "bounced")
	})
}
