package ubl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/invoice"
	"khatm/sample"
	"khatm/ubl"
)

// parsed returns the tree of a document.
func parsed(t *testing.T, document string) *ubl.Node {
	t.Helper()
	root, err := ubl.Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// A document that is written and parsed has no differences.
func TestDifferAfterWriteAndParse(t *testing.T) {
	for _, c := range sample.Every() {
		d, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatal(err)
		}
		inv := d.UBLUnchecked(invoice.Identity{Number: "1", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-15", IssueTime: "09:15:30"})
		if found, all := ubl.Differ(parsed(t, string(mustWrite(t, inv).Bytes())), inv, 10); all != 0 || len(found) != 0 {
			t.Errorf("%s: %d differences, want none: %v", c.Name, all, found)
		}
	}
}

func TestDifferReportsPlaces(t *testing.T) {
	const before = `<cbc:ID>7</cbc:ID><cbc:InvoiceTypeCode name="0100000">388</cbc:InvoiceTypeCode><cbc:Note>a</cbc:Note><cbc:Note>b</cbc:Note>` +
		`<cac:Delivery></cac:Delivery><cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="SAR">1.00</cbc:PayableAmount></cac:LegalMonetaryTotal>` +
		`<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID></cac:InvoiceLine>`
	const root, payable = "/Invoice", "/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount"
	inv := mustRead(t, in(before))
	for _, c := range []struct {
		name, old, text string
		want            []ubl.Difference
	}{
		{"nothing", "", "", nil},
		{"white space between elements", "<cbc:Note>a", "\n <cbc:Note>a", nil},
		{"another text", ">1.00<", ">abc<", []ubl.Difference{{payable, ubl.Changed, "abc", "1.00"}}},
		{"white space in a text", ">7<", "> 7<", []ubl.Difference{{root + "/cbc:ID", ubl.Changed, " 7", "7"}}},
		{"the same number written differently", ">1.00<", ">1.0<", []ubl.Difference{{payable, ubl.Changed, "1.0", "1.00"}}},
		{"another attribute", `"SAR"`, `"USD"`, []ubl.Difference{{payable + "/@currencyID", ubl.Changed, "USD", "SAR"}}},
		{"missing attribute", ` currencyID="SAR"`, "", []ubl.Difference{{payable + "/@currencyID", ubl.Missing, "", ""}}},
		{"additional attribute", ` currencyID="SAR"`, ` currencyID="SAR" x="1"`, []ubl.Difference{{payable + "/@x", ubl.Added, "", ""}}},
		{"an attribute of a part", "<cac:Delivery>", `<cac:Delivery x="1">`, []ubl.Difference{{root + "/cac:Delivery[1]/@x", ubl.Added, "", ""}}},
		{"white space in an empty part", "<cac:Delivery>", "<cac:Delivery> ", []ubl.Difference{{root + "/cac:Delivery[1]", ubl.Changed, " ", ""}}},
		{"missing empty part", "<cac:Delivery></cac:Delivery>", "", []ubl.Difference{{root + "/cac:Delivery[1]", ubl.Missing, "", ""}}},
		{"additional empty part", "<cac:Delivery>", "<cac:Delivery/><cac:Delivery>", []ubl.Difference{{root + "/cac:Delivery[2]", ubl.Added, "", ""}}},
		{"missing leaf", "<cbc:ID>7</cbc:ID>", "", []ubl.Difference{{root + "/cbc:ID", ubl.Missing, "", ""}}},
		{"repeated leaf", "<cbc:ID>7</cbc:ID>", "<cbc:ID>7</cbc:ID><cbc:ID>7</cbc:ID>", []ubl.Difference{{root + "/cbc:ID[2]", ubl.Added, "", ""}}},
		{"one of several", ">b<", ">c<", []ubl.Difference{{root + "/cbc:Note[2]", ubl.Changed, "c", "b"}}},
		{"something unknown", "<cac:Delivery>", "<cac:InvoicePeriod/><cac:Delivery>", []ubl.Difference{{root + "/cac:InvoicePeriod", ubl.Added, "", ""}}},
		{"important differences first", ` currencyID="SAR">1.00<`, ` currencyID="SAR" x="1">2.00<`,
			[]ubl.Difference{{payable, ubl.Changed, "2.00", "1.00"}, {payable + "/@x", ubl.Added, "", ""}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(before, c.old) {
				t.Fatalf("document does not contain %q", c.old)
			}
			got, all := ubl.Differ(parsed(t, in(strings.Replace(before, c.old, c.text, 1))), inv, 10)
			if d := cmp.Diff(c.want, got); d != "" || all != len(c.want) {
				t.Errorf("Differ counted %d differences (-want +got)\n%s", all, d)
			}
		})
	}
}

// A different order is reported once.
func TestDifferReportsOrderOnce(t *testing.T) {
	inv := mustRead(t, in(`<cbc:ID>7</cbc:ID><cbc:IssueDate>d</cbc:IssueDate><cbc:IssueTime>t</cbc:IssueTime>`))
	got, all := ubl.Differ(parsed(t, in(`<cbc:IssueDate>d</cbc:IssueDate><cbc:IssueTime>t</cbc:IssueTime><cbc:ID>7</cbc:ID>`)), inv, 10)
	if d := cmp.Diff([]ubl.Difference{{Path: "/Invoice", How: ubl.Reordered}}, got); d != "" || all != 1 {
		t.Errorf("Differ counted %d differences, want 1 (-want +got)\n%s", all, d)
	}
}

// All differences are counted, including those beyond the limit.
func TestDifferCountsAllDifferences(t *testing.T) {
	var lines strings.Builder
	for i := range 50 {
		fmt.Fprintf(&lines, `<cac:InvoiceLine><cbc:ID x="1">%d</cbc:ID><cbc:Foo/></cac:InvoiceLine>`, i)
	}
	inv := &ubl.Invoice{}
	for i := range 50 {
		inv.Lines = append(inv.Lines, &ubl.Line{ID: ubl.NewText(fmt.Sprint(i))})
	}
	for most, want := range map[int]int{3: 3, 60: 60, 1000: 100} {
		found, all := ubl.Differ(parsed(t, in(lines.String())), inv, most)
		if all != 100 || len(found) != want {
			t.Errorf("Differ with a limit of %d reported %d of %d, want %d of 100", most, len(found), all, want)
		}
	}
}
