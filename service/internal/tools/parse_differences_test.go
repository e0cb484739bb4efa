package tools_test

import (
	"regexp"
	"strings"
	"testing"

	"khatm/sample"
)

// Missing or unreadable values would be filled in by validate-zatca, which would
// then find nothing wrong, so parse must warn of them.
func TestInterface_4_7_ParseInvoiceSaysWhatItMadeAnew(t *testing.T) {
	h := openTools(t)
	bare := bareOf(t, sample.Invoice())
	payable := regexp.MustCompile(`<cbc:PayableAmount currencyID="SAR">[^<]*<`)
	paying := func(text string) string { return payable.ReplaceAllString(bare, text) }
	total := elementOf(bare, "cac:TaxTotal>")
	const root, amount = "/Invoice/", "/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount"
	for _, c := range []struct{ name, xml, says string }{
		{"no totals", strings.Replace(bare, elementOf(bare, "cac:LegalMonetaryTotal>"), "", 1), root + "cac:LegalMonetaryTotal (not in the document)"},
		{"an invalid amount", paying(`<cbc:PayableAmount currencyID="SAR">abc<`), amount + " (“abc”, below “"},
		{"an amount with commas", paying(`<cbc:PayableAmount currencyID="SAR">1,000.00<`), amount + " (“1,000.00”, below “"},
		{"an amount of another currency", strings.Replace(bare, `<cbc:PayableAmount currencyID="SAR"`, `<cbc:PayableAmount currencyID="USD"`, 1), amount + "/@currencyID (“USD”, below “SAR”)"},
		{"no VAT", strings.Replace(bare, "<cac:TaxTotal>"+between(bare, "<cac:TaxTotal>", "<cac:LegalMonetaryTotal>"), "", 1), root + "cac:TaxTotal[1] (not in the document); " + root + "cac:TaxTotal[2]"},
		{"VAT three times", strings.Replace(bare, total, total+total, 1), root + "cac:TaxTotal"},
		{"no profile", strings.Replace(bare, elementOf(bare, "cbc:ProfileID>"), "", 1), root + "cbc:ProfileID (not in the document)"},
		{"no tax currency", strings.Replace(bare, elementOf(bare, "cbc:TaxCurrencyCode>"), "", 1), root + "cbc:TaxCurrencyCode (not in the document)"},
		{"no VAT on a line", withoutLineVAT(bare), root + "cac:InvoiceLine[1]/cac:TaxTotal[1] (not in the document)"},
		{"a repeated element", strings.Replace(bare, "<cbc:ProfileID>", "<cbc:ProfileID>reporting:1.0</cbc:ProfileID><cbc:ProfileID>", 1), root + "cbc:ProfileID[2] (left out)"},
		{"another order", strings.Replace(strings.Replace(bare, elementOf(bare, "cbc:UUID>"), "", 1), "<cbc:ID>", elementOf(bare, "cbc:UUID>")+"<cbc:ID>", 1), "/Invoice (in another order)"},
		{"an attribute", strings.Replace(bare, "<cbc:ProfileID>", `<cbc:ProfileID schemeID="x">`, 1), root + "cbc:ProfileID/@schemeID (left out)"},
		{"an unknown reference", strings.Replace(bare, "<cbc:ID>ICV</cbc:ID>", "<cbc:ID>Timesheet</cbc:ID>", 1), root + "cac:AdditionalDocumentReference"},
		{"a counter of another form", strings.Replace(bare, "<cbc:ID>ICV</cbc:ID>", "<cbc:ID>ICV</cbc:ID><cbc:IssueDate>2026-11-15</cbc:IssueDate>", 1), root + "cac:AdditionalDocumentReference[1]/cbc:IssueDate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.xml == bare {
				t.Fatal("the replacement did not change the document")
			}
			a := h.Parse(c.xml)
			warning := warned(a.JSON(t))
			_, list, found := strings.Cut(warning, differs)
			list, _, _ = strings.Cut(list, ". validate-zatca checks the invoice below, not the file.")
			if !found || !strings.Contains(list, c.says) {
				t.Errorf("warning = %q, want %q", warning, c.says)
			}
			if faithful(h, t, c.name, c.xml, a) {
				t.Error("the warning lists no difference")
			}
		})
	}
}

func withoutLineVAT(xml string) string {
	head, line, _ := strings.Cut(xml, "<cac:InvoiceLine>")
	return head + "<cac:InvoiceLine>" + strings.Replace(line, elementOf(line, "cac:TaxTotal>"), "", 1)
}

// Of many differences ten are listed, the important ones first.
func TestInterface_4_7_ParseInvoiceCountsDifferences(t *testing.T) {
	h := openTools(t)
	xml := bareOf(t, sample.Invoice())
	xml = strings.ReplaceAll(xml, `<cbc:ID>VAT`, `<cbc:ID schemeID="UN/ECE 5153" schemeAgencyID="6">VAT`)
	xml = strings.Replace(xml, "<cac:InvoiceLine><cbc:ID>1<", "<cac:InvoiceLine><cbc:ID>7<", 1)
	warning := warned(h.Reads(xml))
	if !regexp.MustCompile(regexp.QuoteMeta(differs) + `/Invoice/cac:InvoiceLine\[1\]/cbc:ID \(“7”, below “1”\); .*; and [0-9]+ more\. validate`).MatchString(warning) {
		t.Errorf("warning = %q, want the first differences and the number of the others", warning)
	}
	if told := strings.Count(warning, "(left out)"); told != 9 {
		t.Errorf("%d differences are listed, want 9: %q", told, warning)
	}
}
