package seal_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/ubl"
	"khatm/witness"
)

var noon = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

func newDevice(t testing.TB) *sample.Device {
	t.Helper()
	d, err := sample.NewDevice(sample.Seeded(7), noon)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// invoiceOf returns the UBL invoice of facts, with an identity.
func invoiceOf(t testing.TB, f invoice.Facts) *ubl.Invoice {
	t.Helper()
	document, err := invoice.Compute(f)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := document.UBL(invoice.Identity{
		Number: "INV-1", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", Counter: 1, PreviousHash: seal.GenesisHash,
	}.At(noon))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestStampIsVerified(t *testing.T) {
	device := newDevice(t)
	for _, c := range []struct {
		name  string
		facts invoice.Facts
		tags  int
	}{
		{"standard", sample.Invoice(), 8},
		{"simplified", sample.Simplified(), 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			unsigned, err := seal.Prepare(invoiceOf(t, c.facts))
			if err != nil {
				t.Fatal(err)
			}
			sealed, err := unsigned.Stamp(device.Key, device.Certificate, noon)
			if err != nil {
				t.Fatal(err)
			}
			report, err := witness.Verify(sealed.XML, witness.Expect{
				PreviousHash: seal.GenesisHash, RequireStamp: true, Certificate: device.Certificate.DER,
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Findings) > 0 {
				t.Errorf("findings = %v, want none", report.Findings)
			}
			if report.Hash != sealed.Hash || unsigned.Hash != sealed.Hash {
				t.Errorf("hash %s, want %s as computed by witness", sealed.Hash, report.Hash)
			}
			if len(report.QR) != c.tags {
				t.Errorf("QR has %d tags, want %d", len(report.QR), c.tags)
			}
			if want := "2026-11-14T15:00:00"; report.SigningTime != want {
				t.Errorf("signing time %s, want %s (Riyadh)", report.SigningTime, want)
			}
		})
	}
}

func TestStampChangesNothingElse(t *testing.T) {
	device := newDevice(t)
	inv := invoiceOf(t, sample.Invoice())
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := unsigned.Stamp(device.Key, device.Certificate, noon)
	if err != nil {
		t.Fatal(err)
	}
	rest, found := bytes.CutPrefix(sealed.XML, canon.Head)
	if !found {
		t.Fatal("Stamp changed the head of the document")
	}
	_, rest, found = bytes.Cut(rest, canon.Body)
	if !found || !bytes.HasSuffix(rest, canon.Tail) {
		t.Fatal("Stamp changed the body or the tail of the document")
	}

	// Reading and preparing a stamped document returns the same unsigned document.
	again, err := ubl.Read(sealed.XML)
	if err != nil {
		t.Fatal(err)
	}
	second, err := seal.Prepare(again)
	if err != nil {
		t.Fatal(err)
	}
	resealed, err := second.Stamp(device.Key, device.Certificate, noon)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(resealed.XML, sealed.XML) {
		t.Error("stamping the same document twice returned different bytes, want the same")
	}
}

func TestStampRefuses(t *testing.T) {
	device := newDevice(t)
	stranger, err := seal.NewKey(sample.Seeded(99))
	if err != nil {
		t.Fatal(err)
	}
	otherSeller := sample.Invoice()
	otherSeller.Seller.VATNumber = "399999999900003"
	cases := []struct {
		name   string
		facts  invoice.Facts
		signer seal.Signer
		want   string
	}{
		{"key of another certificate", sample.Invoice(), stranger, "another key"},
		{"certificate of another seller", otherSeller, device.Key, "VAT number"},
		{"signer that fails", sample.Invoice(), brokenSigner{device.Key}, "the vault is closed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			unsigned, err := seal.Prepare(invoiceOf(t, c.facts))
			if err != nil {
				t.Fatal(err)
			}
			sealed, err := unsigned.Stamp(c.signer, device.Certificate, noon)
			if err == nil || sealed != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %s", err, c.want)
			}
		})
	}
}

// brokenSigner has the right public key but cannot sign.
type brokenSigner struct{ *seal.Key }

func (brokenSigner) Sign([]byte) ([]byte, error) { return nil, fmt.Errorf("the vault is closed") }

func TestPrepareRefuses(t *testing.T) {
	cases := []struct {
		name  string
		spoil func(*ubl.Invoice)
		want  string
	}{
		{"no seller", func(i *ubl.Invoice) { i.Supplier = nil }, "seller"},
		{"seller without a party", func(i *ubl.Invoice) { i.Supplier.Party = nil }, "seller"},
		{"two names", func(i *ubl.Invoice) {
			p := i.Supplier.Party
			p.LegalEntities = append(p.LegalEntities, p.LegalEntities[0])
		}, "one registered name"},
		{"no VAT number", func(i *ubl.Invoice) { i.Supplier.Party.TaxSchemes = nil }, "one VAT number"},
		{"not in a chain", func(i *ubl.Invoice) { i.AdditionalDocumentReferences = nil }, "chain"},
		{"no previous hash", func(i *ubl.Invoice) { i.AdditionalDocumentReferences = i.AdditionalDocumentReferences[:1] }, "chain"},
		{"no totals", func(i *ubl.Invoice) { i.MonetaryTotal = nil }, "totals"},
		{"no VAT totals", func(i *ubl.Invoice) { i.TaxTotals = nil }, "totals"},
		{"a character that XML cannot represent", func(i *ubl.Invoice) { i.ID = ubl.NewText("INV\x01") }, "cbc:ID"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inv := invoiceOf(t, sample.Invoice())
			c.spoil(inv)
			if _, err := seal.Prepare(inv); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %s", err, c.want)
			}
		})
	}
}

func ExamplePrepare() {
	device, err := sample.NewDevice(sample.Seeded(1), noon)
	if err != nil {
		panic(err)
	}
	document, err := invoice.Compute(sample.Simplified())
	if err != nil {
		panic(err)
	}
	inv, err := document.UBL(invoice.Identity{
		Number: "INV-2026-000001", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d",
		IssueDate: "2026-11-14", IssueTime: "15:00:00", Counter: 1, PreviousHash: seal.GenesisHash,
	})
	if err != nil {
		panic(err)
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		panic(err)
	}
	fmt.Println(unsigned.Hash)
	sealed, err := unsigned.Stamp(device.Key, device.Certificate, noon)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(sealed.QR) > 500, strings.HasPrefix(string(sealed.XML), "<Invoice "))
	// Output:
	// 4FGDBobUE1VrE0uTdm15pwkpQDUvmgw93Gr+cIOmI/Y=
	// true true
}
