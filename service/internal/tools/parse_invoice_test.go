package tools_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/service/internal/servicetest"
)

func TestInterface_4_7_ParseInvoiceReadsXMLAndPDF(t *testing.T) {
	h := openTools(t)
	simplified, standard := servicetest.SealedOf(t, sample.Simplified()), servicetest.SealedOf(t, sample.Invoice())
	cases := map[string]string{
		"XML of a simplified invoice":              simplified,
		"XML of a standard invoice":                standard,
		"XML with a byte order mark":               "\uFEFF" + simplified,
		"XML with a line before":                   "\n" + strings.TrimPrefix(simplified, `<?xml version="1.0" encoding="UTF-8"?>`),
		"PDF":                                      servicetest.PDFWith("Alternative:" + simplified),
		"PDF of a standard invoice":                servicetest.PDFWith("Alternative:" + standard),
		"PDF, the file is data":                    servicetest.PDFWith("Data:" + simplified),
		"PDF, the file is unspecified":             servicetest.PDFWith("Unspecified:" + simplified),
		"PDF, the file is of another relationship": servicetest.PDFWith("Whatever:" + simplified),
		"PDF with junk before":                     "junk\n" + servicetest.PDFWith("Alternative:"+simplified),
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			a := h.Parse(content)
			got := a.Wants(t, http.StatusOK)
			if got["qr_found"] != true || warned(got) != "" || got["warning"] != any(nil) {
				t.Errorf("qr_found = %v, warning = %v, want true and no warning", got["qr_found"], got["warning"])
			}
			seller := sample.Seller()
			servicetest.Equal(t, "seller in the code", servicetest.Inner(t, got, "tags")["seller_name"], any(seller.NameArabic))
			servicetest.Equal(t, "seller", servicetest.Inner(t, servicetest.Inner(t, got, "invoice"), "seller")["vat_registration_number"], any(seller.VATNumber))
			servicetest.Equal(t, "branding", got["branding"], any("Made with Khatm, e-invoicing for Saudi Arabia"))
			servicetest.Equal(t, "branding header", a.Header.Get("X-Branding"), "Made with Khatm, e-invoicing for Saudi Arabia")
			names := []string{}
			for name := range got {
				names = append(names, name)
			}
			if len(names) != 6 {
				t.Errorf("fields of the response = %q, want 6 fields", names)
			}
		})
	}
}

// The type of a file is determined by its content, not by its name or media type.
func TestInterface_4_7_ParseInvoiceTellsByContent(t *testing.T) {
	h := openTools(t)
	xml := servicetest.SealedOf(t, sample.Simplified())
	for name, content := range map[string]string{"invoice.pdf": xml, "invoice.xml": servicetest.PDFWith("Data:" + xml), "../../etc/passwd": xml, "x.exe": xml, "ف.bin": xml} {
		got := h.Send(http.MethodPost, servicetest.ParsePath, servicetest.FormBody(t, servicetest.Part{Field: "file", Filename: name, Content: content})).Wants(t, http.StatusOK)
		if got["invoice"] == nil || got["warning"] != any(nil) {
			t.Errorf("file named %s: response %v, want an invoice without a warning", name, got)
		}
	}
	// XML that contains the header of a PDF.
	polyglot := strings.Replace(xml, "<Invoice ", "<!-- %PDF-1.7 -->\n<Invoice ", 1)
	if got := h.Reads(polyglot); got["invoice"] == nil {
		t.Errorf("XML with a PDF header: response %v, want an invoice", got)
	}
}

func TestInterface_4_7_ParseInvoiceOfAnImage(t *testing.T) {
	h := openTools(t)
	for name, c := range map[string]struct{ content, says string }{
		"no file":          {imagePDF(), "no embedded invoice"},
		"not XML":          {servicetest.PDFWith("Data:not XML"), "no embedded invoice"},
		"other XML":        {servicetest.PDFWith("Alternative:<rsm:CrossIndustryInvoice xmlns:rsm=\"urn:x\"/>"), "no embedded invoice"},
		"credit note":      {servicetest.PDFWith(`Data:<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>`), "no embedded invoice"},
		"invoice, not UBL": {servicetest.PDFWith("Data:<Invoice/>"), "no embedded invoice"},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.Reads(c.content)
			if got["qr_found"] != false || got["tags"] != any(nil) || got["invoice"] != any(nil) || !strings.Contains(warned(got), c.says) {
				t.Errorf("response = %v, want no QR code, no invoice and a warning with %q", got, c.says)
			}
		})
	}
}

