package simulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/sample"
	"khatm/simulator"
)

// Bodies used more than once.
const (
	valid        = `{"type":"INFO","code":"XSD_ZATCA_VALID","category":"XSD validation","message":"Complied with UBL 2.1 standards in line with ZATCA specifications","status":"PASS"}`
	passing      = `{"validationResults":{"infoMessages":[` + valid + `],"warningMessages":[],"errorMessages":[],"status":"PASS"},`
	uuidError    = `{"type":"ERROR","code":"INVOICE_UUID_VALIDATION","category":"MISSING_UUID_IN_INVOICE","message":"UUID ERROR","status":"ERROR"}`
	failing      = `{"validationResults":{"infoMessages":[` + valid + `],"warningMessages":[],"errorMessages":[` + uuidError + `],"status":"ERROR"},`
	unauthorized = `{"timestamp":1801472400000,"status":401,"error":"Unauthorized","message":""}`
	issuedShape  = `^\{"requestID":[0-9]{13},"tokenType":"http://docs\.oasis-open\.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1\.0#X509v3","dispositionMessage":"ISSUED","binarySecurityToken":"[A-Za-z0-9+/=]+","secret":"[A-Za-z0-9+/]{43}=","errors":null\}$`
	noCSR        = `{"errorCode":"400","errorCategory":"Invalid-CSR","errorMessage":"The provided Certificate Signing Request (CSR) is invalid."}`
	badRequest   = `{"code":"Invalid-Request","message":"System failed to process your request"}`
	noVersion    = `This Version is not supported or not provided in the header.`
)

// shape is a request with its expected response, byte for byte. If want begins
// with ^, it is a regular expression.
type shape struct {
	name   string
	do     func(*stage) reply
	status int
	want   string
}

// stage is a simulator with devices in different states.
type stage struct {
	*fixture
	fresh    *device // has no certificate
	checked  *device // has a compliance certificate but passed no step
	complete *device // fully onboarded
	portal   *device // fully onboarded on the developer portal
}

func (s *stage) post(path string, as csid, body any) reply {
	s.t.Helper()
	return s.complete.must(http.MethodPost, path, as, "", body)
}

func (s *stage) facts(kind string) document {
	f := sample.Invoice()
	if kind == "simplified" {
		f = sample.Simplified()
	}
	return s.complete.seal(f, s.complete.pcsid)
}

func (s *stage) spoiled(kind string) document {
	d := s.facts(kind)
	d.UUID = ""
	return d
}

