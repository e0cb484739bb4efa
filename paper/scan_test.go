package paper_test

import (
	"context"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
	"khatm/pdfa"
	"khatm/qr"
	"khatm/ubl"
)

// TestPrintedCodeIsRead reads the QR code and the text from pages whose embedded
// document was removed. Without testtool.All, each kind is in one language on one
// paper, in turn.
func TestPrintedCodeIsRead(t *testing.T) {
	for k, kind := range kinds {
		document := sealed(t, facts(t, kind))
		inv, err := ubl.Read(document.XML)
		if err != nil {
			t.Fatal(err)
		}
		code := inv.Reference("QR").Embedded()
		for l, language := range testtool.Spread(languages, k, len(languages)) {
			for _, on := range testtool.Spread(papers, k+l, len(papers)) {
				t.Run(strings.Join([]string{kind, string(language), string(on)}, "/"), func(t *testing.T) {
					pdf := detached(t, draw(t, document.XML, paper.Options{Language: language, Paper: on}))
					pages, err := pdfa.ReadPages(context.Background(), pdf, pdfa.Limits{})
					if err != nil || len(pages) == 0 {
						t.Fatalf("ReadPages returned %d pages, %v; want at least one", len(pages), err)
					}
					if len(pages[0].Pictures) == 0 {
						t.Fatal("got no picture, want the QR code")
					}
					got, err := qr.Scan(pages[0].Pictures[0])
					if err != nil || got != code {
						t.Errorf("Scan = %.40q, %v; want %.40q", got, err, code)
					}
					if number := inv.Supplier.Party.TaxSchemes[0].CompanyID.String(); !strings.Contains(pages[0].Text, number) {
						t.Errorf("the text lacks the VAT number %s: %q", number, pages[0].Text)
					}
				})
			}
		}
	}
}

// detached returns a PDF without its embedded file.
func detached(t *testing.T, pdf []byte) []byte {
	t.Helper()
	pdf = testtool.Detached(t, pdf)
	if files, err := pdfa.Extract(context.Background(), pdf, pdfa.Limits{}); err != nil || len(files) > 0 {
		t.Fatalf("Extract returned %d files, %v; want none", len(files), err)
	}
	return pdf
}
