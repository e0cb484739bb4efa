package simulator_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// reason is a reason in a record of the journal.
type reason struct{ Kind, Code, Cause, Field, Fix string }

// lastReasons returns the reasons of the last record of the journal.
func (h *fixture) lastReasons() []reason {
	h.t.Helper()
	var last struct{ Reasons []reason }
	lines := bufio.NewScanner(bytes.NewReader(h.mustControl(http.MethodGet, "/journal", "")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		last.Reasons = nil
		if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
			h.t.Fatal(err)
		}
	}
	return last.Reasons
}

// published returns a certificate request of another program as clients send it.
func published(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".pem")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"csr": base64.StdEncoding.EncodeToString(text)}
}

// TestReasons checks that each refusal has a cause, a field and a fix in the
// header, the journal and the log, and that no secret is in them.
func TestReasons(t *testing.T) {
	t.Parallel()
	var out lines
	h := open(t, simulator.Config{Log: &out})
	d := h.onboard("simulation", "0100")
	portal := h.device("sandbox", "1100")
	post := func(at *device, path string, as csid, otp string, body any) reply {
		t.Helper()
		return at.must(http.MethodPost, path, as, otp, body)
	}
	doc := d.seal(sample.Simplified(), d.pcsid)
	other := h.device("simulation", "0100")
	other.unit.VATNumber = "399999999900003"
	again := h.device("simulation", "1100")
	post(again, "/compliance", csid{}, again.otp(), again.request()).into(t, &again.ccsid)
	encoded := d.pcsid
	encoded.Token = base64.StdEncoding.EncodeToString([]byte(encoded.Token))
	wrong := d.pcsid
	wrong.Secret = "c2VjcmV0LXNlY3JldA=="
	secret := []string{d.pcsid.Secret, wrong.Secret, d.pcsid.Token, encoded.Token, "654321"}
	for _, c := range []struct {
		name   string
		answer func() reply
		status int
		want   []string // parts of the header
	}{
		{"octet string", func() reply {
			return post(portal, "/compliance", csid{}, "123345", published(t, "fatoora-rs-octetstring-template"))
		}, 400, []string{"Invalid-CSR", "OCTET STRING", "field: extension 1.3.6.1.4.1.311.20.2", "fix: Write the template name"}},
		{"template of production", func() reply {
			return post(portal, "/compliance", csid{}, "123345", published(t, "talha7k-sandbox-ZATCA-template"))
		}, 400, []string{`the template is "ZATCA-Code-Signing", want "TSTZATCA-Code-Signing" for sandbox`}},
		{"other template of production", func() reply {
			return post(portal, "/compliance", csid{}, "123345", published(t, "fatoora-rs-live-fixture-ZATCA-template"))
		}, 400, []string{`the template is "ZATCA-Code-Signing"`}},
		{"request without PEM", func() reply { return post(portal, "/compliance", csid{}, "123345", map[string]string{"csr": "AAAA"}) }, 400, []string{"PEM", "field: csr"}},
		{"no request", func() reply { return post(portal, "/compliance", csid{}, "123345", map[string]string{}) }, 400, []string{"Missing-CSR", "field: csr"}},
		{"key twice", func() reply { return post(again, "/compliance", csid{}, again.otp(), again.request()) }, 400, []string{"the key already has a certificate", "field: public key"}},
		{"no password", func() reply { return post(portal, "/compliance", csid{}, "", portal.request()) }, 400, []string{"Missing-OTP", "field: OTP"}},
		{"unknown password", func() reply { return post(other, "/compliance", csid{}, "654321", other.request()) }, 400, []string{"Invalid-OTP", "not created here", "POST /otps"}},
		{"password of 123456", func() reply { return post(portal, "/compliance", csid{}, "123456", portal.request()) }, 400, []string{"Invalid-OTP", "123345"}},
		{"password of another taxpayer", func() reply { return post(other, "/compliance", csid{}, d.otp(), other.request()) }, 400, []string{"another VAT number than 399999999900003"}},
		{"body", func() reply { return post(other, "/compliance", csid{}, "654321", "x") }, 400, []string{"not a JSON object", "field: body"}},
		{"path with a secret", func() reply { return post(d, "/compliance/987654", csid{}, "987654", doc) }, 404, []string{"no operation has this path"}},
		{"path", func() reply { return post(d, "/nowhere/", d.pcsid, "", doc) }, 404, []string{"no operation has the path", "without a slash"}},
		{"method", func() reply { return d.must(http.MethodPut, "/compliance", csid{}, "", doc) }, 405, []string{"does not accept the method"}},
		{"no credentials", func() reply { return post(d, "/invoices/reporting/single", csid{}, "", doc) }, 401, []string{"no credentials", "field: Authorization"}},
		{"wrong secret", func() reply { return post(d, "/invoices/reporting/single", wrong, "", doc) }, 401, []string{"secret does not belong to the token"}},
		{"token encoded again", func() reply { return post(d, "/invoices/reporting/single", encoded, "", doc) }, 401, []string{"encoded in base64 once more"}},
		{"compliance certificate", func() reply { return post(d, "/invoices/reporting/single", d.ccsid, "", doc) }, 401, []string{"needs a production certificate"}},
		{"missing steps", func() reply {
			return post(again, "/production/csids", again.ccsid, "", map[string]string{"compliance_request_id": again.ccsid.RequestID.String()})
		}, 400, []string{"Missing-ComplianceSteps", "standard-debit-note-compliant"}},
		{"request id", func() reply {
			return post(again, "/production/csids", again.ccsid, "", map[string]string{"compliance_request_id": "7"})
		}, 400, []string{"Invalid-ComplianceRequestId", "field: compliance_request_id"}},
		{"hash", func() reply {
			changed := doc
			changed.Hash = "x"
			return post(d, "/invoices/reporting/single", d.pcsid, "", changed)
		}, 400, []string{"refused invalid-invoice-hash", `it is "x" and should be "`, "field: invoiceHash"}},
		{"wrong operation", func() reply { return post(d, "/invoices/clearance/single", d.pcsid, "", doc) }, 400, []string{"XML-INVOICE-ERROR", "/invoices/reporting/single"}},
		{"not base64", func() reply {
			return post(d, "/invoices/reporting/single", d.pcsid, "", document{doc.Hash, doc.UUID, "%"})
		}, 400, []string{"not base64", "field: invoice"}},
	} {
		r := c.answer()
		header := r.header.Get("X-Simulator-Reason")
		if r.status != c.status || !hasAll(header, c.want) {
			t.Errorf("%s: status %d, header %q, want %d and %q", c.name, r.status, header, c.status, c.want)
		}
		kept := h.lastReasons()
		if len(kept) == 0 || kept[0].Kind != "refused" || kept[0].Cause == "" || kept[0].Field == "" || kept[0].Fix == "" {
			t.Errorf("%s: reasons in the journal are %+v, want a cause, a field and a fix", c.name, kept)
		}
		if len(kept) > 0 && !strings.Contains(header, kept[0].Code+": ") {
			t.Errorf("%s: header %q and journal %+v have different codes", c.name, header, kept[0])
		}
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	all := out.String() + string(h.mustControl(http.MethodGet, "/journal", ""))
	if !strings.Contains(out.String(), "          refused Invalid-CSR: the template name is an OCTET STRING") {
		t.Errorf("the log has no line with the reason:\n%s", out.String())
	}
	for _, s := range secret {
		if strings.Contains(all, s) {
			t.Errorf("the log or the journal contains the secret %.20s", s)
		}
	}
}

func hasAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// A duplicate and clearance that is off are explained too.
func TestReasonsOfDuplicates(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	simplified, standard := d.seal(sample.Simplified(), d.pcsid), d.seal(sample.Invoice(), d.pcsid)
	for _, c := range []struct {
		doc    document
		path   string
		status int
		want   string
	}{
		{simplified, "/invoices/reporting/single", 200, ""},
		{simplified, "/invoices/reporting/single", 409, "refused Duplicate-Invoice: a document with this hash was accepted at 2027-02-01T09:00:00Z"},
		{standard, "/invoices/clearance/single", 200, ""},
		{standard, "/invoices/clearance/single", 208, "warning Duplicate-Invoice: a document with this hash was accepted"},
	} {
		r := d.must(http.MethodPost, c.path, d.pcsid, "", c.doc)
		header := r.header.Get("X-Simulator-Reason")
		if r.status != c.status || !strings.HasPrefix(header, c.want) || c.want == "" && header != "" {
			t.Errorf("%s: status %d, header %q, want %d and %q", c.path, r.status, header, c.status, c.want)
		}
	}
	h.mustControl(http.MethodPut, "/settings", `{"clearance":"off"}`)
	r := d.must(http.MethodPost, "/invoices/clearance/single", d.pcsid, "", standard)
	if header := r.header.Get("X-Simulator-Reason"); r.status != 303 || !strings.Contains(header, "clearance is off") {
		t.Errorf("status %d, header %q, want 303 and the cause", r.status, header)
	}
}

// Faults of the mood name themselves, also when they replace a valid answer.
func TestReasonsOfFaults(t *testing.T) {
	t.Parallel()
	var out lines
	h := open(t, simulator.Config{Log: &out})
	d := h.onboard("simulation", "0100")
	for _, fault := range []string{"server_error", "too_many", "unauthorised", "too_large", "empty_rejection", "html_body", "empty_body"} {
		h.mustControl(http.MethodPost, "/mood/force", `{"knob":"`+fault+`","times":1}`)
		r := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", d.seal(sample.Simplified(), d.pcsid))
		if header := r.header.Get("X-Simulator-Reason"); !hasAll(header, []string{"fault " + fault + ": the mood of the simulator", "khatm mood polite"}) {
			t.Errorf("%s: status %d, header %q, want the fault", fault, r.status, header)
		}
		if kept := h.lastReasons(); len(kept) != 1 || kept[0].Kind != "fault" || kept[0].Code != fault {
			t.Errorf("%s: reasons in the journal are %+v, want the fault", fault, kept)
		}
	}
	h.mustControl(http.MethodPost, "/mood/force", `{"knob":"drop_before","times":1}`)
	_, _ = d.send(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", d.seal(sample.Simplified(), d.pcsid))
	dropped := func() bool { kept := h.lastReasons(); return len(kept) == 1 && kept[0].Code == "drop_before" }
	eventually(t, "drop_before is in the journal", dropped) // the record is written after the connection is reset
}

// Opinions about form do not change the answer: it is 200 and has the same body
// as that of the usual form.
func TestOpinionsChangeNoAnswer(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	usual := d.seal(sample.Simplified(), d.pcsid)
	expected := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", usual)
	doc := d.seal(sample.Simplified(), d.pcsid)
	xml, err := base64.StdEncoding.DecodeString(doc.XML)
	if err != nil {
		t.Fatal(err)
	}
	const uri = "<ext:ExtensionURI>urn:oasis:names:specification:ubl:dsig:enveloped:xades</ext:ExtensionURI>"
	if !strings.Contains(string(xml), uri) {
		t.Fatalf("the document has no ExtensionURI: %s", xml)
	}
	doc.XML = base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(xml), uri, "", 1)))
	r := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", doc)
	if r.status != 200 || !bytes.Equal(r.body, expected.body) {
		t.Errorf("status %d, body %s, want %d and %s", r.status, r.body, expected.status, expected.body)
	}
	header := r.header.Get("X-Simulator-Reason")
	kept := h.lastReasons()
	if !strings.HasPrefix(header, "opinion stamp-incomplete: ") || len(kept) != 1 || kept[0].Kind != "opinion" {
		t.Errorf("header %q, journal %+v, want the opinion", header, kept)
	}
}

