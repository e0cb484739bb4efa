package submit_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
	"khatm/witness"
)

func TestInterface_3_1_Accepted(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		for _, c := range []struct{ name, body, status, field, other string }{
			{"standard", shop.Standard(), "CLEARED", "clearanceStatus", "reportingStatus"},
			{"simplified", shop.Simplified(), "REPORTED", "reportingStatus", "clearanceStatus"},
		} {
			id := shop.Created(c.body)
			got := shop.Final(id)
			data, _ := got["authority_response_data"].(servicetest.Record)
			results, _ := data["validationResults"].(servicetest.Record)
			servicetest.Equal(t, c.name+" status", got["authority_response_status"], any(c.status))
			servicetest.Equal(t, c.name+" code", got["authority_response_code"], any(servicetest.Number(200)))
			servicetest.Equal(t, c.name+" word", data[c.field], any(c.status))
			servicetest.Equal(t, c.name+" other word", data[c.other], nil)
			servicetest.Equal(t, c.name+" result", results["status"], any("PASS"))
			for _, field := range []string{"authority_submitted_at", "authority_response_received_at", "qr_code"} {
				if got[field] == nil {
					t.Errorf("%s: field %s is null", c.name, field)
				}
			}
			cleared, err := base64.StdEncoding.DecodeString(servicetest.TextIn(data, "clearedInvoice"))
			if err != nil {
				t.Fatal(err)
			}
			report, err := witness.Verify(cleared, witness.Expect{RequireStamp: true})
			if err != nil || len(report.Findings) > 0 || report.UUID != id.String() {
				t.Errorf("%s: the archived document does not verify: %v, %v", c.name, report, err)
			}
			// The QR code is that of the document, wherever it is shown.
			seen := shop.Shared(http.MethodGet, shop.TokenOf(id), "", "").Wants(t, http.StatusOK)
			servicetest.Equal(t, c.name+" code", got["qr_code"], any(report.QRText))
			servicetest.Equal(t, c.name+" code by the link", seen["qr_code"], any(report.QRText))
			servicetest.Equal(t, c.name+" code in the list", shop.Listed("")["qr_code"], any(report.QRText))
			wants409(t, shop.Resend(id), "The authority has answered this invoice.")
		}
		s.Authority.AcceptedOnce(nil)
	})
}

func wants409(t testing.TB, a servicetest.Answer, words string) {
	t.Helper()
	if got := a.Wants(t, http.StatusConflict)["message"]; got != words {
		t.Errorf("refused with %q, want %q", got, words)
	}
}

// A rejection has the text of the authority and, for known rules, our
// explanation: the requirement, the fix and the field.
func TestInterface_3_1_Rejected(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		wrong := servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}
		for _, c := range []struct{ body, status, field string }{
			{shop.Standard(wrong), "NOT_CLEARED", "clearanceStatus"},
			{shop.Simplified(wrong), "NOT_REPORTED", "reportingStatus"},
		} {
			id := shop.Created(c.body)
			got := shop.Final(id)
			data, _ := got["authority_response_data"].(servicetest.Record)
			results, _ := data["validationResults"].(servicetest.Record)
			servicetest.Equal(t, "status", got["authority_response_status"], any(c.status))
			servicetest.Equal(t, "code", got["authority_response_code"], any(servicetest.Number(400)))
			servicetest.Equal(t, "word", data[c.field], any(c.status))
			for _, field := range []string{"invoice_pdf_url", "qr_code"} {
				servicetest.Equal(t, field, got[field], nil)
			}
			servicetest.Equal(t, "document", data["clearedInvoice"], nil)
			servicetest.Equal(t, "result", results["status"], any("ERROR"))
			errors, _ := results["errorMessages"].([]any)
			i := slices.IndexFunc(errors, func(e any) bool { return servicetest.TextIn(e, "code") == "BR-KSA-84" })
			if i < 0 {
				t.Fatalf("errorMessages have no BR-KSA-84: %s", servicetest.AsJSON(t, errors))
			}
			told, _ := errors[i].(servicetest.Record)["explanation"].(servicetest.Record)
			for _, field := range []string{"message", "message_ar", "fix", "fix_ar"} {
				if told[field] == "" || told[field] == nil {
					t.Errorf("field %s is missing in %s", field, servicetest.AsJSON(t, told))
				}
			}
			if path, _ := told["path"].(string); !strings.HasPrefix(path, "invoice_schema_data.form_lines.0") {
				t.Errorf("path = %q, want one of form_lines.0", path)
			}
			wants409(t, shop.Resend(id), "The authority has answered this invoice.")
		}
	})
}

// Polling shows null, No response and CLEARED, each once and in this order.
func TestInterface_3_1_PollingSeesEachTransitionOnce(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		s.Authority.Force("drop_before", 3)
		id := shop.Created(shop.Standard())
		seen := []any{}
		servicetest.Eventually(t, "a final status", func() bool {
			status := shop.Read(t, "/api/invoices/"+id.String()+"/")["authority_response_status"]
			if len(seen) == 0 || seen[len(seen)-1] != status {
				seen = append(seen, status)
			}
			return status == "CLEARED"
		})
		if seen[0] != nil { // it was sent before the first poll
			seen = slices.Insert(seen, 0, nil)
		}
		servicetest.Equal(t, "transitions", seen, []any{nil, "No response", "CLEARED"})
		if tries := shop.Attempts(id); len(tries) != 4 || tries[0].Outcome != ledger.Unknown || tries[3].Outcome != ledger.Accepted {
			t.Errorf("attempts = %+v, want three unknown, then accepted", tries)
		}
		s.Authority.AcceptedOnce([]uuid.UUID{id})
	})
}

// PATCH is refused while a send is queued or in progress. Of a hundred
// concurrent requests after an unanswered send, one is accepted.
func TestReliability_U9_ResendByMany(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending.RetryFirst, c.Sending.RetryMost = time.Hour, time.Hour
				c.Sending.Timeout = servicetest.Patience // longer than the second attempt is held
			})
			shop := s.OnboardedSeller()
			sim.Force("drop_before", 1)
			id := shop.Created(shop.Simplified())
			servicetest.Eventually(t, "no response", func() bool { return shop.Status(id) == ledger.NoResponse })
			sim.Busiest.Store(0)
			release := sim.Hold()
			statuses := map[int]int{}
			for _, a := range servicetest.HundredAtOnce(func() servicetest.Answer { return shop.Resend(id) }) {
				statuses[a.Status]++
			}
			servicetest.Equal(t, "answers", statuses, map[int]int{http.StatusAccepted: 1, http.StatusConflict: 99})
			servicetest.Eventually(t, "the second attempt", func() bool { return sim.Busiest.Load() > 0 })
			wants409(t, shop.Resend(id), "The invoice is being sent to the authority.")
			release()
			servicetest.Equal(t, "status", shop.Final(id)["authority_response_status"], any("REPORTED"))
			servicetest.Equal(t, "attempts", len(shop.Attempts(id)), 2)
			sim.AcceptedOnce([]uuid.UUID{id})
		})
	}
}
