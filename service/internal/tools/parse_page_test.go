package tools_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/paper"
	"khatm/qr"
	"khatm/sample"
	"khatm/service/internal/servicetest"
)

// codeOnPage is the code of a made-up simplified invoice.
var codeOnPage = qr.Content{
	SellerName: "Khatm Trading", VATNumber: "310175397400003", Timestamp: "2026-11-15T09:15:30", Total: "1150.00", VATTotal: "150.00",
	Hash: strings.Repeat("h", 44), Signature: strings.Repeat("s", 96), PublicKey: []byte(strings.Repeat("k", 88)), CertificateSignature: []byte(strings.Repeat("c", 71)),
}

const (
	textOnPage  = "Khatm Trading|VAT 310175397400003|15/11/2026 09:15|VAT 15% 150.00|Total 1,150.00 SAR"
	noEmbedded  = "The PDF has no embedded invoice."
	readFrom1   = noEmbedded + " The QR code was read from page 1, where nothing proves who issued it. Upload the XML, or a PDF/A-3 with the XML embedded."
	uploadOther = " Upload the XML, or a PDF/A-3 with the XML embedded."
)

// drawnPDF returns a PDF with one page of text and a drawn QR code. Lines are
// separated by bars.
func drawnPDF(t testing.TB, text, code string) *servicetest.PDFObjects {
	t.Helper()
	var content strings.Builder
	if text != "" {
		content.WriteString("BT /F 10 Tf 14 TL 50 780 Td ")
		for _, line := range strings.Split(text, "|") {
			fmt.Fprintf(&content, "(%s) Tj T* ", line)
		}
		content.WriteString("ET ")
	}
	if code != "" {
		s, err := qr.NewSymbol(code)
		if err != nil {
			t.Fatal(err)
		}
		content.WriteString("q 1.4 0 0 -1.4 400 800 cm ")
		for y := range s.Size() {
			for x := range s.Size() {
				if s.Black(x, y) {
					fmt.Fprintf(&content, "%d %d 1 1 re ", x, y)
				}
			}
		}
		content.WriteString("f Q ")
	}
	return servicetest.WithFile("null").With(1, "<</Type/Catalog/Pages 2 0 R>>").
		With(3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>").
		With(4, servicetest.PDFStream("/Filter/FlateDecode", servicetest.Flated(content.String()))).
		With(5, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
}

func encoded(t testing.TB, c qr.Content) string {
	t.Helper()
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// compared returns an expected comparison.
func compared(seller, number, timestamp, total, vat string) servicetest.Record {
	return servicetest.Record{"seller_name": seller, "vat_registration_number": number, "timestamp": timestamp, "invoice_total_with_vat": total, "vat_amount": vat}
}

// TestInterface_4_7_ParseInvoiceOfAPage checks the whole response.
func TestInterface_4_7_ParseInvoiceOfAPage(t *testing.T) {
	h := openTools(t)
	a := h.Parse(drawnPDF(t, textOnPage, encoded(t, codeOnPage)).String())
	want := `{"qr_found":true,"tags":{"egs_public_key":"` + strings.Repeat("a2tr", 29) + `aw==","invoice_hash":"` + strings.Repeat("h", 44) + `","invoice_hash_signature":"` + strings.Repeat("s", 96) +
		`","invoice_total_with_vat":"1150.00","seller_name":"Khatm Trading","timestamp":"2026-11-15T09:15:30","vat_amount":"150.00","vat_registration_number":"310175397400003","zatca_ca_signature_of_egs_csr":"` + strings.Repeat("Y2Nj", 23) + `Y2M="},` +
		`"invoice":null,"text_comparison":{"seller_name":"agrees","vat_registration_number":"agrees","timestamp":"agrees","invoice_total_with_vat":"agrees","vat_amount":"agrees"},` +
		`"warning":"` + readFrom1 + `","branding":"Made with Khatm, e-invoicing for Saudi Arabia"}`
	if got := strings.TrimSpace(a.Body); a.Status != http.StatusOK || got != want {
		t.Errorf("status %d, body\n%s\nwant 200 and\n%s", a.Status, got, want)
	}
}

// TestInterface_4_7_ParseInvoiceOfOwnPages prints invoices, removes the embedded
// document and reads the code from the page.
func TestInterface_4_7_ParseInvoiceOfOwnPages(t *testing.T) {
	h := openTools(t)
	press, err := paper.New()
	if err != nil {
		t.Fatal(err)
	}
	for kind, facts := range map[string]invoice.Facts{"simplified": sample.Simplified(), "standard": sample.Invoice()} {
		xml := servicetest.SealedOf(t, facts)
		want := servicetest.Inner(t, h.Reads(xml), "tags")
		for _, language := range []paper.Language{paper.Arabic, paper.English, paper.Bilingual} {
			for _, on := range []paper.Paper{paper.A4, paper.Roll80} {
				t.Run(fmt.Sprintf("%s/%s/%s", kind, language, on), func(t *testing.T) {
					pdf, err := press.Draw([]byte(xml), paper.Options{Language: language, Paper: on})
					if err != nil {
						t.Fatal(err)
					}
					got := h.Reads(string(testtool.Detached(t, pdf)))
					servicetest.Equal(t, "tags", fmt.Sprint(got["tags"]), fmt.Sprint(want))
					servicetest.Equal(t, "comparison", fmt.Sprint(got["text_comparison"]), fmt.Sprint(compared("agrees", "agrees", "agrees", "agrees", "agrees")))
					servicetest.Equal(t, "warning", warned(got), readFrom1)
				})
			}
		}
	}
}

// TestInterface_4_7_ParseInvoiceOfOtherProducers reads pages of Chromium, ReportLab
// and fpdf2.
func TestInterface_4_7_ParseInvoiceOfOtherProducers(t *testing.T) {
	h := openTools(t)
	for name, seller := range map[string]string{
		"chromium-svg": "agrees", "chromium-png": "agrees", "reportlab": "not_found", "fpdf2-ccitt": "not_found", "fpdf2-svg": "not_found",
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../../pdfa/testdata/pages/" + name + ".pdf")
			if err != nil {
				t.Fatal(err)
			}
			got := h.Reads(string(data))
			if got["qr_found"] != true {
				t.Fatalf("response %v, want a QR code", got)
			}
			servicetest.Equal(t, "seller", servicetest.Inner(t, got, "tags")["seller_name"], any("شركة الأفق للتجارة"))
			servicetest.Equal(t, "comparison", fmt.Sprint(got["text_comparison"]), fmt.Sprint(compared(seller, "agrees", "agrees", "agrees", "agrees")))
		})
	}
}

func TestInterface_4_7_ParseInvoiceComparesThePage(t *testing.T) {
	h := openTools(t)
	with := func(change func(*qr.Content)) qr.Content {
		c := codeOnPage
		change(&c)
		return c
	}
	replaced := func(old, by string) string { return strings.Replace(textOnPage, old, by, 1) }
	const yes, no, other = "agrees", "not_found", "differs"
	for name, c := range map[string]struct {
		text string
		code qr.Content
		want servicetest.Record
	}{
		"another seller":            {replaced("Khatm Trading", "Other Ltd"), codeOnPage, compared(no, yes, yes, yes, yes)},
		"a seller in capitals":      {replaced("Khatm Trading", "KHATM|TRADING CO."), codeOnPage, compared(yes, yes, yes, yes, yes)},
		"another number":            {replaced("310175397400003", "310175397400013"), codeOnPage, compared(yes, other, yes, yes, yes)},
		"no number":                 {replaced("310175397400003", "-"), codeOnPage, compared(yes, no, yes, yes, yes)},
		"another total":             {replaced("1,150.00", "1,151.00"), codeOnPage, compared(yes, yes, yes, other, yes)},
		"a longer total":            {replaced("1,150.00", "21,150.00"), codeOnPage, compared(yes, yes, yes, other, yes)},
		"another VAT":               {replaced("150.00", "15.00"), codeOnPage, compared(yes, yes, yes, yes, other)},
		"a VAT like the rate":       {replaced("150.00", "10.00"), with(func(c *qr.Content) { c.VATTotal = "15.00" }), compared(yes, yes, yes, yes, other)},
		"an amount of one decimal":  {textOnPage, with(func(c *qr.Content) { c.Total = "1150.0" }), compared(yes, yes, yes, yes, yes)},
		"commas for points":         {replaced("1,150.00", "1.150,00"), codeOnPage, compared(yes, yes, yes, yes, yes)},
		"no amounts":                {"Khatm Trading|VAT 310175397400003|2026-11-15", codeOnPage, compared(yes, yes, yes, no, no)},
		"amounts without decimals":  {"Khatm Trading|VAT 310175397400003|2026-11-15|150|1150", codeOnPage, compared(yes, yes, yes, yes, yes)},
		"another date":              {replaced("15/11/2026", "16/11/2026"), codeOnPage, compared(yes, yes, other, yes, yes)},
		"a date with more digits":   {replaced("15/11/2026", "15/11/2026"), with(func(c *qr.Content) { c.Timestamp = "2026-11-05T09:15:30" }), compared(yes, yes, other, yes, yes)},
		"another time":              {replaced("09:15", "09:16"), codeOnPage, compared(yes, yes, other, yes, yes)},
		"no date":                   {replaced("15/11/2026 09:15", "-"), codeOnPage, compared(yes, yes, no, yes, yes)},
		"a month in words":          {replaced("15/11/2026", "15 Nov 2026"), codeOnPage, compared(yes, yes, yes, yes, yes)},
		"a time in UTC":             {textOnPage, with(func(c *qr.Content) { c.Timestamp = "2026-11-15T06:15:30Z" }), compared(yes, yes, yes, yes, yes)},
		"an invalid timestamp":      {textOnPage, with(func(c *qr.Content) { c.Timestamp = "today" }), compared(yes, yes, no, yes, yes)},
		"another text altogether":   {"Hello", codeOnPage, compared(no, no, no, no, no)},
		"five tags, as before 2023": {textOnPage, with(func(c *qr.Content) { c.Hash, c.Signature, c.PublicKey, c.CertificateSignature = "", "", nil, nil }), compared(yes, yes, yes, yes, yes)},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.Reads(drawnPDF(t, c.text, encoded(t, c.code)).String())
			servicetest.Equal(t, "comparison", fmt.Sprint(got["text_comparison"]), fmt.Sprint(c.want))
			for tag, is := range c.want {
				_, after, _ := strings.Cut(warned(got), readFrom1)
				if strings.Contains(after, tag) != (is != yes) {
					t.Errorf("warning %q, want %s in it only if it does not agree", after, tag)
				}
			}
		})
	}
}

