package ca_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"khatm/sample"
	"khatm/simulator/internal/ca"
	"khatm/witness"
)

func FuzzClear(f *testing.F) {
	a := newAuthority(f)
	document := standard(f)
	f.Add(document)
	f.Add(bare(document))
	f.Add(sealed(f, sample.Case{Facts: sample.Simplified()}))
	f.Add(bytes.ReplaceAll(bare(document), []byte("><"), []byte(">\n<")))
	f.Add([]byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`))
	at := time.Date(2026, 8, 17, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, document []byte) {
		before, err := witness.Verify(document, witness.Expect{})
		cleared, refused := a.Clear(document, at)
		if refused != nil {
			var unclearable *ca.Unclearable
			if !errors.As(refused, &unclearable) {
				t.Fatalf("Clear returned %v, want an Unclearable", refused)
			}
			return
		}
		if err != nil {
			t.Fatalf("Clear of a document that cannot be read succeeded, want an error: %v", err)
		}
		after, err := witness.Verify(cleared, witness.Expect{RequireStamp: true})
		if err != nil {
			t.Fatal(err)
		}
		if after.Hash != before.Hash {
			t.Fatalf("hash after clearing = %s, want %s", after.Hash, before.Hash)
		}
		if len(before.Findings) > 0 {
			return
		}
		for _, found := range after.Findings {
			switch found.ID {
			case "stamp-prefix", "qr-misplaced", "stamp-misplaced", "qr-order", "stamp-order", "id-repeated":
				// The stamp cannot fix prefixes missing on the root or elements
				// between the previous hash and the seller.
			default:
				t.Fatalf("cleared document has the finding %+v, want none", found)
			}
		}
	})
}

func BenchmarkClear(b *testing.B) {
	a := newAuthority(b)
	document := standard(b)
	report, err := witness.Verify(document, witness.Expect{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.Clear(document, noon); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("judged", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.ClearJudged(document, report, noon); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("witness", func(b *testing.B) {
		for b.Loop() {
			if _, err := witness.Verify(document, witness.Expect{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
