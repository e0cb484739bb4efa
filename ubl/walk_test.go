package ubl_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/ubl"
)

func TestWalkVisitsLeavesInOrder(t *testing.T) {
	inv := mustRead(t, in(`<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID><cac:Item><cbc:Name/></cac:Item></cac:InvoiceLine>`+
		`<cbc:Note>b</cbc:Note><cbc:Note>c</cbc:Note><cbc:ID>a</cbc:ID><cbc:CustomizationID>not modelled</cbc:CustomizationID>`))
	var got []string
	ubl.Walk(inv, func(p *ubl.Path, leaf *ubl.Text) {
		got = append(got, p.String()+"="+leaf.Value)
	})
	want := []string{
		"/Invoice/cbc:ID=a",
		"/Invoice/cbc:Note=b",
		"/Invoice/cbc:Note=c",
		"/Invoice/cac:InvoiceLine[1]/cbc:ID=1",
		"/Invoice/cac:InvoiceLine[2]/cbc:ID=2",
		"/Invoice/cac:InvoiceLine[2]/cac:Item/cbc:Name=",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPathName(t *testing.T) {
	inv := mustRead(t, in(`<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>`))
	ubl.Walk(inv, func(p *ubl.Path, _ *ubl.Text) {
		var got []string
		for i := range p.Depth() + 1 {
			got = append(got, p.Name(i))
		}
		if diff := cmp.Diff([]string{"cbc:ID", "cac:InvoiceLine", "Invoice", ""}, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestWalkUnmodelled(t *testing.T) {
	inv, err := ubl.Read([]byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"` +
		` xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"` +
		` xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">` +
		`<cac:InvoicePeriod/><cac:InvoiceLine/><cac:InvoiceLine><cac:Item><cac:OriginCountry/></cac:Item></cac:InvoiceLine></Invoice>`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	ubl.WalkUnmodelled(inv, func(part *ubl.Path, n *ubl.Node) { got = append(got, part.String()+" "+n.Name) })
	want := []string{"/Invoice/cac:InvoiceLine[2]/cac:Item cac:OriginCountry", "/Invoice cac:InvoicePeriod"}
	if !slices.Equal(got, want) {
		t.Errorf("WalkUnmodelled visited %q, want %q", got, want)
	}
}
