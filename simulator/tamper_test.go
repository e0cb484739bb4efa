package simulator_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// TestTamperedDocuments checks some of the cases of package judge over HTTP:
// the status of the response, and the code with its category.
func TestTamperedDocuments(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	cases := []struct {
		name           string
		standard       bool
		old, new       string
		status         int
		code, category string
	}{
		{"an amount", false, "142.00</cbc:PayableAmount>", "142.01</cbc:PayableAmount>", 400, "invalid-invoice-hash", "INVOICE_HASHING_ERRORS"},
		{"an amount against the QR code", false, "142.00</cbc:PayableAmount>", "142.01</cbc:PayableAmount>", 400, "invoiceTotal_QRCODE_INVALID", "QRCODE_VALIDATION"},
		{"an item", false, "قهوة", "قهوه", 400, "invoiceHash_QRCODE_INVALID", "QRCODE_VALIDATION"},
		{"the seller's VAT number", false, "310175397400003</cbc:CompanyID>", "399999999900003</cbc:CompanyID>", 400, "certificate-permissions", "CERTIFICATE_ERRORS"},
		{"the signing time", false, "<xades:SigningTime>20", "<xades:SigningTime>21", 400, "signed-properties-hashing", "CERTIFICATE_ERRORS"},
		{"the kind", false, `name="0200000"`, `name="0100000"`, 400, "XML-INVOICE-ERROR", "INVOICETYPE_ERRORS"},
		{"a rule", false, "<cbc:TaxCurrencyCode>SAR<", "<cbc:TaxCurrencyCode>USD<", 400, "BR-KSA-EN16931-02", "KSA"},
		{"the order", false, "<cbc:ProfileID>reporting:1.0</cbc:ProfileID>", "<cbc:UUID>x</cbc:UUID>", 400, "XSD_ZATCA_INVALID", "XSD validation"},
		{"a number", false, ">142.00</cbc:PayableAmount>", ">a lot</cbc:PayableAmount>", 400, "XSD_ZATCA_INVALID", "XSD validation"},
		{"no XML", false, "</Invoice>", "", 400, "XSD_ZATCA_INVALID", "XSD validation"},
		{"a total of a standard document", true, "2787.60</cbc:TaxInclusiveAmount>", "2787.61</cbc:TaxInclusiveAmount>", 400, "BR-CO-15", "EN_16931"},
		{"the buyer's address of a standard document", true, "<cbc:PostalZone>23321</cbc:PostalZone>", "", 400, "BR-KSA-63", "KSA"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			facts := sample.Simplified()
			if c.standard {
				facts = sample.Invoice()
			}
			doc := d.seal(facts, d.pcsid)
			xml, err := base64.StdEncoding.DecodeString(doc.XML)
			if err != nil || !strings.Contains(string(xml), c.old) {
				t.Fatalf("%q is not in the document (error: %v)", c.old, err)
			}
			wrong := doc
			wrong.XML = base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(xml), c.old, c.new, 1)))
			r, _ := d.submit(wrong, !c.standard)
			if r.status != c.status || !strings.Contains(string(r.body), `"code":"`+c.code+`","category":"`+c.category+`"`) {
				t.Errorf("got %d, want %d with %s in %s: %.1500s", r.status, c.status, c.code, c.category, r.body)
			}
			if r, _ := d.submit(doc, !c.standard); r.status != http.StatusOK {
				t.Errorf("original document: status %d, want 200: %.500s", r.status, r.body)
			}
		})
	}
}
