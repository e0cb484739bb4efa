package service_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/simulator"
	"khatm/witness"
)

// attempts reads an invoice's.
func (t *till) attempts(id uuid.UUID) []ledger.Attempt {
	t.t.Helper()
	all, err := t.service.Store().Attempts(context.Background(), org.TenantOf(t.org.ID), id)
	if err != nil {
		t.t.Fatal(err)
	}
	return all
}

func (t *till) resend(id uuid.UUID) answer {
	t.t.Helper()
	return t.call(http.MethodPatch, "/v1/api/invoices/"+id.String()+"/clearance-reporting/", "")
}

func TestInterface_3_1_Accepted(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		for _, c := range []struct{ name, body, status, field, other string }{
			{"standard", shop.standard(), "CLEARED", "clearanceStatus", "reportingStatus"},
			{"simplified", shop.simplified(), "REPORTED", "reportingStatus", "clearanceStatus"},
		} {
			id := shop.created(c.body)
			got := shop.final(id)
			data, _ := got["authority_response_data"].(record)
			results, _ := data["validationResults"].(record)
			equal(t, c.name+" status", got["authority_response_status"], any(c.status))
			equal(t, c.name+" code", got["authority_response_code"], any(number(200)))
			equal(t, c.name+" word", data[c.field], any(c.status))
			equal(t, c.name+" other word", data[c.other], nil)
			equal(t, c.name+" result", results["status"], any("PASS"))
			for _, field := range []string{"authority_submitted_at", "authority_response_received_at", "qr_code"} {
				if got[field] == nil {
					t.Errorf("%s: no %s", c.name, field)
				}
			}
			cleared, err := base64.StdEncoding.DecodeString(textIn(data, "clearedInvoice"))
			if err != nil {
				t.Fatal(err)
			}
			report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true})
			if err != nil || len(report.Findings) > 0 || report.UUID != id.String() {
				t.Errorf("%s: the archived document: %v, %v", c.name, report, err)
			}
			// Whoever prints the code, or scans that of the page, has the document's.
			seen := shop.shared(http.MethodGet, shop.tokenOf(id), "", "").wants(t, http.StatusOK)
			equal(t, c.name+" code", got["qr_code"], any(report.QRText))
			equal(t, c.name+" code by the link", seen["qr_code"], any(report.QRText))
			equal(t, c.name+" code in the list", shop.listed("")["qr_code"], any(report.QRText))
			wants409(t, shop.resend(id), "The authority has answered this invoice.")
		}
		s.office.acceptedOnce(nil)
	})
}

func wants409(t testing.TB, a answer, words string) {
	t.Helper()
	if got := a.wants(t, http.StatusConflict)["message"]; got != words {
		t.Errorf("refused with %q, want %q", got, words)
	}
}

// What the authority refuses is told in its words and, where we know the rule,
// in ours: what it demands, what to change and where.
func TestInterface_3_1_Rejected(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		wrong := fields{"form_lines": []any{shop.line(fields{"vat_rate": 10})}}
		for _, c := range []struct{ body, status, field string }{
			{shop.standard(wrong), "NOT_CLEARED", "clearanceStatus"},
			{shop.simplified(wrong), "NOT_REPORTED", "reportingStatus"},
		} {
			id := shop.created(c.body)
			got := shop.final(id)
			data, _ := got["authority_response_data"].(record)
			results, _ := data["validationResults"].(record)
			equal(t, "status", got["authority_response_status"], any(c.status))
			equal(t, "code", got["authority_response_code"], any(number(400)))
			equal(t, "word", data[c.field], any(c.status))
			for _, field := range []string{"invoice_pdf_url", "qr_code"} {
				equal(t, field, got[field], nil)
			}
			equal(t, "document", data["clearedInvoice"], nil)
			equal(t, "result", results["status"], any("ERROR"))
			errors, _ := results["errorMessages"].([]any)
			i := slices.IndexFunc(errors, func(e any) bool { return textIn(e, "code") == "BR-KSA-84" })
			if i < 0 {
				t.Fatalf("no BR-KSA-84 among %s", asJSON(t, errors))
			}
			told, _ := errors[i].(record)["explanation"].(record)
			for _, field := range []string{"message", "message_ar", "fix", "fix_ar"} {
				if told[field] == "" || told[field] == nil {
					t.Errorf("no %s in %s", field, asJSON(t, told))
				}
			}
			if path, _ := told["path"].(string); !strings.HasPrefix(path, "invoice_schema_data.form_lines.0") {
				t.Errorf("the path is %q", path)
			}
			wants409(t, shop.resend(id), "The authority has answered this invoice.")
		}
	})
}

// Polling sees null, No response, CLEARED, each once and in this order.
func TestInterface_3_1_PollingSeesEachTransitionOnce(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		s.office.force("drop_before", 3)
		id := shop.created(shop.standard())
		seen := []any{}
		becomes(t, "a final status", func() bool {
			status := shop.read(t, "/api/invoices/"+id.String()+"/")["authority_response_status"]
			if len(seen) == 0 || seen[len(seen)-1] != status {
				seen = append(seen, status)
			}
			return status == "CLEARED"
		})
		if seen[0] != nil { // it was sent before the first look
			seen = slices.Insert(seen, 0, nil)
		}
		equal(t, "transitions", seen, []any{nil, "No response", "CLEARED"})
		if tries := shop.attempts(id); len(tries) != 4 || tries[0].Outcome != ledger.Unknown || tries[3].Outcome != ledger.Accepted {
			t.Errorf("attempts %+v", tries)
		}
		s.office.acceptedOnce([]uuid.UUID{id})
	})
}

// PATCH is refused while the first send is queued and while one is under way,
// and taken once of a hundred when there was no answer.
func TestReliability_U9_ResendByMany(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			office := openOffice(t, simulator.Config{})
			s := office.opens(t, func(c *server.Config) {
				engine.set(t, c)
				c.Sending.RetryFirst, c.Sending.RetryMost = time.Hour, time.Hour
			})
			shop := s.shop()
			office.force("drop_before", 1)
			id := shop.created(shop.simplified())
			becomes(t, "no response", func() bool { return shop.status(id) == ledger.NoResponse })
			office.mood(`{"latency": {"rate": 10000, "median": "300ms", "p99": "310ms"}}`)
			statuses := map[int]int{}
			for _, a := range at100(func() answer { return shop.resend(id) }) {
				statuses[a.status]++
			}
			equal(t, "answers", statuses, map[int]int{http.StatusAccepted: 1, http.StatusConflict: 99})
			if a := shop.resend(id); !shop.status(id).Final() {
				a.wants(t, http.StatusConflict)
			}
			equal(t, "status", shop.final(id)["authority_response_status"], any("REPORTED"))
			equal(t, "attempts", len(shop.attempts(id)), 2)
			office.acceptedOnce([]uuid.UUID{id})
		})
	}
}