func shapes() []shape {
	clearance, reporting := "/invoices/clearance/single", "/invoices/reporting/single"
	return []shape{
		{"compliance: issued", func(s *stage) reply {
			return s.fresh.must(http.MethodPost, "/compliance", csid{}, s.fresh.otp(), s.fresh.request())
		}, 200, issuedShape},
		{"compliance: no password", func(s *stage) reply {
			return s.fresh.must(http.MethodPost, "/compliance", csid{}, "", s.fresh.request())
		}, 400, `{"errors":[{"code":"Missing-OTP","message":"OTP is required field"}]}`},
		{"compliance: wrong password", func(s *stage) reply {
			return s.device("simulation", "1100").onward("/compliance", "999999")
		}, 400, `{"errors":[{"code":"Invalid-OTP","message":"The provided OTP is invalid"}]}`},
		{"compliance: no request", func(s *stage) reply {
			return s.fresh.must(http.MethodPost, "/compliance", csid{}, s.fresh.otp(), map[string]string{})
		}, 400, `{"errors":[{"code":"Missing-CSR","message":"CSR is required field"}]}`},
		{"compliance: bad request", func(s *stage) reply {
			return s.fresh.must(http.MethodPost, "/compliance", csid{}, s.fresh.otp(), map[string]string{"csr": "AAAA"})
		}, 400, noCSR},
		{"compliance: another environment's template", func(s *stage) reply {
			return s.fresh.must(http.MethodPost, "/compliance", csid{}, s.fresh.otp(), s.portal.request())
		}, 400, noCSR},
		{"compliance: not a JSON object", func(s *stage) reply {
			return s.fresh.must(http.MethodPost, "/compliance", csid{}, s.fresh.otp(), "csr")
		}, 400, badRequest},
		{"check: standard", func(s *stage) reply {
			return s.post("/compliance/invoices", s.checked.ccsid, s.checked.seal(sample.Invoice(), s.checked.ccsid))
		}, 200, passing + `"reportingStatus":null,"clearanceStatus":"CLEARED","qrSellertStatus":null,"qrBuyertStatus":null}`},
		{"check: simplified", func(s *stage) reply {
			return s.post("/compliance/invoices", s.checked.ccsid, s.checked.seal(sample.Simplified(), s.checked.ccsid))
		}, 200, passing + `"reportingStatus":"REPORTED","clearanceStatus":null,"qrSellertStatus":null,"qrBuyertStatus":null}`},
		{"check: refused", func(s *stage) reply {
			d := s.checked.seal(sample.Simplified(), s.checked.ccsid)
			d.UUID = ""
			return s.post("/compliance/invoices", s.checked.ccsid, d)
		}, 400, failing + `"reportingStatus":"NOT_REPORTED","clearanceStatus":null,"qrSellertStatus":null,"qrBuyertStatus":null}`},
		{"check: production certificate", func(s *stage) reply {
			return s.post("/compliance/invoices", s.complete.pcsid, s.facts("simplified"))
		}, 401, unauthorized},
		{"production: steps are missing", func(s *stage) reply {
			return s.post("/production/csids", s.checked.ccsid, map[string]string{"compliance_request_id": s.checked.ccsid.RequestID.String()})
		}, 400, `{"code":"Missing-ComplianceSteps","message":"The compliance certificate is not done with the following compliance steps yet [standard-credit-note-compliant,standard-debit-note-compliant,simplified-credit-note-compliant,simplified-debit-note-compliant]"}`},
		{"production: steps are missing on the strict developer portal", func(s *stage) reply {
			s.mustControl(http.MethodPut, "/settings", `{"sandbox":"strict"}`)
			defer s.mustControl(http.MethodPut, "/settings", `{"sandbox":"open"}`)
			d := s.device("sandbox", "1100")
			d.comply()
			return d.must(http.MethodPost, "/production/csids", d.ccsid, "", map[string]string{"compliance_request_id": d.ccsid.RequestID.String()})
		}, 400, `{"errors":[{"code":"Missing-ComplianceSteps","message":"Compliance steps for this CSID are not yet complete"}]}`},
		{"production: no steps on the developer portal, with its constant request ID", func(s *stage) reply {
			d := s.device("sandbox", "1100")
			d.comply()
			return d.must(http.MethodPost, "/production/csids", d.ccsid, "", map[string]string{"compliance_request_id": "1234567890123"})
		}, 200, issuedShape},
		{"production: another request ID", func(s *stage) reply {
			return s.post("/production/csids", s.complete.ccsid, map[string]string{"compliance_request_id": "1"})
		}, 400, `{"errors":[{"code":"Invalid-ComplianceRequestId","message":"The provided compliance request id is invalid"}]}`},
		{"production: request ID as a JSON number", func(s *stage) reply {
			return s.post("/production/csids", s.complete.ccsid, map[string]json.Number{"compliance_request_id": s.complete.ccsid.RequestID})
		}, 200, issuedShape},
		{"clearance: cleared", func(s *stage) reply { return s.post(clearance, s.complete.pcsid, s.facts("standard")) },
			200, `^` + regexp.QuoteMeta(passing) + `"clearanceStatus":"CLEARED","clearedInvoice":"[A-Za-z0-9+/=]+"\}$`},
		{"clearance: refused", func(s *stage) reply { return s.post(clearance, s.complete.pcsid, s.spoiled("standard")) },
			400, failing + `"clearanceStatus":"NOT_CLEARED","clearedInvoice":null}`},
		{"clearance: simplified", func(s *stage) reply { return s.post(clearance, s.complete.pcsid, s.facts("simplified")) },
			400, `^.*"code":"XML-INVOICE-ERROR","category":"INVOICETYPE_ERRORS","message":"[^"]* is not a Standard TAX document".*"clearanceStatus":"NOT_CLEARED","clearedInvoice":null\}$`},
		{"clearance: switched off", func(s *stage) reply {
			s.mustControl(http.MethodPut, "/settings", `{"clearance":"off"}`)
			defer s.mustControl(http.MethodPut, "/settings", `{"clearance":"on"}`)
			return s.post(clearance, s.complete.pcsid, s.facts("standard"))
		}, 303, `{"message":"Clearance is deactiviated. Please use the /invoices/reporting/single endpoint instead."}`},
		{"reporting: reported", func(s *stage) reply { return s.post(reporting, s.complete.pcsid, s.facts("simplified")) },
			200, passing + `"reportingStatus":"REPORTED"}`},
		{"reporting: refused", func(s *stage) reply { return s.post(reporting, s.complete.pcsid, s.spoiled("simplified")) },
			400, failing + `"reportingStatus":"NOT_REPORTED"}`},
		{"reporting: standard", func(s *stage) reply { return s.post(reporting, s.complete.pcsid, s.facts("standard")) },
			400, `^.*"code":"XML-INVOICE-ERROR","category":"INVOICETYPE_ERRORS","message":"XML submitted using reporting API is not a simplified document".*"reportingStatus":"NOT_REPORTED"\}$`},
		{"reporting: standard while clearance is off", func(s *stage) reply {
			s.mustControl(http.MethodPut, "/settings", `{"clearance":"off"}`)
			defer s.mustControl(http.MethodPut, "/settings", `{"clearance":"on"}`)
			return s.post(reporting, s.complete.pcsid, s.facts("standard"))
		}, 200, passing + `"reportingStatus":"REPORTED"}`},
		{"reporting: compliance certificate", func(s *stage) reply { return s.post(reporting, s.complete.ccsid, s.facts("simplified")) },
			401, unauthorized},
		{"reporting: signed with the compliance certificate", func(s *stage) reply {
			return s.post(reporting, s.complete.pcsid, s.complete.seal(sample.Simplified(), s.complete.ccsid))
		}, 202, `^.*"type":"WARNING","code":"invalid-signing-certificate".*"status":"WARNING"\},"reportingStatus":"REPORTED"\}$`},
		{"unknown path", func(s *stage) reply { return s.post("/invoices", s.complete.pcsid, nil) },
			404, `{"httpCode":"404","httpMessage":"Not Found","moreInformation":"No resources match requested URI"}`},
		{"slash at the end", func(s *stage) reply { return s.post(reporting+"/", s.complete.pcsid, nil) },
			404, `{"httpCode":"404","httpMessage":"Not Found","moreInformation":"No resources match requested URI"}`},
		{"wrong method", func(s *stage) reply {
			return s.complete.must(http.MethodGet, reporting, s.complete.pcsid, "", nil)
		}, 405, `{"httpCode":"405","httpMessage":"Method Not Allowed","moreInformation":"The method is not allowed for the requested URL"}`},
	}
}

