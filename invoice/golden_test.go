package invoice_test

import (
	"flag"
	"os"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/ubl"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the canonical XML of a document that has every element, and of a
// credit note, with the golden files. Their amounts were computed by hand, as in
// TestByHand.
func TestGolden(t *testing.T) {
	for _, name := range []string{"full", "credit"} {
		t.Run(name, func(t *testing.T) {
			facts := parse(t, read(t, name))
			document, err := invoice.Compute(facts)
			if err != nil {
				t.Fatal(err)
			}
			inv, err := document.UBL(facts.Identity)
			if err != nil {
				t.Fatal(err)
			}
			canon, err := ubl.Write(inv)
			if err != nil {
				t.Fatal(err)
			}
			file := "testdata/" + name + ".xml"
			testtool.Golden(t, *update, file, canon.Bytes())
			for _, fault := range arithmeticFaults(inv) {
				t.Error(fault)
			}
			if err := roundTrip(inv); err != nil {
				t.Error(err)
			}
		})
	}
}

// read returns the JSON of a golden document.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t *testing.T, data []byte) invoice.Facts {
	t.Helper()
	facts, err := invoice.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return facts
}
