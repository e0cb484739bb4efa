package judge_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/simulator/internal/judge"
)

// tamper is one change to a valid document or its request, with the expected
// status and codes in any order. Codes of warnings end with a question mark.
type tamper struct {
	name   string
	change change
	strict string
	lax    string // expected in lax mode; "" if the same
}

// categories maps the codes that are not rules to their categories.
var categories = map[string]string{
	"XSD_ZATCA_INVALID":                    "XSD validation",
	"invalid-invoice-hash":                 "INVOICE_HASHING_ERRORS",
	"XML-INVOICE-ERROR":                    "INVOICETYPE_ERRORS",
	"INVOICE_UUID_VALIDATION":              "MISSING_UUID_IN_INVOICE",
	"GENERAL":                              "BUSINESS_RULES",
	"QRCODE_INVALID":                       "QRCODE_VALIDATION",
	"sellerName_QRCODE_INVALID":            "QRCODE_VALIDATION",
	"vatNumber_QRCODE_INVALID":             "QRCODE_VALIDATION",
	"invoiceTimeStamp_QRCODE_INVALID":      "QRCODE_VALIDATION",
	"invoiceTotal_QRCODE_INVALID":          "QRCODE_VALIDATION",
	"vatTotal_QRCODE_INVALID":              "QRCODE_VALIDATION",
	"invoiceHash_QRCODE_INVALID":           "QRCODE_VALIDATION",
	"signature_QRCODE_INVALID":             "QRCODE_VALIDATION",
	"publicKey_QRCODE_INVALID":             "QRCODE_VALIDATION",
	"CERTIFICATE_SIGNATURE_QRCODE_INVALID": "QRCODE_VALIDATION",
	"signed-properties-hashing":            "CERTIFICATE_ERRORS",
	"certificate-hashing":                  "CERTIFICATE_ERRORS",
	"invoice-hashing":                      "CERTIFICATE_ERRORS",
	"invalid-certificate":                  "CERTIFICATE_ERRORS",
	"invalid-signing-certificate":          "CERTIFICATE_ERRORS",
	"certificate-permissions":              "CERTIFICATE_ERRORS",
	"X509IssuerName":                       "SIGNATURE_ERROR",
	"X509SerialNumber":                     "SIGNATURE_ERROR",
	"invalid-signature":                    "SIGNATURE_ERROR",
	"signing-time-outside-certificate":     "CERTIFICATE_ERRORS",
}

// categoryOf returns the category that a code must have.
func categoryOf(code string) string {
	if category, known := categories[code]; known {
		return category
	}
	if strings.Contains(code, "KSA") || strings.Contains(code, "CUSTOM") {
		return "KSA"
	}
	return "EN_16931"
}

func TestTamperMatrix(t *testing.T) {
	w := newFixture(t)
	sets := []struct {
		name     string
		document []byte
		tampers  []tamper
	}{
		{"request of a simplified document", w.simplified, tampersOfRequest(w)},
		{"content of a simplified document", w.simplified, tampersOfContent()},
		{"schema of a simplified document", w.simplified, tampersOfSchema()},
		{"stamp of a simplified document", w.simplified, tampersOfStamp(w)},
		{"QR code of a simplified document", w.simplified, tampersOfCode(w)},
		{"standard document", w.standard, tampersOfStandard(w)},
	}
	count := 0
	for _, set := range sets {
		count += len(set.tampers)
		t.Run(set.name, func(t *testing.T) {
			for _, c := range set.tampers {
				t.Run(c.name, func(t *testing.T) { tamperWith(t, w, set.document, c) })
			}
		})
	}
	if count < 60 {
		t.Errorf("the matrix has %d changes, want at least 60", count)
	}
	t.Logf("%d changes", count)
}

func tamperWith(t *testing.T, w *fixture, document []byte, c tamper) {
	w.t = t
	s := w.submission(document)
	for _, j := range []judge.Judge{{}, {Lax: true}} {
		if v := j.Judge(s, later); v.Status() != "PASS" {
			t.Fatalf("original document: %s, want PASS", codesOf(v))
		}
	}
	c.change(w, &s)
	lax := c.lax
	if lax == "" {
		lax = c.strict
	}
	expect(t, "strict", judge.Judge{}.Judge(s, later), c.strict)
	expect(t, "lax", judge.Judge{Lax: true}.Judge(s, later), lax)
}

func expect(t *testing.T, manner string, v judge.Verdict, want string) {
	t.Helper()
	if got := sorted(codesOf(v)); got != sorted(want) {
		t.Errorf("%s: got %s\nwant %s", manner, got, sorted(want))
	}
	for _, m := range slices.Concat(v.Errors, v.Warnings) {
		if m.Category != categoryOf(m.Code) {
			t.Errorf("%s: %s has category %s, want %s", manner, m.Code, m.Category, categoryOf(m.Code))
		}
	}
}

// sorted returns the status followed by the sorted codes.
func sorted(codes string) string {
	words := strings.Fields(codes)
	slices.Sort(words[1:])
	return strings.Join(words, " ")
}

func TestMessageOrder(t *testing.T) {
	w := newFixture(t)
	s := w.submission(w.simplified)
	all(text("<cbc:UUID>1<", "<cbc:UUID>1a<"), without("cbc:DocumentCurrencyCode"), value("cbc:PayableAmount", "143.00"),
		value("ds:X509IssuerName", "CN=x"))(w, &s)
	s.Endpoint, s.UUID, s.VATNumber = judge.Clearance, "", "399999999900003"
	want := "ERROR XML-INVOICE-ERROR INVOICE_UUID_VALIDATION invalid-invoice-hash BR-05 BR-KSA-CL-02 BR-KSA-34 " +
		"invoiceTotal_QRCODE_INVALID invoiceHash_QRCODE_INVALID " +
		"invoice-hashing signed-properties-hashing X509IssuerName invalid-signature certificate-permissions BR-CO-16?"
	for range 3 {
		if got := codesOf(judge.Judge{}.Judge(s, later)); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

func TestTimeOfJudgement(t *testing.T) {
	w := newFixture(t)
	cases := []struct {
		name     string
		document []byte
		now      time.Time
		want     string
	}{
		{"a second before the issue", w.simplified, opening.Add(-time.Second), "PASS"},
		{"24 hours after the issue", w.simplified, opening.Add(24 * time.Hour), "PASS"},
		{"a second more", w.simplified, opening.Add(24*time.Hour + time.Second), "WARNING BR-KSA-98?"},
		{"a month later", w.simplified, opening.AddDate(0, 1, 0), "WARNING BR-KSA-98?"},
		{"the day before the issue", w.simplified, opening.AddDate(0, 0, -1), "ERROR BR-KSA-04"},
		{"a standard document a month later", w.standard, opening.AddDate(0, 1, 0), "PASS"},
		{"a standard document the day before", w.standard, opening.AddDate(0, 0, -1), "ERROR BR-KSA-04"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := judge.Judge{}.Judge(w.submission(c.document), c.now)
			expect(t, "strict", v, c.want)
			if !v.IssuedAt.Truncate(time.Minute).Equal(opening) {
				t.Errorf("issued at %s, want %s", v.IssuedAt, opening)
			}
		})
	}
}
