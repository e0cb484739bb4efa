package witness_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"khatm/witness"
)

// certDigestText is the certificate digest of the test stamp.
var certDigestText = hexDigestOf(base64.StdEncoding.EncodeToString(testCertificate(&testing.T{})))

// firstDigits returns the beginning of a digest, which the test replaces.
func firstDigits(text string) string { return text[:4] }

// extensionsOf returns the whole stamp of the test document.
func extensionsOf() string {
	document := stamped(&testing.T{}, layout{})
	from := strings.Index(document, "<ext:UBLExtensions>")
	to := strings.Index(document, "</ext:UBLExtensions>") + len("</ext:UBLExtensions>")
	return document[from:to]
}

// tampersOfCode returns changes of the QR code alone, tag by tag.
func tampersOfCode(t *testing.T) []tamper {
	report := verify(t, stamped(t, layout{}), witness.Expect{})
	good := make([]string, len(report.QR))
	for i, f := range report.QR {
		good[i] = string(f.Value)
	}
	whole := tlv(good...)
	with := func(tag int, value string) string {
		changed := append([]string(nil), good...)
		changed[tag-1] = value
		return tlv(changed...)
	}
	raw, err := base64.StdEncoding.DecodeString(whole)
	if err != nil {
		t.Fatal(err)
	}
	bytes := func(changed ...byte) string { return base64.StdEncoding.EncodeToString(changed) }
	long := append([]byte{1, 128}, make([]byte, 128)...)
	return []tamper{
		{"tag 1", whole, with(1, "شركة"), "qr-seller-name", qrPath},
		{"tag 2", whole, with(2, "399999999900004"), "qr-vat-number", qrPath},
		{"tag 3", whole, with(3, "2026-02-03T14:05:06Z"), "qr-time", qrPath},
		{"tag 4", whole, with(4, "115.00"), "qr-total", qrPath},
		{"tag 5", whole, with(5, "15.0"), "qr-vat-total", qrPath},
		{"tag 6", whole, with(6, "gT6PPZh/aWmUhCvjHRIt+2fSSzEcYhw0PQ+GqeN/n7o="), "qr-hash", qrPath},
		{"tag 7", whole, with(7, "MEUC"), "qr-signature", qrPath},
		{"tag 8", whole, with(8, string(spki(issuerKey))), "qr-public-key", qrPath},
		{"tag 8 as a bare point", whole, with(8, good[7][23:]), "qr-public-key", qrPath},
		{"tag 9", whole, with(9, good[8][:len(good[8])-1]), "qr-certificate-signature", qrPath},
		{"tag 9 gone", whole, tlv(good[:8]...), "qr-certificate-signature", qrPath},
		{"tags 6 to 9 gone", whole, tlv(good[:5]...), "qr-hash qr-signature qr-public-key qr-certificate-signature", qrPath},
		{"a tag 10", whole, tlv(append(good[:9:9], "x")...), "qr-format", qrPath},
		{"a tag 0", whole, bytes(append([]byte{0, 0}, raw...)...), "qr-format", qrPath},
		{"tag 1 twice", whole, bytes(append([]byte{1, 0}, raw...)...), "qr-format qr-seller-name", qrPath},
		{"one byte more", whole, bytes(append(raw[:len(raw):len(raw)], 10)...), "qr-format", qrPath},
		{"one byte less", whole, bytes(raw[:len(raw)-1]...), "qr-format", qrPath},
		{"a long length", whole, bytes(long...), "qr-format", qrPath},
		{"too many characters", whole, whole + strings.Repeat("AAAA", 250), "qr-format qr-format", qrPath},
		{"not base64", whole, "*" + whole[1:], "qr-format", qrPath},
		{"base64 with a blank", whole, whole + " ", "qr-format", qrPath},
		{"base64 with a line end", whole, whole[:40] + "\n" + whole[40:], "qr-format", qrPath},
		{"base64 with stray bits", whole, strayBits(whole), "qr-format", qrPath},
	}
}

// strayBits returns another encoding of the same bytes, or an invalid one if the
// length leaves no unused bits.
func strayBits(text string) string {
	body := strings.TrimRight(text, "=")
	if body == text {
		return text + "="
	}
	return body[:len(body)-1] + string(body[len(body)-1]+1) + text[len(body):]
}
