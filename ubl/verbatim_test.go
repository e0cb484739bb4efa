package ubl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/ubl"
)

func mustRead(t testing.TB, document string) *ubl.Invoice {
	t.Helper()
	inv, err := ubl.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// names returns the names of the elements that are not in the model.
func names(r ubl.Rest) []string {
	var all []string
	for _, n := range r.Unmodelled {
		all = append(all, n.Name)
	}
	return all
}

func TestLeafIsVerbatim(t *testing.T) {
	cases := []struct {
		name, content string
		want          *ubl.Text
	}{
		{"absent", "", nil},
		{"empty", "<cbc:ID></cbc:ID>", ubl.NewText("")},
		{"empty tag", "<cbc:ID/>", ubl.NewText("")},
		{"empty with an attribute", `<cbc:ID schemeID=""/>`, ubl.NewText("", "schemeID", "")},
		{"blank", "<cbc:ID> \n\t</cbc:ID>", ubl.NewText(" \n\t")},
		{"no-break space", "<cbc:ID>\u00A0</cbc:ID>", ubl.NewText("\u00A0")},
		{"space around", "<cbc:ID>  1 </cbc:ID>", ubl.NewText("  1 ")},
		{"zeros", "<cbc:ID>115.0</cbc:ID>", ubl.NewText("115.0")},
		{"zeros before", "<cbc:ID>00115.00</cbc:ID>", ubl.NewText("00115.00")},
		{"exponent", "<cbc:ID>1E2</cbc:ID>", ubl.NewText("1E2")},
		{"not a number", "<cbc:ID>+ ١٢٣,٤</cbc:ID>", ubl.NewText("+ ١٢٣,٤")},
		{"not composed", "<cbc:ID>e\u0301 \u00E9</cbc:ID>", ubl.NewText("e\u0301 \u00E9")},
		{"outside the basic plane", "<cbc:ID>🧾\U0010FFFD</cbc:ID>", ubl.NewText("🧾\U0010FFFD")},
		{"byte order mark inside", "<cbc:ID>\uFEFF</cbc:ID>", ubl.NewText("\uFEFF")},
		{"attributes in their order", `<cbc:ID b="2" a="1">x</cbc:ID>`, ubl.NewText("x", "b", "2", "a", "1")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, mustRead(t, in(c.content)).ID); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAbsentLeafIsEmpty(t *testing.T) {
	inv := mustRead(t, in(""))
	if inv.ID.String() != "" || inv.ID.Attr("a") != "" || inv.Reference("QR").Embedded() != "" {
		t.Errorf("texts of absent elements = %q, %q, %q, want empty texts", inv.ID.String(), inv.ID.Attr("a"), inv.Reference("QR").Embedded())
	}
	if inv.Supplier != nil || inv.Lines != nil || inv.Extensions != nil || inv.Unmodelled != nil {
		t.Errorf("invoice = %+v, want an empty one", inv)
	}
}

func TestRepeatedElementsAreKept(t *testing.T) {
	inv := mustRead(t, in(`<cbc:Note>a</cbc:Note><cbc:Note languageID="en"/><cbc:ID>1</cbc:ID><cbc:Note>a</cbc:Note>`+
		`<cac:InvoiceLine><cbc:ID>2</cbc:ID></cac:InvoiceLine><cac:InvoiceLine/><cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>`))
	want := []*ubl.Text{ubl.NewText("a"), ubl.NewText("", "languageID", "en"), ubl.NewText("a")}
	if diff := cmp.Diff(want, inv.Notes); diff != "" {
		t.Errorf("notes (-want +got)\n%s", diff)
	}
	wantLines := []*ubl.Line{{ID: ubl.NewText("2")}, {}, {ID: ubl.NewText("1")}}
	if diff := cmp.Diff(wantLines, inv.Lines); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
}

func TestReadAcceptsAnyOrder(t *testing.T) {
	ordered := mustRead(t, plain)
	ordered.Notes = append(ordered.Notes, ubl.NewText("x"))
	mixed := mustRead(t, `<Invoice `+usual+`><cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine><cbc:Note>one
two</cbc:Note><cac:AccountingSupplierParty><cac:Party/></cac:AccountingSupplierParty>`+
		`<cbc:InvoiceTypeCode name="01 00">388</cbc:InvoiceTypeCode><cbc:Note>x</cbc:Note><cbc:ID>A &amp; B</cbc:ID></Invoice>`)
	if diff := cmp.Diff(ordered, mixed); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReferenceIsFoundByID(t *testing.T) {
	reference := func(id, uuid string) string {
		return "<cac:AdditionalDocumentReference><cbc:ID>" + id + "</cbc:ID><cbc:UUID>" + uuid + "</cbc:UUID></cac:AdditionalDocumentReference>"
	}
	inv := mustRead(t, in(reference("PIH", "a")+"<cac:AdditionalDocumentReference/>"+reference("ICV", "7")+reference("ICV", "8")))
	if got := inv.Reference("ICV").UUID.String(); got != "7" {
		t.Errorf("counter: got %q, want the first, 7", got)
	}
	if got := inv.Reference("QR"); got != nil {
		t.Errorf("code: got %v, want nil", got)
	}
}

func TestUnknownElementsStayInTheirParent(t *testing.T) {
	cases := []struct {
		name, content string
		rest          func(*ubl.Invoice) ubl.Rest
		want          []string
	}{
		{"in the root", `<cbc:UBLVersionID>2.1</cbc:UBLVersionID><cbc:ID/><cac:InvoicePeriod/><x xmlns="urn:x"/>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Rest },
			[]string{"cbc:UBLVersionID", "cac:InvoicePeriod", "{urn:x}x"}},
		{"leaf of the schema in another namespace", `<ID/><cbc:Invoice/><cac:ID/>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Rest },
			[]string{"ID", "cbc:Invoice", "cac:ID"}},
		{"repeated leaf", `<cbc:ID>1</cbc:ID><cbc:UUID/><cbc:ID>2</cbc:ID><cbc:ID>3</cbc:ID>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Rest },
			[]string{"cbc:ID", "cbc:ID"}},
		{"repeated part", `<cac:LegalMonetaryTotal/><cac:LegalMonetaryTotal/><cac:AccountingSupplierParty/><cac:AccountingSupplierParty/>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Rest },
			[]string{"cac:LegalMonetaryTotal", "cac:AccountingSupplierParty"}},
		{"second extensions", `<e:UBLExtensions xmlns:e="` + extNS + `"/><cbc:CustomizationID/><e:UBLExtensions xmlns:e="` + extNS + `"/>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Rest },
			[]string{"cbc:CustomizationID", "ext:UBLExtensions"}},
		{"in a line", `<cac:InvoiceLine/><cac:InvoiceLine><cac:Delivery/><cbc:ID/><cbc:FreeOfChargeIndicator/></cac:InvoiceLine>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Lines[1].Rest },
			[]string{"cac:Delivery", "cbc:FreeOfChargeIndicator"}},
		{"after a deeper part", `<cac:InvoiceLine><cac:Item><cac:Y/><cbc:Name/><cac:ClassifiedTaxCategory><cac:X/></cac:ClassifiedTaxCategory><cbc:Z/></cac:Item></cac:InvoiceLine>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Lines[0].Item.Rest },
			[]string{"cac:Y", "cbc:Z"}},
		{"deep", `<cac:InvoiceLine><cac:Item><cac:ClassifiedTaxCategory><cac:X/></cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>`,
			func(inv *ubl.Invoice) ubl.Rest { return inv.Lines[0].Item.TaxCategories[0].Rest },
			[]string{"cac:X"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, names(c.rest(mustRead(t, in(c.content))))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

const extNS = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"

func TestUnknownElementKeepsItsContent(t *testing.T) {
	inv := mustRead(t, in("<cbc:ID>1</cbc:ID>\n<cac:InvoicePeriod a=\"b\">\n<cbc:StartDate>2026-11-01</cbc:StartDate> mixed <x/></cac:InvoicePeriod>"))
	want := []*ubl.Node{{
		Name: "cac:InvoicePeriod", Attrs: []ubl.Attr{{Name: "a", Value: "b"}}, Text: "\n mixed ", Line: 2,
		Children: []*ubl.Node{{Name: "cbc:StartDate", Text: "2026-11-01", Line: 3}, {Name: "x", Line: 3}},
	}}
	if diff := cmp.Diff(want, inv.Unmodelled); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A tree can be bound twice, with the same result.
func TestBindDoesNotChangeTree(t *testing.T) {
	root, err := ubl.Parse([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	first, err := ubl.Bind(root)
	if err != nil {
		t.Fatal(err)
	}
	second, err := ubl.Bind(root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("(-first +second)\n%s", diff)
	}
}
