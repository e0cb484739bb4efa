package invoice_test

import (
	"os"
	"testing"

	"khatm/invoice"
	"khatm/ubl"
)

// FuzzParse: whatever facts are taken, a document is written, and it is one
// that can be read back.
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
			t.Fatalf("computed and not written: %v", err)
		}
		again, err := ubl.Read(canon.Bytes())
		if err != nil {
			t.Fatalf("written and not read: %v", err)
		}
		got, _ := invoice.FromUBL(again)
		if len(got.Lines) != len(facts.Lines) || len(got.Advances) != len(facts.Advances) {
			t.Errorf("%d lines and %d advances came back as %d and %d", len(facts.Lines), len(facts.Advances), len(got.Lines), len(got.Advances))
		}
	})
}

// FuzzFromUBL: any document that can be read gives facts or problems, and facts
// that compute give a document again.
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
				t.Errorf("read, computed and not written: %v", err)
			}
		}
	})
}