// onward sends the certificate request of a device with a one-time password.
func (d *device) onward(path, otp string) reply {
	d.fixture.t.Helper()
	return d.must(http.MethodPost, path, csid{}, otp, d.request())
}

// TestShapes compares the responses with the known responses of the real
// authority.
func TestShapes(t *testing.T) {
	t.Parallel()
	s := &stage{fixture: open(t, simulator.Config{})}
	s.fresh, s.checked = s.device("simulation", "1100"), s.device("simulation", "1100")
	s.checked.comply()
	s.complete, s.portal = s.onboard("simulation", "1100"), s.onboard("sandbox", "1100")
	for _, c := range shapes() {
		t.Run(c.name, func(t *testing.T) {
			r := c.do(s)
			good := string(r.body) == c.want
			if strings.HasPrefix(c.want, "^") {
				good = regexp.MustCompile(c.want).Match(r.body)
			}
			if r.status != c.status || !good {
				t.Errorf("got %d %.900s\nwant %d %s", r.status, r.body, c.status, c.want)
			}
			if kind := r.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
				t.Errorf("Content-Type is %q, want application/json", kind)
			}
		})
	}
}

// TestMissingSteps checks that the missing steps are named for each type of
// device.
func TestMissingSteps(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	names := []string{
		"standard-compliant", "standard-credit-note-compliant", "standard-debit-note-compliant",
		"simplified-compliant", "simplified-credit-note-compliant", "simplified-debit-note-compliant",
	}
	for types, missing := range map[string][]string{"1000": names[:3], "0100": names[3:], "1100": names} {
		d := h.device("production", types)
		d.comply()
		advance := sample.Invoice()
		advance.Kind = invoice.AdvancePayment // does not count as a step
		d.must(http.MethodPost, "/compliance/invoices", d.ccsid, "", d.seal(advance, d.ccsid))
		for i, f := range checks(types) {
			r := d.must(http.MethodPost, "/production/csids", d.ccsid, "", map[string]string{"compliance_request_id": d.ccsid.RequestID.String()})
			want := "[" + strings.Join(missing[i:], ",") + "]"
			if r.status != 400 || !bytes.Contains(r.body, []byte(want)) {
				t.Errorf("device %s after %d checks: got %d %s, want 400 with %s", types, i, r.status, r.body, want)
			}
			d.must(http.MethodPost, "/compliance/invoices", d.ccsid, "", d.seal(f, d.ccsid))
		}
		d.produce(d.ccsid)
	}
}
