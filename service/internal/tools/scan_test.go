package tools_test

import (
	"encoding/base64"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/qr"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/witness"
)

func TestInterface_4_7_ScanQRCode_FiveTags(t *testing.T) {
	h := openTools(t)
	got := h.Tool("scan-qr-code", servicetest.ScanBody(t, servicetest.Code(servicetest.FirstFive...))).Branded(t)
	servicetest.Same(t, "answer", got, servicetest.Record{"branding": servicetest.Branding, "tags": servicetest.Record{
		"seller_name": "شركة ختم التجريبية", "vat_registration_number": "310175397400003", "timestamp": "2026-11-15T09:15:30",
		"invoice_total_with_vat": "115.00", "vat_amount": "15.00",
	}})
}

// TestInterface_4_7_ScanQRCode_Stamped checks that a simplified invoice has nine tags
// with the values that the independent verifier reads.
func TestInterface_4_7_ScanQRCode_Stamped(t *testing.T) {
	h := openTools(t)
	device, err := sample.NewDevice(sample.Seeded(1), h.Clock.Now().In(invoice.Riyadh()))
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
	tags, _ := h.Tool("scan-qr-code", servicetest.ScanBody(t, sealed.QR)).Branded(t)["tags"].(servicetest.Record)
	servicetest.Equal(t, "tags", len(tags), 9)
	servicetest.Equal(t, "seller", servicetest.TextIn(tags, "seller_name"), sample.Seller().NameArabic)
	servicetest.Equal(t, "VAT number", servicetest.TextIn(tags, "vat_registration_number"), sample.Seller().VATNumber)
	servicetest.Equal(t, "hash, as its text", servicetest.TextIn(tags, "invoice_hash"), sealed.Hash)
	if got := servicetest.TextIn(tags, "invoice_hash_signature"); got == "" || !strings.Contains(string(sealed.XML), got) {
		t.Errorf("signature %q is not in the document", got)
	}
	key, err := base64.StdEncoding.DecodeString(servicetest.TextIn(tags, "egs_public_key"))
	if err != nil || len(key) < 64 {
		t.Errorf("egs_public_key has %d bytes, %v; want at least 64", len(key), err)
	}
	if signature, err := base64.StdEncoding.DecodeString(servicetest.TextIn(tags, "zatca_ca_signature_of_egs_csr")); err != nil || len(signature) < 64 {
		t.Errorf("signature of the certificate has %d bytes, %v; want at least 64", len(signature), err)
	}
}

// TestInterface_4_7_ScanQRCode_UnknownTag checks tags without a name, including
// the smallest and the largest, and empty values.
func TestInterface_4_7_ScanQRCode_UnknownTag(t *testing.T) {
	h := openTools(t)
	got := h.Tool("scan-qr-code", servicetest.ScanBody(t, servicetest.Code(servicetest.Tag(0, "nil"), servicetest.Tag(10, "\xff\xfe"), servicetest.Tag(255, ""), servicetest.Tag(1, "")))).Branded(t)
	servicetest.Same(t, "tags", got["tags"], servicetest.Record{"unknown_tag_0": "bmls", "unknown_tag_10": "//4=", "unknown_tag_255": "", "seller_name": ""})
}

func TestInterface_4_7_ScanQRCode_Refused(t *testing.T) {
	h := openTools(t)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "The code is empty."},
		{"white space only", " \n", "The code is empty."},
		{"not base64", "!!!notbase64!!!", "not base64"},
		{"URL form of base64", "_-_-", "URL form of base64"},
		{"no padding", "AQFh" + "AQ", "padding"},
		{"a line end inside", "AQFh\nAgFi", "white space"},
		{"a length that is too large", base64.StdEncoding.EncodeToString([]byte{1, 200, 'a'}), "cut off"},
		{"a tag without a length", base64.StdEncoding.EncodeToString([]byte{1}), "no length"},
		{"a tag twice", servicetest.Code(servicetest.Tag(1, "a"), servicetest.Tag(1, "b")), "Tag 1 occurs twice."},
		{"an unknown tag twice", servicetest.Code(servicetest.Tag(77, "a"), servicetest.Tag(77, "a")), "Tag 77 occurs twice."},
		{"a name that is not text", servicetest.Code(servicetest.Tag(1, "\xff")), "UTF-8"},
		{"a mebibyte", strings.Repeat("A", 1<<20), "at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := detail(h.Tool("scan-qr-code", servicetest.ScanBody(t, c.text)), t); !strings.Contains(got, c.want) {
				t.Errorf("detail = %q, want it to contain %q", got, c.want)
			}
		})
	}
	servicetest.Same(t, "missing field", h.Tool("scan-qr-code", `{}`).Problems(t), []string{"qr_base64: Field required"})
	servicetest.Same(t, "unknown field", h.Tool("scan-qr-code", `{"qr_base64":"AQFh","x":1}`).Problems(t), []string{"x: unknown field"})
	servicetest.Same(t, "wrong type", h.Tool("scan-qr-code", `{"qr_base64":1}`).Problems(t), []string{"qr_base64: must be a string"})
}

// TestX6_ScanIsLinear checks that a long code, and one of 24,000 tags, are each
// decoded or refused within a second of CPU time, which does not depend on what else
// the machine does.
func TestX6_ScanIsLinear(t *testing.T) {
	h := openTools(t)
	var fields []qr.Field
	for n := range 256 {
		fields = append(fields, servicetest.Tag(byte(n), strings.Repeat("x", 180)))
	}
	long := servicetest.ScanBody(t, servicetest.Code(fields...))
	began := cpuTime(t)
	h.Tool("scan-qr-code", long).Branded(t)
	if took := cpuTime(t) - began; took > time.Second {
		t.Errorf("decoding a code of %d bytes took %s, want at most a second", len(long), took)
	}
	twice := servicetest.ScanBody(t, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x4d\x00", 24_000))))
	began = cpuTime(t)
	detail(h.Tool("scan-qr-code", twice), t)
	if took := cpuTime(t) - began; took > time.Second {
		t.Errorf("decoding 24,000 tags took %s, want at most a second", took)
	}
}

// cpuTime returns the CPU time of this process.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
