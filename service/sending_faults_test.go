package service_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
	"khatm/simulator"
)

// many creates documents, two in three simplified.
func (t *till) many(n int) (ids []uuid.UUID) {
	t.t.Helper()
	for i := range n {
		body := t.simplified(fields{"notes": note(fmt.Sprint("document ", i))})
		if i%3 == 0 {
			body = t.standard(fields{"notes": note(fmt.Sprint("document ", i))})
		}
		ids = append(ids, t.created(body))
	}
	return ids
}

// Every first send is accepted and the answer lost: the second is answered as a
// duplicate, with the stamped document.
func TestReliability_U2_DropAfterAccept(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		for _, body := range []string{shop.standard(), shop.simplified()} {
			s.office.force("drop_after", 1)
			id := shop.created(body)
			got := shop.final(id)
			equal(t, "code", got["authority_response_code"], any(number(200)))
			data, _ := got["authority_response_data"].(record)
			results, _ := data["validationResults"].(record)
			equal(t, "result", results["status"], any("PASS"))
			equal(t, "errors", results["errorMessages"], any([]any{}))
			infos, _ := results["infoMessages"].([]any)
			if len(infos) != 1 || textIn(infos[0], "code") != "DUPLICATE" {
				t.Errorf("infos %v", infos)
			}
			tries := shop.attempts(id)
			if len(tries) != 2 || tries[0].Outcome != ledger.Unknown || !tries[0].Sent || tries[1].Outcome != ledger.Duplicate || len(tries[1].Raw) == 0 {
				t.Errorf("attempts %+v", tries)
			}
			s.office.acceptedOnce([]uuid.UUID{id})
		}
		s.office.mood(`{"drop_after": "50%"}`)
		ids := shop.many(30)
		shop.askUntilFinal(ids, patience)
		s.office.acceptedOnce(ids)
	})
}

// 208 and 409 on a first send are acceptance.
func TestReliability_U3_DuplicateOnFirstSend(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		s.office.mood(`{"duplicate_first": "100%"}`)
		for _, c := range []struct{ body, status string }{{shop.standard(), "CLEARED"}, {shop.simplified(), "REPORTED"}} {
			id := shop.created(c.body)
			equal(t, "status", shop.final(id)["authority_response_status"], any(c.status))
			if tries := shop.attempts(id); len(tries) != 1 || tries[0].Outcome != ledger.Duplicate {
				t.Errorf("attempts %+v", tries)
			}
			s.office.acceptedOnce([]uuid.UUID{id})
		}
	})
}

// Clearance is switched off: a standard document goes through reporting and
// ends REPORTED.
func TestClearanceSwitchedOff(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		s.office.command("PUT", "/settings", `{"clearance":"off"}`)
		id := shop.created(shop.standard())
		got := shop.final(id)
		equal(t, "status", got["authority_response_status"], any("REPORTED"))
		data, _ := got["authority_response_data"].(record)
		equal(t, "word", data["reportingStatus"], any("REPORTED"))
		tries := shop.attempts(id)
		if len(tries) != 2 || tries[0].Outcome != ledger.UseReporting || tries[1].Route != ledger.ByReporting {
			t.Errorf("attempts %+v", tries)
		}
		s.office.acceptedOnce([]uuid.UUID{id})
	})
}

// 413 is not tried again by itself; a caller may.
func TestTooLargeWaitsForACaller(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop := s.shop()
		s.office.force("too_large", 1)
		id := shop.created(shop.simplified())
		becomes(t, "no response", func() bool { return shop.status(id) == ledger.NoResponse })
		other := shop.created(shop.simplified(fields{"notes": note("another")}))
		shop.final(other) // meanwhile there was time for a retry
		equal(t, "attempts", len(shop.attempts(id)), 1)
		shop.resend(id).wants(t, 202)
		equal(t, "status", shop.final(id)["authority_response_status"], any("REPORTED"))
	})
}

// faults are those of U-1, drawn evenly: 30 % of all calls.
const faults = `{
	"server_error": {"rate": 300, "statuses": [500, 502, 503, 504], "accepted": 5000}, "timeout": {"rate": 200, "hold": "2s", "accepted": 5000},
	"drop_before": 200, "drop_after": 200, "empty_body": 200, "html_body": 200, "truncated_body": 200, "wrong_type": 200,
	"too_many_silent": 200, "too_many": {"rate": 100, "retry_after": "1s"}, "clearance_off": 200, "duplicate_first": 200, "unauthorised": 200, "too_large": 100,
	"contradiction": 200, "empty_rejection": 100, "unknown_fields": 200}`

// Three calls in ten suffer a fault of some kind: all documents are accepted,
// none twice, none as two byte strings, and with two attempts each on average.
func TestReliability_U1_ManyFaults(t *testing.T) {
	documents, within := 120, 60*time.Second
	if os.Getenv("KHATM_TORTURE") == "1" {
		documents, within = 2000, 5*time.Minute
	}
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			office := openOffice(t, simulator.Config{Seed: 7})
			s := office.opens(t, func(c *server.Config) {
				engine.set(t, c)
				// The simulator judges as many at a time as there are cores: more would wait
				// beyond the timeout of half a second.
				c.Log, c.Sending.Workers, c.Sending.LeaseMargin = quiet(), 16, 30*time.Second
			})
			shop := s.shop()
			office.mood(faults)
			ids := shop.many(documents)
			shop.askUntilFinal(ids, within)
			office.acceptedOnce(ids)
			attempts, most, outcomes := 0, 0, map[ledger.Outcome]int{}
			for _, id := range ids {
				tries := shop.attempts(id)
				attempts, most = attempts+len(tries), max(most, len(tries))
				for _, a := range tries {
					outcomes[a.Outcome]++
				}
			}
			mean := float64(attempts) / float64(len(ids))
			t.Logf("outcomes: %v", outcomes)
			scenario(t, "U-1 three calls in ten suffer a fault, "+engine.name, fmt.Sprint(len(ids), " documents"), 7, fmt.Sprintf("all final, none twice; %.2f attempts on average, at most %d", mean, most))
			if mean > 2 {
				t.Errorf("%.2f attempts a document, want at most 2", mean)
			}
		})
	}
}

// askUntilFinal waits for all, and asks for those that are too large, as a
// caller would.
func (t *till) askUntilFinal(ids []uuid.UUID, within time.Duration) {
	t.t.Helper()
	end := time.Now().Add(within)
	for _, id := range ids {
		for ; !t.status(id).Final(); time.Sleep(5 * time.Millisecond) {
			if tries := t.attempts(id); len(tries) > 0 && tries[len(tries)-1].Outcome == ledger.TooLarge {
				t.resend(id)
			}
			if time.Now().After(end) {
				t.t.Fatalf("%s is %q after %s: %+v", id, t.status(id), within, t.attempts(id))
			}
		}
		if status := t.status(id); !status.Accepted() {
			t.t.Errorf("%s is %s: %+v", id, status, t.attempts(id))
		}
	}
}
