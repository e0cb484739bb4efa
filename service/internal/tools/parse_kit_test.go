package tools_test

import (
	"testing"

	"khatm/invoice"
	"khatm/seal"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

// warned returns the warning of a parse, or "".
func warned(got servicetest.Record) string {
	text, _ := got["warning"].(string)
	return text
}

// bareOf returns the document of facts without stamp and QR code.
func bareOf(t testing.TB, f invoice.Facts) string {
	t.Helper()
	d, err := invoice.Compute(f)
	if err != nil {
		t.Fatal(err)
	}
	id := invoice.Identity{
		Number: "INV-2026-000001", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-15", IssueTime: "09:15:30",
		Counter: 1, PreviousHash: seal.GenesisHash,
	}
	laid, err := d.UBL(id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ubl.Write(laid)
	if err != nil {
		t.Fatal(err)
	}
	return string(c.Head) + string(c.Body) + string(c.Tail)
}

// imagePDF returns a PDF with only an empty page.
func imagePDF() string {
	return servicetest.WithFile("null").With(1, "<</Type/Catalog/Pages 2 0 R>>").String()
}

func withTrailer(m *servicetest.PDFObjects, entries string) *servicetest.PDFObjects {
	m.Trailer = entries
	return m
}
