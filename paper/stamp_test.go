package paper_test

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"khatm/codes"
	"khatm/paper"
	"khatm/sample"
	"khatm/seal"
)

// recoded returns a sealed document with another QR code.
func recoded(t *testing.T, document *seal.Sealed, change func(raw []byte) []byte) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(document.QR)
	if err != nil {
		t.Fatal(err)
	}
	code := base64.StdEncoding.EncodeToString(change(raw))
	return bytes.Replace(document.XML, []byte(document.QR), []byte(code), 1)
}

// TestChangedAfterStamp checks that a sealed document that contradicts its QR code is
// marked and printed without the code.
func TestChangedAfterStamp(t *testing.T) {
	document := sealed(t, sample.Invoice())
	instead := func(pattern, with string) []byte {
		re := regexp.MustCompile(pattern)
		at := re.FindIndex(document.XML)
		if at == nil {
			t.Fatalf("the document does not match %s", pattern)
		}
		changed := re.ReplaceAll(document.XML[at[0]:at[1]], []byte(with))
		return bytes.Join([][]byte{document.XML[:at[0]], changed, document.XML[at[1]:]}, nil)
	}
	cases := []struct {
		name     string
		document []byte
		code     bool
	}{
		{"unchanged", document.XML, true},
		{"payable", instead(`(<cbc:PayableAmount[^>]*>)[^<]*`, "${1}9999.99"), false},
		{"payable, same number written differently", instead(`(<cbc:PayableAmount[^>]*>[^<]*)`, "${1}0"), true},
		{"no payable", instead(`(<cbc:PayableAmount[^>]*>)[^<]*`, "${1}"), false},
		{"VAT total", instead(`(<cac:TaxTotal><cbc:TaxAmount[^>]*>)[^<]*`, "${1}0.01"), false},
		{"seller's name", instead(`(<cbc:RegistrationName>)[^<]*`, "${1}Somebody else"), false},
		{"seller's VAT number", instead(`(<cbc:CompanyID>)[^<]*`, "${1}399999999900003"), false},
		{"date", instead(`(<cbc:IssueDate>)[^<]*`, "${1}2025-01-01"), false},
		{"time", instead(`(<cbc:IssueTime>)[^<]*`, "${1}01:02:03"), false},
		{"time with a zone", instead(`(<cbc:IssueTime>[^<]*)`, "${1}Z"), true},
		{"empty stamp", instead(`<ext:UBLExtensions>.*</ext:UBLExtensions>`, "<ext:UBLExtensions></ext:UBLExtensions>"), false},
		{"hollow stamp", instead(`<ext:UBLExtensions>.*</ext:UBLExtensions>`, "<ext:UBLExtensions><ext:UBLExtension/></ext:UBLExtensions>"), false},
		{"code without a hash", recoded(t, document, func(raw []byte) []byte {
			five, _, _ := bytes.Cut(raw, []byte{6, 44})
			return five
		}), false},
		{"invalid code", recoded(t, document, func([]byte) []byte { return []byte("not a code") }), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			said, err := paper.Said(c.document, paper.Options{Language: paper.English})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(said, "code: [true]"); got != c.code {
				t.Errorf("QR code: got %t, want %t", got, c.code)
			}
			mark := "\nmark: [" + codes.MustWord("mark_unsigned").EN + "]\n"
			if got := strings.Contains(said, mark); got == c.code {
				t.Errorf("marked as unsigned: got %t, want %t", got, !c.code)
			}
			draw(t, c.document, paper.Options{})
		})
	}
}

// TestTaxTotalsOnce checks that the two VAT totals of a document in riyals are printed
// once, even if they are written differently.
func TestTaxTotalsOnce(t *testing.T) {
	document := sealed(t, sample.Invoice()).XML
	alone := regexp.MustCompile(`(<cac:TaxTotal><cbc:TaxAmount[^>]*>[^<]*)(</cbc:TaxAmount></cac:TaxTotal>)`)
	if found := len(alone.FindAll(document, -1)); found != 1 {
		t.Fatalf("got %d VAT totals without a breakdown, want 1", found)
	}
	document = alone.ReplaceAll(document, []byte("${1}0${2}"))
	said, err := paper.Said(document, paper.Options{Language: paper.English})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(said, "total: [Total VAT]"); got != 1 {
		t.Errorf("the VAT total occurs %d times, want once:\n%s", got, said)
	}
}
