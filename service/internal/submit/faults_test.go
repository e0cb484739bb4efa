package submit_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// patient sets timeouts that only a dropped connection ends early, so that the
// number of attempts does not depend on the speed of the machine.
func patient(c *server.Config) {
	c.Sending.Timeout, c.Sending.LeaseMargin = 20*time.Second, 20*time.Second
}

// If a document is accepted but the answer is lost, the next attempt is
// answered as a duplicate, with the stamped document.
func TestReliability_U2_DropAfterAccept(t *testing.T) {
	servicetest.MostlySQLiteSendingWith(t, "polite", patient, func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		for _, body := range []string{shop.Standard(), shop.Simplified()} {
			s.Authority.Force("drop_after", 1)
			id := shop.Created(body)
			got := shop.Final(id)
			servicetest.Equal(t, "code", got["authority_response_code"], any(servicetest.Number(200)))
			data, _ := got["authority_response_data"].(servicetest.Record)
			results, _ := data["validationResults"].(servicetest.Record)
			servicetest.Equal(t, "result", results["status"], any("PASS"))
			servicetest.Equal(t, "errors", results["errorMessages"], any([]any{}))
			infos, _ := results["infoMessages"].([]any)
			if len(infos) != 1 || servicetest.TextIn(infos[0], "code") != "DUPLICATE" {
				t.Errorf("infoMessages = %v, want one DUPLICATE", infos)
			}
			tries := shop.Attempts(id)
			if len(tries) != 2 || tries[0].Outcome != ledger.Unknown || !tries[0].Sent || tries[1].Outcome != ledger.Duplicate || len(tries[1].Raw) == 0 {
				t.Errorf("attempts = %+v, want unknown, then duplicate", tries)
			}
			s.Authority.AcceptedOnce([]uuid.UUID{id})
		}
		s.Authority.Mood(`{"drop_after": "50%"}`)
		ids := shop.Many(testtool.Count(15, 30))
		shop.AskUntilFinal(ids, servicetest.Patience)
		s.Authority.AcceptedOnce(ids)
	})
}

// 208 and 409 on a first send count as accepted.
func TestReliability_U3_DuplicateOnFirstSend(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		s.Authority.Mood(`{"duplicate_first": "100%"}`)
		for _, c := range []struct{ body, status string }{{shop.Standard(), "CLEARED"}, {shop.Simplified(), "REPORTED"}} {
			id := shop.Created(c.body)
			servicetest.Equal(t, "status", shop.Final(id)["authority_response_status"], any(c.status))
			if tries := shop.Attempts(id); len(tries) != 1 || tries[0].Outcome != ledger.Duplicate {
				t.Errorf("attempts = %+v, want one duplicate", tries)
			}
			s.Authority.AcceptedOnce([]uuid.UUID{id})
		}
	})
}

// While clearance is switched off, a standard document goes to reporting and
// becomes REPORTED.
func TestClearanceSwitchedOff(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		s.Authority.Command("PUT", "/settings", `{"clearance":"off"}`)
		id := shop.Created(shop.Standard())
		got := shop.Final(id)
		servicetest.Equal(t, "status", got["authority_response_status"], any("REPORTED"))
		data, _ := got["authority_response_data"].(servicetest.Record)
		servicetest.Equal(t, "word", data["reportingStatus"], any("REPORTED"))
		tries := shop.Attempts(id)
		if len(tries) != 2 || tries[0].Outcome != ledger.UseReporting || tries[1].Route != ledger.ByReporting {
			t.Errorf("attempts = %+v, want use-reporting, then one by reporting", tries)
		}
		s.Authority.AcceptedOnce([]uuid.UUID{id})
	})
}

// After a 413 a document is not sent again automatically, but a caller can
// request it.
func TestTooLargeWaitsForACaller(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		s.Authority.Force("too_large", 1)
		id := shop.Created(shop.Simplified())
		servicetest.Eventually(t, "no response", func() bool { return shop.Status(id) == ledger.NoResponse })
		other := shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("another")}))
		shop.Final(other) // leaves time for a retry
		servicetest.Equal(t, "attempts", len(shop.Attempts(id)), 1)
		shop.Resend(id).Wants(t, 202)
		servicetest.Equal(t, "status", shop.Final(id)["authority_response_status"], any("REPORTED"))
	})
}

// faults are the faults of U-1, which affect 30 % of all calls.
const faults = `{
	"server_error": {"rate": 300, "statuses": [500, 502, 503, 504], "accepted": 5000}, "timeout": {"rate": 200, "hold": "2s", "accepted": 5000},
	"drop_before": 200, "drop_after": 200, "empty_body": 200, "html_body": 200, "truncated_body": 200, "wrong_type": 200,
	"too_many_silent": 200, "too_many": {"rate": 100, "retry_after": "1s"}, "clearance_off": 200, "duplicate_first": 200, "unauthorised": 200, "too_large": 100,
	"contradiction": 200, "empty_rejection": 100, "unknown_fields": 200}`

// With faults in 30 % of the calls, all documents are accepted exactly once,
// always as the same bytes, with at most two attempts on average.
func TestReliability_U1_ManyFaults(t *testing.T) {
	t.Parallel()
	documents, within := 60, 60*time.Second
	if testtool.Torture() {
		documents, within = 2000, 5*time.Minute
	}
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{Seed: 7})
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				// The simulator checks as many documents at a time as there are cores; more
				// would exceed the timeout of half a second.
				c.Log, c.Sending.Workers, c.Sending.LeaseMargin = servicetest.Quiet(), 16, 30*time.Second
			})
			shop := s.OnboardedSeller()
			sim.Mood(faults)
			documents := documents
			if s.Database != "" && !testtool.All() {
				documents = 20
			}
			ids := shop.Many(documents)
			shop.AskUntilFinal(ids, within)
			sim.AcceptedOnce(ids)
			attempts, most, outcomes := 0, 0, map[ledger.Outcome]int{}
			for _, id := range ids {
				tries := shop.Attempts(id)
				attempts, most = attempts+len(tries), max(most, len(tries))
				for _, a := range tries {
					outcomes[a.Outcome]++
				}
			}
			mean := float64(attempts) / float64(len(ids))
			t.Logf("outcomes: %v", outcomes)
			servicetest.ReportScenario(t, "U-1 three calls in ten suffer a fault, "+engine.Name, fmt.Sprint(len(ids), " documents"), 7, fmt.Sprintf("all final, none twice; %.2f attempts on average, at most %d", mean, most))
			if mean > 2 {
				t.Errorf("%.2f attempts per document, want at most 2", mean)
			}
		})
	}
}
