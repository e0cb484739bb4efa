package tools_test

import (
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/service/internal/tools"
	"khatm/ubl"
	"khatm/witness"
)

// TestReadingsAgree reads samples with packages ubl and witness. Agree must
// succeed, and must report each value that is then changed in the witness report.
func TestReadingsAgree(t *testing.T) {
	d, err := sample.NewDevice(sample.Seeded(1), time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range testtool.Spread(testtool.Some(sample.Every(), 4), 0, 3) {
		sealed, err := d.Seal(c.Facts)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := ubl.Read(sealed.XML)
		if err != nil {
			t.Fatal(err)
		}
		report, err := witness.Verify(sealed.XML, witness.Expect{})
		if err != nil {
			t.Fatal(err)
		}
		if path, same := tools.Agree(shown, report); !same {
			t.Errorf("sample %s: the two readings differ in %s", c.Name, path)
		}
		for want, mark := range map[string]*string{
			"/Invoice/cbc:ID": &report.Number, "/Invoice/cbc:UUID": &report.UUID,
			"/Invoice/cbc:IssueDate": &report.IssueDate, "/Invoice/cbc:IssueTime": &report.IssueTime,
			"/Invoice/cbc:InvoiceTypeCode": &report.TypeCode, "/Invoice/cbc:InvoiceTypeCode/@name": &report.Transaction,
			"/Invoice/cac:AccountingSupplierParty": &report.SellerVAT, "/Invoice/cac:TaxTotal": &report.VATTotal,
			"/Invoice/cac:LegalMonetaryTotal": &report.Payable,
		} {
			kept := *mark
			*mark += "0"
			if path, same := tools.Agree(shown, report); same || path != want {
				t.Errorf("sample %s with a changed value: Agree = %q, %t; want %s, false", c.Name, path, same, want)
			}
			*mark = kept
		}
	}
}
