package sample_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/codes"
	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/witness"
)

// firstIssue is the issue time of the first document of the test device.
var firstIssue = time.Date(2026, time.November, 14, 9, 0, 0, 0, invoice.Riyadh())

func newDevice(t *testing.T) *sample.Device {
	t.Helper()
	device, err := sample.NewDevice(sample.Seeded(1), firstIssue)
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// random returns the random document of a seed.
func random(seed uint64) sample.Case {
	return sample.Case{Name: fmt.Sprintf("random, seed %d", seed), Facts: sample.Random(rand.New(rand.NewPCG(seed, 0)))}
}

// basket returns the random sale at prices including VAT of a seed.
func basket(seed uint64) sample.Case {
	return sample.Case{Name: fmt.Sprintf("basket, seed %d", seed), Facts: sample.Basket(rand.New(rand.NewPCG(seed, 2)))}
}

func TestEveryHasNames(t *testing.T) {
	cases := sample.Every()
	if len(cases) < 300 {
		t.Errorf("cases: got %d, want 300 or more", len(cases))
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if c.Name == "" || seen[c.Name] {
			t.Errorf("name %q is empty or not unique", c.Name)
		}
		seen[c.Name] = true
	}
}

// TestEveryCovers checks that every feature of an invoice occurs in a case.
func TestEveryCovers(t *testing.T) {
	missing := map[string]bool{}
	for _, r := range codes.Reasons() {
		missing["reason "+r.Code] = true
	}
	for _, kind := range []string{"388", "381", "383", "386"} {
		for _, sale := range []string{"standard", "simplified", "export"} {
			missing["kind "+kind+" "+sale] = true
		}
		for _, currency := range []string{"SAR", "USD", "JPY"} {
			missing["kind "+kind+" in "+currency] = true
		}
		missing["kind "+kind+" with a discount"] = true
	}
	for _, thing := range []string{
		"category S", "category Z", "category E", "category O", "all categories", "two rates", "two reasons of Z", "two reasons of E", "two reasons of O",
		"advance", "several advances", "advance at another rate", "advance of another category", "advance of two rates", "rounding up", "rounding down",
		"whole discount", "discount with a reason", "no buyer", "buyer without VAT number", "foreign buyer", "several originals",
		"third party", "nominal", "summary", "self-billed", "payment terms", "notes",
		"price including VAT", "both kinds of prices", "price including VAT in a note",
	} {
		missing[thing] = true
	}
	for _, c := range sample.Every() {
		for _, thing := range things(t, c) {
			delete(missing, thing)
		}
	}
	for thing := range missing {
		t.Errorf("no case has: %s", thing)
	}
}

// things returns the features of a case.
func things(t *testing.T, c sample.Case) []string {
	t.Helper()
	d, err := invoice.Compute(c.Facts)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	kind := fmt.Sprintf("kind %d", d.Kind)
	has := []string{kind + " " + sortOf(d.Transaction), kind + " in " + d.Currency}
	note := func(there bool, thing string) {
		if there {
			has = append(has, thing)
		}
	}
	rates, reasons := map[string]bool{}, map[string]int{}
	for _, s := range d.Breakdown {
		has = append(has, "category "+s.Category, "reason "+s.ReasonCode)
		reasons[s.Category]++
		if s.Category == "S" {
			rates[s.Rate.String()] = true
		}
		note(s.Category == "S" && s.Taxable.IsZero(), "whole discount")
	}
	for category, n := range reasons {
		note(n > 1, "two reasons of "+category)
	}
	note(len(rates) > 1, "two rates")
	note(len(reasons) == 4, "all categories")
	note(len(d.Allowances) > 0, kind+" with a discount")
	for _, a := range d.Allowances {
		note(a.Reason != "", "discount with a reason")
	}
	note(len(d.Advances) > 0, "advance")
	note(len(d.Advances) > 1, "several advances")
	for _, a := range d.Advances {
		note(len(a.Breakdown) > 1, "advance of two rates")
		tax := a.Breakdown[0].Tax
		note(tax.Category == "S" && !rates[tax.Rate.String()], "advance at another rate")
		note(reasons[tax.Category] == 0, "advance of another category")
	}
	gross := 0
	for _, l := range d.Lines {
		if !l.GrossPrice.IsZero() {
			gross++
		}
	}
	note(gross > 0, "price including VAT")
	note(gross > 0 && gross < len(d.Lines), "both kinds of prices")
	note(gross > 0 && d.Kind.IsNote(), "price including VAT in a note")
	note(d.Rounding.Sign() > 0, "rounding up")
	note(d.Rounding.Sign() < 0, "rounding down")
	note(d.Buyer == nil, "no buyer")
	note(d.Buyer != nil && d.Buyer.VATNumber == "", "buyer without VAT number")
	note(d.Buyer != nil && !d.Buyer.Saudi(), "foreign buyer")
	note(len(d.Originals) > 1, "several originals")
	note(d.Transaction.ThirdParty, "third party")
	note(d.Transaction.Nominal, "nominal")
	note(d.Transaction.Summary, "summary")
	note(d.Transaction.SelfBilled, "self-billed")
	note(d.PaymentTerms != "", "payment terms")
	note(len(d.Notes) > 0, "notes")
	return has
}

func sortOf(t invoice.Transaction) string {
	switch {
	case t.Simplified:
		return "simplified"
	case t.Export:
		return "export"
	}
	return "standard"
}

// TestDocumentsVerify seals every case, or every third one without testtool.All, and
// some random documents in one chain and verifies each with package witness, which
// shares no code with the writer.
func TestDocumentsVerify(t *testing.T) {
	cases := testtool.Spread(sample.Every(), 0, 3)
	for seed := range uint64(testtool.Scale(30, 100, 2_000)) {
		cases = append(cases, random(seed))
	}
	device, previous := newDevice(t), seal.GenesisHash
	for i, c := range cases {
		sealed, err := device.Seal(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		report, err := witness.Verify(sealed.XML, witness.Expect{
			PreviousHash: previous, RequireStamp: true, Certificate: device.Certificate.DER,
		})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		for _, f := range report.Findings {
			t.Errorf("%s: unexpected finding %+v", c.Name, f)
		}
		at := firstIssue.Add(time.Duration(i) * time.Second)
		got := []string{report.Hash, report.Counter, report.IssueDate, report.IssueTime, report.Transaction}
		want := []string{sealed.Hash, fmt.Sprint(i + 1), at.Format(time.DateOnly), at.Format(time.TimeOnly), c.Facts.Transaction.String()}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.Name, got, want)
		}
		previous = sealed.Hash
	}
}