// TestInterface_4_7_ParseInvoiceWithoutACodeOnThePage checks pages of which no code is
// returned, and why.
func TestInterface_4_7_ParseInvoiceWithoutACodeOnThePage(t *testing.T) {
	h := openTools(t)
	code := encoded(t, codeOnPage)
	image := func(dict string) *servicetest.PDFObjects {
		return drawnPDF(t, "", "").With(4, servicetest.PDFStream("", "BT /F 9 Tf (text) Tj ET /X Do")).With(6, servicetest.PDFStream("/Subtype/Image/Width 300/Height 300"+dict, "x"))
	}
	damaged := drawnPDF(t, textOnPage, "")
	s, err := qr.NewSymbol(code)
	if err != nil {
		t.Fatal(err)
	}
	var half strings.Builder
	for i := range s.Size() * s.Size() / 2 {
		if s.Black(i%s.Size(), i/s.Size()) {
			fmt.Fprintf(&half, "%d %d 1 1 re ", i%s.Size(), i/s.Size())
		}
	}
	damaged.With(4, servicetest.PDFStream("", "BT /F 9 Tf (text) Tj ET "+half.String()+"f"))
	for name, c := range map[string]struct{ content, says string }{
		"no text":          {drawnPDF(t, "", code).String(), " Its pages have no text, so that no QR code is read from them."},
		"nothing":          {imagePDF(), " Its pages have no text, so that no QR code is read from them."},
		"no code":          {drawnPDF(t, textOnPage, "").String(), " No QR code was found on its pages."},
		"half a code":      {damaged.String(), " No QR code was found on its pages."},
		"another code":     {drawnPDF(t, textOnPage, "https://example.com/pay?id=1").String(), " No QR code on its pages is that of an invoice."},
		"an unknown image": {image("/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode").String(), " No QR code was found on its pages. 1 of the images cannot be read, because of their size or format."},
		"too complex": {drawnPDF(t, "", "").With(4, servicetest.PDFStream("/Filter/FlateDecode", servicetest.Flated("BT /F 9 Tf (text) Tj ET "+strings.Repeat("0 0 1 1 re f ", 400_000)))).String(),
			" No QR code was found on its pages. Not all of the pages were read, because the PDF is too complex."},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.Reads(c.content)
			if got["qr_found"] != false || got["tags"] != any(nil) || got["invoice"] != any(nil) || got["text_comparison"] != any(nil) {
				t.Errorf("response = %v, want no QR code and no invoice", got)
			}
			servicetest.Equal(t, "warning", warned(got), noEmbedded+c.says+uploadOther)
		})
	}
}

// TestInterface_4_7_ParseInvoicePrefersTheEmbeddedInvoice checks that the pages are
// not read if an invoice is embedded, and that they are read beside other files.
func TestInterface_4_7_ParseInvoicePrefersTheEmbeddedInvoice(t *testing.T) {
	h := openTools(t)
	embed := func(file string) string {
		return drawnPDF(t, textOnPage, encoded(t, codeOnPage)).With(1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a.xml) 8 0 R]>>>>>>").
			With(8, "<</Type/Filespec/F(a.xml)/EF<</F 9 0 R>>>>").With(9, servicetest.PDFStream("/Type/EmbeddedFile", file)).String()
	}
	got := h.Reads(embed(servicetest.SealedOf(t, sample.Simplified())))
	if got["invoice"] == nil || got["text_comparison"] != any(nil) || servicetest.Inner(t, got, "tags")["vat_amount"] == "150.00" {
		t.Errorf("response %v, want the embedded invoice", got)
	}
	got = h.Reads(embed("<a/>"))
	if got["qr_found"] != true || !strings.HasPrefix(warned(got), "The PDF has no embedded invoice: “a.xml” is not a UBL invoice. The QR code was read from page 1,") {
		t.Errorf("response %v, want the code of the page", got)
	}
}
