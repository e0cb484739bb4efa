package ubl_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/beevik/etree"

	"khatm/ubl"
)

// corpus returns the documents in a folder of KHATM_CORPUS. They belong to the
// authority and we may not redistribute them.
func corpus(t *testing.T, folder string) []string {
	t.Helper()
	root := os.Getenv("KHATM_CORPUS")
	if root == "" {
		t.Skip("KHATM_CORPUS is not set; set it to the folder that contains samples/*.xml and mutants/*.xml")
	}
	files, err := filepath.Glob(filepath.Join(root, folder, "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s has no documents", filepath.Join(root, folder))
	}
	return files
}

func TestConformanceSamplesAreRead(t *testing.T) { readCorpus(t, "samples") }

func TestConformanceMutantsAreRead(t *testing.T) { readCorpus(t, "mutants") }

func readCorpus(t *testing.T, folder string) {
	t.Helper()
	for _, file := range corpus(t, folder) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			document, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inv := mustRead(t, string(document))
			tree := etree.NewDocument()
			if err := tree.ReadFromBytes(document); err != nil {
				t.Fatal(err)
			}
			for _, c := range lookups(inv) {
				if got, want := c.got, look(tree.Root(), c.path, c.attribute); got != want {
					t.Errorf("%s: got %q, want %q", c.path+c.attribute, got, want)
				}
			}
		})
	}
}

// lookup is a value of the typed model and its path in the document.
type lookup struct{ got, path, attribute string }

func lookups(inv *ubl.Invoice) []lookup {
	total := inv.MonetaryTotal
	if total == nil {
		total = &ubl.MonetaryTotal{}
	}
	all := []lookup{
		{inv.ProfileID.String(), "ProfileID", ""},
		{inv.ID.String(), "ID", ""},
		{inv.UUID.String(), "UUID", ""},
		{inv.IssueDate.String(), "IssueDate", ""},
		{inv.IssueTime.String(), "IssueTime", ""},
		{inv.InvoiceTypeCode.String(), "InvoiceTypeCode", ""},
		{inv.InvoiceTypeCode.Attr("name"), "InvoiceTypeCode", "name"},
		{inv.DocumentCurrencyCode.String(), "DocumentCurrencyCode", ""},
		{inv.TaxCurrencyCode.String(), "TaxCurrencyCode", ""},
		{total.LineExtensionAmount.String(), "LegalMonetaryTotal/LineExtensionAmount", ""},
		{total.TaxExclusiveAmount.String(), "LegalMonetaryTotal/TaxExclusiveAmount", ""},
		{total.TaxInclusiveAmount.String(), "LegalMonetaryTotal/TaxInclusiveAmount", ""},
		{total.AllowanceTotalAmount.String(), "LegalMonetaryTotal/AllowanceTotalAmount", ""},
		{total.PrepaidAmount.String(), "LegalMonetaryTotal/PrepaidAmount", ""},
		{total.PayableAmount.String(), "LegalMonetaryTotal/PayableAmount", ""},
		{total.PayableAmount.Attr("currencyID"), "LegalMonetaryTotal/PayableAmount", "currencyID"},
		{sellerVAT(inv), "AccountingSupplierParty/Party/PartyTaxScheme/CompanyID", ""},
		{strconv.Itoa(len(inv.Notes)), "Note", "#"},
		{strconv.Itoa(len(inv.TaxTotals)), "TaxTotal", "#"},
		{strconv.Itoa(len(inv.AdditionalDocumentReferences)), "AdditionalDocumentReference", "#"},
		{strconv.Itoa(len(inv.Lines)), "InvoiceLine", "#"},
	}
	for i, l := range inv.Lines {
		line := "InvoiceLine[" + strconv.Itoa(i+1) + "]/"
		all = append(all,
			lookup{l.ID.String(), line + "ID", ""},
			lookup{l.LineExtensionAmount.String(), line + "LineExtensionAmount", ""},
			lookup{l.InvoicedQuantity.Attr("unitCode"), line + "InvoicedQuantity", "unitCode"})
		if l.Item != nil {
			all = append(all, lookup{l.Item.Name.String(), line + "Item/Name", ""})
		}
	}
	return all
}

func sellerVAT(inv *ubl.Invoice) string {
	if inv.Supplier == nil || inv.Supplier.Party == nil || len(inv.Supplier.Party.TaxSchemes) == 0 {
		return ""
	}
	return inv.Supplier.Party.TaxSchemes[0].CompanyID.String()
}

// look returns a value from the tree of package etree: a text, an attribute, or
// the number of elements for "#".
func look(root *etree.Element, path, attribute string) string {
	found := root.FindElements("./" + path)
	switch {
	case attribute == "#":
		return strconv.Itoa(len(found))
	case len(found) == 0:
		return ""
	case attribute != "":
		return found[0].SelectAttrValue(attribute, "")
	}
	text := ""
	for _, token := range found[0].Child {
		if data, ok := token.(*etree.CharData); ok {
			text += data.Data
		}
	}
	return text
}
