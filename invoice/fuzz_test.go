package invoice_test

import (
	"os"
	"testing"

	"khatm/invoice"
	"khatm/ubl"
)

// FuzzParse checks that the document of any accepted facts can be written and read
// again.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"full", "credit"} {
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"lines": [null, {}, []], "seller": 1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := invoice.Parse(data)
		if err != nil {
			return
		}
		inv, err := build(facts)
		if err != nil {
			return
		}
		canon, err := ubl.Write(inv)
		if err != nil {
			t.Fatalf("a computed document cannot be written: %v", err)
		}
		again, err := ubl.Read(canon.Bytes())
		if err != nil {
			t.Fatalf("a written document cannot be read: %v", err)
		}
		got, _ := invoice.FromUBL(again)
		if len(got.Lines) != len(facts.Lines) || len(got.Advances) != len(facts.Advances) {
			t.Errorf("wrote %d lines and %d advances, read %d and %d, want the same", len(facts.Lines), len(facts.Advances), len(got.Lines), len(got.Advances))
		}
	})
}

// FuzzFromUBL checks that FromUBL returns facts or problems for any document
// that can be read, and that facts accepted by Compute can be written.
func FuzzFromUBL(f *testing.F) {
	for _, name := range []string{"full", "credit"} {
		data, err := os.ReadFile("testdata/" + name + ".xml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		inv, err := ubl.Read(data)
		if err != nil {
			return
		}
		facts, err := invoice.FromUBL(inv)
		if err != nil {
			return
		}
		document, err := invoice.Compute(facts)
		if err != nil {
			return
		}
		if again, err := document.UBL(facts.Identity); err == nil {
			if _, err := ubl.Write(again); err != nil {
				t.Errorf("a document that was read and computed cannot be written: %v", err)
			}
		}
	})
}