func TestInterface_4_7_ParseInvoiceChoosesAmongFiles(t *testing.T) {
	h := openTools(t)
	one, two := servicetest.SealedOf(t, sample.Simplified()), servicetest.SealedOf(t, sample.Invoice())
	const other = "<a/>"
	oneID, twoID := between(one, "<cbc:UUID>", "<"), between(two, "<cbc:UUID>", "<")
	cases := []struct {
		name    string
		files   []string
		want    string
		several string // expected warning; empty for none
	}{
		{"one among others", []string{"Data:" + other, "Supplement:x", "Unspecified:" + one}, oneID, ""},
		{"the one declared as alternative", []string{"Supplement:" + one, "Alternative:" + two}, twoID, "2 embedded invoices. This is “file2.xml”"},
		{"alternative before data", []string{"Source:" + one, "Data:" + one, "Alternative:" + two}, twoID, "3 embedded invoices"},
		{"the first of two with the same relationship", []string{"Data:" + one, "Data:" + two}, oneID, "2 embedded invoices. This is “file1.xml”"},
		{"the same twice", []string{"Data:" + one, "Alternative:" + one}, oneID, ""},
		{"beside a broken file", []string{"Alternative:<Invoice", "Data:" + one}, oneID, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := h.Reads(servicetest.PDFWith(c.files...))
			servicetest.Equal(t, "uuid", servicetest.Inner(t, got, "invoice")["uuid"], any(c.want))
			if text := warned(got); c.several == "" && text != "" || !strings.Contains(text, c.several) {
				t.Errorf("warning = %q, want %q", text, c.several)
			}
		})
	}
}

func TestInterface_4_7_ParseInvoiceWarns(t *testing.T) {
	h := openTools(t)
	simplified, bare := servicetest.SealedOf(t, sample.Simplified()), bareOf(t, sample.Invoice())
	cases := []struct{ name, content, says string }{
		{"no stamp", bare, "carries no stamp"},
		{"an amount that was changed", strings.Replace(simplified, "PayableAmount currencyID=\"SAR\">", "PayableAmount currencyID=\"SAR\">1", 1), "stamp does not verify"},
		{"a code of another document", strings.Replace(simplified, "PayableAmount currencyID=\"SAR\">", "PayableAmount currencyID=\"SAR\">1", 1), "QR code does not match the document: tag 4 is not the payable amount"},
		{"an invalid code", replaceCode(simplified, "%%%"), "QR code of the document cannot be read"},
		{"an order reference", strings.Replace(bare, "<cac:AdditionalDocumentReference>", "<cac:OrderReference><cbc:ID>7</cbc:ID></cac:OrderReference><cac:AdditionalDocumentReference>", 1), "/Invoice/cac:OrderReference (left out)"},
		{"a base quantity", strings.Replace(bare, "</cbc:PriceAmount>", "</cbc:PriceAmount><cbc:BaseQuantity>2</cbc:BaseQuantity>", 1), "/Invoice/cac:InvoiceLine[1]/cac:Price/cbc:BaseQuantity"},
		{"a comment in an amount", strings.Replace(simplified, "PayableAmount currencyID=\"SAR\">", "PayableAmount currencyID=\"SAR\">1<!-- -->", 1), "read in more than one way"},
		{"an instruction", strings.Replace(simplified, "<cbc:ProfileID>", "<?pay me?><cbc:ProfileID>", 1), "stamp does not verify"},
		{"an instruction, read", strings.Replace(simplified, "<cbc:ProfileID>", "<?pay me?><cbc:ProfileID>", 1), "read in more than one way"},
		{"a line break in an attribute", strings.Replace(simplified, "<cbc:ProfileID>", "<cbc:ProfileID schemeName=\"a\nb\">", 1), "read in more than one way"},
		{"an empty CDATA section", strings.Replace(simplified, "<cbc:ProfileID>", "<cbc:ProfileID><![CDATA[]]>", 1), "stamp cannot be verified"},
		{"no URI of the extension", strings.Replace(simplified, "<ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI>", "", 1), "has an unusual form"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := h.Reads(c.content)
			if got["invoice"] == nil || !strings.Contains(warned(got), c.says) {
				t.Errorf("warning = %q, want %q", warned(got), c.says)
			}
		})
	}
}

