package witness_test

import (
	"bytes"
	"testing"

	"khatm/witness"
)

// The certificate of the tests belongs to 399999999900003 and is valid from
// 2026-01-01 to 2031-01-01, both at midnight UTC.
func TestCertificateClaims(t *testing.T) {
	other := bytes.Replace(testCertificate(t), []byte("399999999900003"), []byte("399999999900013"), 1)
	unnamed := bytes.Replace(testCertificate(t), []byte("399999999900003"), []byte("               "), 1)
	const vat, period = "certificate-vat-number", "certificate-period"
	for _, c := range []struct {
		name        string
		certificate []byte
		signed      string
		simplified  string // findings on a simplified document
		standard    string // findings on a standard document
	}{
		{"certificate of another seller", other, "", vat, ""},
		{"certificate without a seller", unnamed, "", vat, ""},
		{"first second in Riyadh", nil, "2026-01-01T03:00:00", "", ""},
		{"first second if read as UTC", nil, "2026-01-01T00:00:00", "", ""},
		{"a second before, even if read as UTC", nil, "2025-12-31T23:59:59", period, ""},
		{"first second in UTC", nil, "2026-01-01T00:00:00Z", "", ""},
		{"a second before, in UTC", nil, "2025-12-31T23:59:59Z", period, ""},
		{"last second in Riyadh", nil, "2031-01-01T03:00:00", "", ""},
		{"a second after, in Riyadh", nil, "2031-01-01T03:00:01", period, ""},
		{"last second in UTC", nil, "2031-01-01T00:00:00Z", "", ""},
		{"a second after, in UTC", nil, "2031-01-01T00:00:01Z", period, ""},
		{"another seller, another time", other, "2025-01-01T00:00:00", vat + " " + period, ""},
		{"day that does not exist", nil, "2026-02-30T10:00:00", "signing-time", "signing-time"},
		{"hour 24", nil, "2026-02-03T24:00:00", "signing-time", "signing-time"},
		{"fractions of a second", nil, "2026-02-03T10:00:00.5", "signing-time", "signing-time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := layout{certificate: c.certificate, signed: c.signed}
			if got := ids(verify(t, stamped(t, l), witness.Expect{})); got != c.simplified {
				t.Errorf("findings on a simplified document: %q, want %q", got, c.simplified)
			}
			l.standard = true
			if got := ids(verify(t, stamped(t, l), witness.Expect{})); got != c.standard {
				t.Errorf("findings on a standard document: %q, want %q", got, c.standard)
			}
		})
	}
}
