package simulator_test

import (
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"khatm/sample"
	"khatm/simulator"
	"khatm/witness"
)

// inUTF16 returns the same submission with the document in UTF-16.
func inUTF16(t *testing.T, d document) document {
	t.Helper()
	xml, err := base64.StdEncoding.DecodeString(d.XML)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(xml), "<Invoice")
	wide := binary.LittleEndian.AppendUint16(nil, 0xFEFF)
	for _, unit := range utf16.Encode([]rune("<Invoice" + body)) {
		wide = binary.LittleEndian.AppendUint16(wide, unit)
	}
	d.XML = base64.StdEncoding.EncodeToString(wide)
	return d
}

// TestEncodings checks that documents in UTF-16 are validated, and that the
// stamped copy of a cleared one is valid.
func TestEncodings(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	standard := inUTF16(t, d.seal(sample.Invoice(), d.pcsid))
	r, answer := d.submit(standard, false)
	if r.status != http.StatusOK || answer.Cleared == nil {
		t.Fatalf("clearance: status %d, want 200 with a document: %.500s", r.status, r.body)
	}
	stamped, err := base64.StdEncoding.DecodeString(*answer.Cleared)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(stamped, witness.Expect{})
	if err != nil || len(report.Findings) > 0 || report.Hash != standard.Hash {
		t.Errorf("stamped copy: %v, %+v, want a valid stamp of the same hash", err, report)
	}
	if r, _ := d.submit(inUTF16(t, d.seal(sample.Simplified(), d.pcsid)), true); r.status != http.StatusOK {
		t.Errorf("report: status %d, want 200: %s", r.status, r.body)
	}
	wrong := d.seal(sample.Simplified(), d.pcsid)
	wrong.UUID = newUUID()
	if r, _ := d.submit(inUTF16(t, wrong), true); r.status != http.StatusBadRequest {
		t.Errorf("report with another UUID: status %d, want 400: %s", r.status, r.body)
	}
}