// parse reads everything that export writes, even with many equals signs in notes.
func TestInterface_4_7_ParseInvoiceOfManyEqualsSigns(t *testing.T) {
	h := openTools(t)
	notes := []any{}
	for range 150 {
		notes = append(notes, servicetest.Record{"language_id": "en", "note": strings.Repeat("=", 900)})
	}
	file := h.Tool("export", `{"invoice":`+servicetest.With(t, servicetest.Least, servicetest.Record{"notes": notes})+`,"format":"ubl-xml"}`)
	if file.Status != http.StatusOK {
		t.Fatalf("export: status %d, body %.300s; want 200", file.Status, file.Body)
	}
	servicetest.Equal(t, "warning", warned(h.Reads(file.Body)), "The document carries no stamp, so that nothing proves who issued it.")
}

// For a document that is too large to be verified, the warning says whether it has
// a stamp.
func TestInterface_4_7_ParseInvoiceOfALargeDocumentWithoutAStamp(t *testing.T) {
	h := openTools(t)
	facts := sample.Simplified()
	for len(facts.Lines) < 3_000 {
		facts.Lines = append(facts.Lines, facts.Lines[0])
	}
	for name, c := range map[string]struct{ xml, says string }{
		"no stamp": {bareOf(t, facts), "The document carries no stamp, so that nothing proves who issued it."},
		"a stamp":  {servicetest.SealedOf(t, facts), "The stamp was not verified, because the document is too large."},
	} {
		servicetest.Equal(t, name, warned(h.Reads(c.xml)), c.says)
	}
}

// A document with texts or lists above the limits of the schema is not returned.
func TestInterface_4_7_ParseInvoiceBeyondTheSchema(t *testing.T) {
	h := openTools(t)
	bare := bareOf(t, sample.Invoice())
	line := "<cac:InvoiceLine>" + between(bare, "<cac:InvoiceLine>", "</Invoice>")
	for name, content := range map[string]string{
		"a name of 5,001 characters": strings.Replace(bare, "<cbc:Name>", "<cbc:Name>"+strings.Repeat("ن", 5001), 1),
		"4,001 lines":                strings.Replace(bare, line, strings.Repeat("<cac:InvoiceLine/>", 4001), 1),
		"4,001 notes":                strings.Replace(bare, "<cbc:DocumentCurrencyCode>", strings.Repeat("<cbc:Note>x</cbc:Note>", 4001)+"<cbc:DocumentCurrencyCode>", 1),
		"a body of 4 MiB":            strings.Replace(bare, "<cbc:DocumentCurrencyCode>", strings.Repeat("<cbc:Note>"+strings.Repeat("x", 4900)+"</cbc:Note>", 900)+"<cbc:DocumentCurrencyCode>", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if got := h.Reads(content); got["invoice"] != any(nil) || !strings.Contains(warned(got), "The invoice is not shown") {
				t.Errorf("an invoice was returned, or the warning does not say that it is not shown: %q", warned(got))
			}
		})
	}
}

// between returns the text between two others.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// replaceCode replaces the QR code.
func replaceCode(xml, code string) string {
	head, rest, _ := strings.Cut(xml, "<cbc:ID>QR</cbc:ID>")
	open, _, _ := strings.Cut(rest, "\">")
	_, tail, _ := strings.Cut(rest, "</cbc:EmbeddedDocumentBinaryObject>")
	return head + "<cbc:ID>QR</cbc:ID>" + open + "\">" + code + "</cbc:EmbeddedDocumentBinaryObject>" + tail
}
