package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"

	"khatm/witness"
)

// The hash of a document does not depend on its encoding.
func TestHashOfUTF16(t *testing.T) {
	document := []byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><Note>فاتورة</Note></Invoice>`)
	want, err := witness.Hash(document)
	if err != nil {
		t.Fatal(err)
	}
	wide := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode([]rune(string(document))) {
		wide = binary.BigEndian.AppendUint16(wide, unit)
	}
	name := filepath.Join(t.TempDir(), "wide.xml")
	if err := os.WriteFile(name, wide, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := hashOf(name); err != nil || got != want {
		t.Errorf("hash = %s, %v, want %s", got, err, want)
	}
}
