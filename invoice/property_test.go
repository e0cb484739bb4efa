package invoice_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/ubl"
)

// identity is the identity of test documents.
var identity = invoice.Identity{
	Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d",
	IssueDate: "2026-11-14", IssueTime: "09:15:30",
	Counter: 42, PreviousHash: seal.GenesisHash,
}

// build computes a document and converts it to UBL.
func build(f invoice.Facts) (*ubl.Invoice, error) {
	document, err := invoice.Compute(f)
	if err != nil {
		return nil, err
	}
	return document.UBL(identity)
}

// everyDocument calls check with each sample and with 300 random documents, whose
// names are their seeds. Without testtool.All it uses a third of both, and with
// KHATM_TORTURE=1 it uses 50,000 random documents.
func everyDocument(t *testing.T, check func(name string, f invoice.Facts)) {
	t.Helper()
	for _, c := range testtool.Spread(sample.Every(), 0, 3) {
		check(c.Name, c.Facts)
	}
	for seed := range uint64(testtool.Scale(100, 300, 50_000)) {
		check(fmt.Sprintf("random, seed %d", seed), sample.Random(rand.New(rand.NewPCG(seed, 1))))
		if t.Failed() && seed%100 == 99 {
			t.Fatalf("stopped after seed %d", seed)
		}
	}
}

// TestEveryDocument checks that every amount of each document is exact, and
// that the facts read from a document result in the same document again, byte
// for byte.
func TestEveryDocument(t *testing.T) {
	everyDocument(t, func(name string, f invoice.Facts) {
		inv, err := build(f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		for _, fault := range arithmeticFaults(inv) {
			t.Errorf("%s: %s", name, fault)
		}
		if err := roundTrip(inv); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// roundTrip writes a document, reads its facts, and compares the document of these
// facts with the original.
func roundTrip(inv *ubl.Invoice) error {
	canon, err := ubl.Write(inv)
	if err != nil {
		return err
	}
	read, err := ubl.Read(canon.Bytes())
	if err != nil {
		return err
	}
	facts, err := invoice.FromUBL(read)
	if err != nil {
		return fmt.Errorf("from UBL: %w", err)
	}
	document, err := invoice.Compute(facts)
	if err != nil {
		return fmt.Errorf("compute the facts from UBL: %w", err)
	}
	again, err := document.UBL(facts.Identity)
	if err != nil {
		return fmt.Errorf("convert the facts from UBL: %w", err)
	}
	twin, err := ubl.Write(again)
	if err != nil {
		return err
	}
	if !bytes.Equal(twin.Bytes(), canon.Bytes()) {
		return fmt.Errorf("after the round trip\n%s\nwant\n%s", twin.Bytes(), canon.Bytes())
	}
	return nil
}

// rich returns a document with every kind of amount: several rates, a discount, two
// advances, a foreign currency and a rounding.
func rich() invoice.Facts {
	for _, c := range sample.Every() {
		if c.Name != "388-standard-all-usd-advance-two-rates" {
			continue
		}
		f := c.Facts
		f.Allowances = []invoice.Allowance{
			{Amount: dec("3.33"), Category: "S", Rate: dec("15")},
			{Amount: dec("0.07"), Category: "Z"},
		}
		f.Advances = append(f.Advances, invoice.Advance{
			Number: "ADV-2026-000009", IssueDate: "2026-10-01", IssueTime: "10:00:00",
			Breakdown: []invoice.Subtotal{{Tax: sample.Standard("15"), Taxable: dec("20"), Amount: dec("3")}},
		})
		d, err := invoice.Compute(f)
		if err != nil {
			panic(err)
		}
		expected := d.Payable.Add(dec("0.02"))
		f.ExpectedPayable = &expected
		return f
	}
	panic("sample not found")
}

// TestArithmeticFaultsFindsEveryChange changes each amount of a document by a cent, up
// and down, and checks that arithmeticFaults detects it.
func TestArithmeticFaultsFindsEveryChange(t *testing.T) {
	facts := rich()
	whole, err := build(facts)
	if err != nil {
		t.Fatal(err)
	}
	if faults := arithmeticFaults(whole); len(faults) > 0 {
		t.Fatalf("faults of the unchanged document = %v, want none", faults)
	}
	names, _ := amounts(whole)
	if len(names) < 60 {
		t.Errorf("amounts: got %d, want 60 or more", len(names))
	}
	for i, name := range names {
		for _, by := range []int64{1, -1} {
			inv, err := build(facts)
			if err != nil {
				t.Fatal(err)
			}
			_, texts := amounts(inv)
			if strings.HasSuffix(name, " price") {
				by *= 10_00 // a smaller change of a price may be lost in rounding
			}
			texts[i].Value = moved(texts[i].Value, by)
			if faults := arithmeticFaults(inv); len(faults) == 0 {
				t.Errorf("%s changed to %s: no fault, want at least one", name, texts[i])
			}
		}
	}
}

// moved adds cents to an amount.
func moved(text string, cents int64) string {
	n := mul(rat(ubl.NewText(text)), rat(ubl.NewText("100")))
	return scaled(add(n, rat(ubl.NewText(strconv.FormatInt(cents, 10)))), 100).FloatString(2)
}

// amounts returns every amount of a document with its name.
func amounts(inv *ubl.Invoice) (names []string, texts []*ubl.Text) {
	put := func(name string, t *ubl.Text) {
		names, texts = append(names, name), append(texts, t)
	}
	total := func(name string, t *ubl.TaxTotal) {
		put(name+" VAT", t.TaxAmount)
		for j, s := range t.Subtotals {
			put(fmt.Sprintf("%s taxable %d", name, j), s.TaxableAmount)
			put(fmt.Sprintf("%s tax %d", name, j), s.TaxAmount)
		}
	}
	for i, l := range inv.Lines {
		name := fmt.Sprintf("line %d", i+1)
		put(name+" net", l.LineExtensionAmount)
		put(name+" price", l.Price.PriceAmount)
		put(name+" total", l.TaxTotals[0].RoundingAmount)
		total(name, l.TaxTotals[0])
	}
	for i, a := range inv.AllowanceCharges {
		put(fmt.Sprintf("allowance %d", i+1), a.Amount)
	}
	total("SAR", inv.TaxTotals[0])
	total("document", inv.TaxTotals[1])
	m := inv.MonetaryTotal
	put("sum of lines", m.LineExtensionAmount)
	put("without VAT", m.TaxExclusiveAmount)
	put("with VAT", m.TaxInclusiveAmount)
	put("sum of allowances", m.AllowanceTotalAmount)
	put("prepaid", m.PrepaidAmount)
	put("rounding", m.PayableRoundingAmount)
	put("payable", m.PayableAmount)
	return names, texts
}
