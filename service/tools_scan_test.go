package service_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/qr"
	"khatm/sample"
	"khatm/witness"
)

// code is the text of a QR code with these fields, written by hand.
func code(fields ...qr.Field) string {
	var tlv []byte
	for _, f := range fields {
		tlv = append(append(tlv, f.Tag, byte(len(f.Value))), f.Value...)
	}
	return base64.StdEncoding.EncodeToString(tlv)
}

func tag(n byte, value string) qr.Field { return qr.Field{Tag: n, Value: []byte(value)} }

// firstFive is a code as it was before documents were stamped.
var firstFive = []qr.Field{
	tag(1, "شركة ختم التجريبية"), tag(2, "310175397400003"), tag(3, "2026-11-15T09:15:30"), tag(4, "115.00"), tag(5, "15.00"),
}

func scanBody(t testing.TB, text string) string {
	t.Helper()
	return asJSON(t, record{"qr_base64": text})
}

func TestInterface_4_7_ScanQRCode_FiveTags(t *testing.T) {
	h := openTools(t)
	got := h.tool("scan-qr-code", scanBody(t, code(firstFive...))).branded(t)
	same(t, "answer", got, record{"branding": branding, "tags": record{
		"seller_name": "شركة ختم التجريبية", "vat_registration_number": "310175397400003", "timestamp": "2026-11-15T09:15:30",
		"invoice_total_with_vat": "115.00", "vat_amount": "15.00",
	}})
}

// TestInterface_4_7_ScanQRCode_Stamped: a simplified invoice gives nine tags. The
// verifier, which reads the code with a reader of its own, says which.
func TestInterface_4_7_ScanQRCode_Stamped(t *testing.T) {
	h := openTools(t)
	device, err := sample.NewDevice(sample.Seeded(1), h.clock.Now().In(invoice.Riyadh()))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := device.Seal(sample.Simplified())
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(sealed.XML, witness.Expect{})
	if err != nil || len(report.Findings) > 0 {
		t.Fatal(report, err)
	}
	tags, _ := h.tool("scan-qr-code", scanBody(t, sealed.QR)).branded(t)["tags"].(record)
	equal(t, "tags", len(tags), 9)
	equal(t, "seller", textIn(tags, "seller_name"), sample.Seller().NameArabic)
	equal(t, "VAT number", textIn(tags, "vat_registration_number"), sample.Seller().VATNumber)
	equal(t, "hash, as its text", textIn(tags, "invoice_hash"), sealed.Hash)
	if got := textIn(tags, "invoice_hash_signature"); got == "" || !strings.Contains(string(sealed.XML), got) {
		t.Errorf("the signature %q does not stand in the document", got)
	}
	key, err := base64.StdEncoding.DecodeString(textIn(tags, "egs_public_key"))
	if err != nil || len(key) < 64 {
		t.Errorf("public key of %d bytes, %v", len(key), err)
	}
	if signature, err := base64.StdEncoding.DecodeString(textIn(tags, "zatca_ca_signature_of_egs_csr")); err != nil || len(signature) < 64 {
		t.Errorf("signature of the certificate of %d bytes, %v", len(signature), err)
	}
}

// TestInterface_4_7_ScanQRCode_UnknownTag: any number that has no name, those at
// the ends too, and values of no length.
func TestInterface_4_7_ScanQRCode_UnknownTag(t *testing.T) {
	h := openTools(t)
	got := h.tool("scan-qr-code", scanBody(t, code(tag(0, "nil"), tag(10, "\xff\xfe"), tag(255, ""), tag(1, "")))).branded(t)
	same(t, "tags", got["tags"], record{"unknown_tag_0": "bmls", "unknown_tag_10": "//4=", "unknown_tag_255": "", "seller_name": ""})
}

func TestInterface_4_7_ScanQRCode_Refused(t *testing.T) {
	h := openTools(t)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "The code is empty."},
		{"white space alone", " \n", "The code is empty."},
		{"no base64", "!!!notbase64!!!", "not base64"},
		{"base64 of URLs", "_-_-", "URL form of base64"},
		{"no padding", "AQFh" + "AQ", "padding"},
		{"a line end inside", "AQFh\nAgFi", "white space"},
		{"a length that lies", base64.StdEncoding.EncodeToString([]byte{1, 200, 'a'}), "cut off"},
		{"a tag without a length", base64.StdEncoding.EncodeToString([]byte{1}), "no length"},
		{"a tag twice", code(tag(1, "a"), tag(1, "b")), "Tag 1 occurs twice."},
		{"an unknown tag twice", code(tag(77, "a"), tag(77, "a")), "Tag 77 occurs twice."},
		{"a name that is no text", code(tag(1, "\xff")), "UTF-8"},
		{"a mebibyte", strings.Repeat("A", 1<<20), "at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := h.tool("scan-qr-code", scanBody(t, c.text)).detail(t); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
	same(t, "missing", h.tool("scan-qr-code", `{}`).problems(t), []string{"qr_base64: Field required"})
	same(t, "unknown", h.tool("scan-qr-code", `{"qr_base64":"AQFh","x":1}`).problems(t), []string{"x: Extra inputs are not permitted"})
	same(t, "no text", h.tool("scan-qr-code", `{"qr_base64":1}`).problems(t), []string{"qr_base64: Input should be a valid string"})
}

// TestX6_ScanIsLinear: a code of as many tags as can be read takes no longer for
// each than a short one, by far: quadratic work would be a thousand times more.
func TestX6_ScanIsLinear(t *testing.T) {
	h := openTools(t)
	var fields []qr.Field
	for n := range 256 {
		fields = append(fields, tag(byte(n), strings.Repeat("x", 180)))
	}
	long := scanBody(t, code(fields...))
	began := time.Now()
	h.tool("scan-qr-code", long).branded(t)
	if took := time.Since(began); took > time.Second {
		t.Errorf("a code of %d bytes took %s", len(long), took)
	}
	twice := scanBody(t, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x4d\x00", 24_000))))
	began = time.Now()
	h.tool("scan-qr-code", twice).detail(t)
	if took := time.Since(began); took > time.Second {
		t.Errorf("24,000 tags took %s", took)
	}
}
