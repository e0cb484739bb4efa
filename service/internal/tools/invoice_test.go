package tools_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/service/internal/tools"
	"khatm/ubl"
)

var identity = invoice.Identity{
	Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:15:30",
}

// TestInvoiceComesBack converts every sample document to the schema and back, once
// as calculated and once as parsed.
func TestInvoiceComesBack(t *testing.T) {
	cases := testtool.Spread(testtool.Some(sample.Every(), 2), 0, 4)
	for seed := range uint64(testtool.Scale(25, 100, 1_000)) {
		cases = append(cases, sample.Case{Name: fmt.Sprintf("random, seed %d", seed), Facts: sample.Random(rand.New(rand.NewPCG(seed, 3)))})
	}
	for _, c := range cases {
		d, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		inv, err := d.UBL(identity)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want := written(t, inv)
		if got := again(t, tools.InvoiceOf(d, identity)); !bytes.Equal(got, want) {
			t.Errorf("sample %s, as calculated: XML =\n%s\nwant\n%s", c.Name, got, want)
		}
		read, err := tools.InvoiceFrom(inv)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if got := again(t, read); !bytes.Equal(got, want) {
			t.Errorf("sample %s, as parsed: XML =\n%s\nwant\n%s", c.Name, got, want)
		}
	}
}

func again(t *testing.T, in tools.Invoice) []byte {
	t.Helper()
	_, laid := tools.Laid(in, uuid.New)
	return written(t, laid)
}

func written(t *testing.T, inv *ubl.Invoice) []byte {
	t.Helper()
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	return canon.Bytes()
}