// The header is one line of printable ASCII and bounded, whatever the client
// sends.
func TestReasonHeaderIsSafe(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	doc.UUID = strings.Repeat("شركة\r\nX-Evil: 1\x1b", 500)
	doc.Hash = strings.Repeat("ن", 5000)
	r := d.must(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", doc)
	header := r.header.Get("X-Simulator-Reason")
	if len(header) == 0 || len(header) > 1000 || r.header.Get("X-Evil") != "" {
		t.Errorf("header of %d bytes, X-Evil %q, want 1 to 1000 bytes and no other header", len(header), r.header.Get("X-Evil"))
	}
	for _, c := range []byte(header) {
		if c < ' ' || c > '~' {
			t.Fatalf("header contains the byte %#x: %q", c, header)
		}
	}
}

// With Lax the developer portal accepts what its real tests of clients send, and
// notes it.
func TestLaxOnboarding(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{Lax: true})
	d := h.device("sandbox", "1100")
	for _, c := range []struct {
		name, otp, file string
		want            []string
	}{
		{"as documented", "123345", "php-ok-TSTZATCA", nil},
		{"octet string", "123345", "fatoora-rs-octetstring-template", []string{"OCTET STRING"}},
		{"template of production", "123345", "talha7k-sandbox-ZATCA-template", []string{`the template is "ZATCA-Code-Signing"`}},
		{"the same again", "123345", "talha7k-sandbox-ZATCA-template", []string{"ZATCA-Code-Signing", "the key already has a certificate"}},
		{"password", "123456", "fatoora-rs-live-fixture-ZATCA-template", []string{"password 123456", "ZATCA-Code-Signing"}},
	} {
		r := d.must(http.MethodPost, "/compliance", csid{}, c.otp, published(t, c.file))
		header := r.header.Get("X-Simulator-Reason")
		if r.status != 200 || !hasAll(header, c.want) || c.want == nil && header != "" {
			t.Errorf("%s: status %d, header %q, want 200 and %q: %s", c.name, r.status, header, c.want, r.body)
		}
		kept := h.lastReasons()
		if len(kept) != len(c.want) {
			t.Errorf("%s: reasons in the journal are %+v, want %d", c.name, kept, len(c.want))
		}
		for _, k := range kept {
			if k.Kind != "tolerated" || k.Field == "" || k.Fix == "" {
				t.Errorf("%s: reason %+v, want something tolerated with field and fix", c.name, k)
			}
		}
	}
	r := h.device("simulation", "1100").must(http.MethodPost, "/compliance", csid{}, "123456", published(t, "php-ok-TSTZATCA"))
	if r.status != 400 {
		t.Errorf("123456 in simulation: status %d, want 400", r.status)
	}
}