// TestSameSeedSameBytes checks that creating a chain twice returns the same
// bytes.
func TestSameSeedSameBytes(t *testing.T) {
	chain := func() []byte {
		var all bytes.Buffer
		device := newDevice(t)
		all.Write(device.Certificate.DER)
		for _, c := range append(sample.Every()[:40], random(7), random(8), random(9)) {
			sealed, err := device.Seal(c.Facts)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			all.Write(sealed.XML)
		}
		return all.Bytes()
	}
	if !bytes.Equal(chain(), chain()) {
		t.Error("the second run returned different bytes, want the same")
	}
}

func TestSameSeedSameFacts(t *testing.T) {
	for seed := range uint64(100) {
		if one, two := random(seed), random(seed); !reflect.DeepEqual(one, two) {
			t.Errorf("%s: the second call returned different facts, want the same", one.Name)
		}
	}
}

func TestOtherSeedOtherBytes(t *testing.T) {
	one, err := sample.NewDevice(sample.Seeded(1), firstIssue)
	if err != nil {
		t.Fatal(err)
	}
	two, err := sample.NewDevice(sample.Seeded(2), firstIssue)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(one.Key.Bytes(), two.Key.Bytes()) {
		t.Error("two seeds returned the same key, want different keys")
	}
	if reflect.DeepEqual(random(1).Facts, random(2).Facts) {
		t.Error("two seeds returned the same document, want different documents")
	}
}

// TestInvalidFactsDoNotChangeTheChain checks that there is no gap in the chain after
// facts that cannot be sealed.
func TestInvalidFactsDoNotChangeTheChain(t *testing.T) {
	device := newDevice(t)
	if _, err := device.Seal(invoice.Facts{}); err == nil {
		t.Fatal("Seal of empty facts succeeded, want an error")
	}
	sealed, err := device.Seal(sample.Simplified())
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(sealed.XML, witness.Expect{PreviousHash: seal.GenesisHash})
	if err != nil || report.Counter != "1" || !strings.HasSuffix(report.Number, "-000001") {
		t.Errorf("got %+v, %v, want the first document", report, err)
	}
}

// TestCallsDoNotShare checks that changing a result does not affect later calls.
func TestCallsDoNotShare(t *testing.T) {
	f := sample.Invoice()
	f.Lines[0].Name, f.Buyer.IDs[0].Value, f.Notes[0].Text = "x", "x", "x"
	every := sample.Every()
	for _, c := range every {
		c.Facts.Lines[0].Name = "x"
		if len(c.Facts.Advances) > 0 {
			c.Facts.Advances[0].Breakdown[0].ReasonCode = "x"
		}
	}
	for _, c := range append(sample.Every(), sample.Case{Name: "invoice", Facts: sample.Invoice()}) {
		if _, err := invoice.Compute(c.Facts); err != nil || c.Facts.Lines[0].Name == "x" {
			t.Errorf("%s: Compute = %v, first line %q, want an unchanged document", c.Name, err, c.Facts.Lines[0].Name)
		}
	}
}
