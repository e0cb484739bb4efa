package simulator_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/simulator"
	"khatm/witness"
)

// checks returns the documents that a device must submit for the compliance
// checks.
func checks(types string) []invoice.Facts {
	note := func(f invoice.Facts, k invoice.Kind) invoice.Facts {
		f.Kind, f.Reason, f.ExpectedPayable = k, "Returned goods", nil
		f.Originals = []invoice.Original{{Number: "INV-1", IssueDate: "2026-01-31"}}
		return f
	}
	var all []invoice.Facts
	for i, f := range []invoice.Facts{sample.Invoice(), sample.Simplified()} {
		if types[i] == '1' {
			all = append(all, f, note(f, invoice.CreditNote), note(f, invoice.DebitNote))
		}
	}
	return all
}

// comply requests the compliance certificate.
func (d *device) comply() {
	d.fixture.t.Helper()
	r := d.must(http.MethodPost, "/compliance", csid{}, d.otp(), d.request())
	if r.status != http.StatusOK {
		d.fixture.t.Fatalf("compliance certificate: status %d, want 200: %s", r.status, r.body)
	}
	r.into(d.fixture.t, &d.ccsid)
}

// pass submits the documents for the compliance checks.
func (d *device) pass(as csid) {
	d.fixture.t.Helper()
	for _, f := range checks(d.unit.InvoiceType) {
		r := d.must(http.MethodPost, "/compliance/invoices", as, "", d.seal(f, as))
		if r.status != http.StatusOK && r.status != http.StatusAccepted {
			d.fixture.t.Fatalf("check of document type %d: status %d, want 200 or 202: %s", f.Kind, r.status, r.body)
		}
	}
}

// produce requests the production certificate.
func (d *device) produce(as csid) {
	d.fixture.t.Helper()
	r := d.must(http.MethodPost, "/production/csids", as, "", map[string]string{"compliance_request_id": as.RequestID.String()})
	if r.status != http.StatusOK {
		d.fixture.t.Fatalf("production certificate: status %d, want 200: %s", r.status, r.body)
	}
	r.into(d.fixture.t, &d.pcsid)
	if d.pcsid.Disposition != "ISSUED" {
		d.fixture.t.Fatalf("production certificate: disposition %q, want ISSUED: %s", d.pcsid.Disposition, r.body)
	}
}

// onboard returns a device with a production certificate.
func (h *fixture) onboard(environment, types string) *device {
	h.t.Helper()
	d := h.device(environment, types)
	d.comply()
	d.pass(d.ccsid)
	d.produce(d.ccsid)
	d.counter, d.previous = 0, genesis
	return d
}

const genesis = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="

// submitted is the response body of clearance and reporting.
type submitted struct {
	Results struct {
		Info     []message `json:"infoMessages"`
		Warnings []message `json:"warningMessages"`
		Errors   []message `json:"errorMessages"`
		Status   string    `json:"status"`
	} `json:"validationResults"`
	Reporting string  `json:"reportingStatus"`
	Clearance string  `json:"clearanceStatus"`
	Cleared   *string `json:"clearedInvoice"`
}

type message struct{ Type, Code, Category, Message, Status string }

// submit sends a document to reporting or clearance.
func (d *device) submit(doc document, simplified bool) (reply, submitted) {
	d.fixture.t.Helper()
	path := "/invoices/clearance/single"
	if simplified {
		path = "/invoices/reporting/single"
	}
	r := d.must(http.MethodPost, path, d.pcsid, "", doc)
	var s submitted
	r.into(d.fixture.t, &s)
	return r, s
}

// TestOnboardingOfEveryKind checks that a device of each type can be onboarded
// in each environment over HTTP, and that its first documents are accepted.
func TestOnboardingOfEveryKind(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for environment := range bases {
		for _, types := range []string{"1000", "0100", "1100"} {
			t.Run(environment+" "+types, func(t *testing.T) {
				d := h.onboard(environment, types)
				if d.ccsid.Disposition != "ISSUED" || d.ccsid.TokenType == nil || len(d.ccsid.RequestID) != 13 || len(d.ccsid.Secret) != 44 {
					t.Errorf("compliance certificate = %+v, want ISSUED with a token type, a request ID of 13 digits and a secret of 44 characters", d.ccsid)
				}
				for _, f := range checks(types) {
					r, s := d.submit(d.seal(f, d.pcsid), f.Transaction.Simplified)
					if r.status != http.StatusOK || s.Reporting != "REPORTED" && s.Clearance != "CLEARED" {
						t.Fatalf("document of type %d: status %d, want 200: %s", f.Kind, r.status, r.body)
					}
				}
			})
		}
	}
}

// TestEveryDocumentKind checks that the documents of package sample are cleared
// and reported: a selection, or all under KHATM_TORTURE=1.
func TestEveryDocumentKind(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("production", "1100")
	cases := sample.Every()
	step := max(1, len(cases)/80)
	if testtool.Torture() {
		step = 1
	}
	sent := 0
	for i := 0; i < len(cases); i += step {
		c := cases[i]
		doc := d.seal(c.Facts, d.pcsid)
		r, s := d.submit(doc, c.Facts.Transaction.Simplified)
		sent++
		if err := wellAnswered(doc, r, s, c.Facts.Transaction.Simplified); err != nil {
			t.Errorf("%s: %v: status %d: %.2000s", c.Name, err, r.status, r.body)
		}
	}
	t.Logf("%d of %d documents sent", sent, len(cases))
	if sent < 60 {
		t.Errorf("only %d documents were sent, want at least 60", sent)
	}
}

func wellAnswered(doc document, r reply, s submitted, simplified bool) error {
	// Valid documents with two exemption reasons in one category get a warning.
	if r.status != http.StatusOK && r.status != http.StatusAccepted || len(s.Results.Errors) > 0 {
		return fmt.Errorf("document is not accepted")
	}
	if simplified {
		if s.Reporting != "REPORTED" {
			return fmt.Errorf("status is %q, want REPORTED", s.Reporting)
		}
		return nil
	}
	if s.Clearance != "CLEARED" || s.Cleared == nil {
		return fmt.Errorf("status is %q, want CLEARED with a document", s.Clearance)
	}
	stamped, err := base64.StdEncoding.DecodeString(*s.Cleared)
	if err != nil {
		return err
	}
	report, err := witness.Verify(stamped, witness.Expect{RequireStamp: true})
	if err != nil {
		return err
	}
	if len(report.Findings) > 0 || report.Hash != doc.Hash {
		return fmt.Errorf("cleared document has hash %s and findings %v, want %s and none", report.Hash, report.Findings, doc.Hash)
	}
	return nil
}
