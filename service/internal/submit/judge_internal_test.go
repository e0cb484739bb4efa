package submit

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
)

// zeros is a random source of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestEveryOutcomeIsJudged checks what is recorded and done next for every
// outcome.
func TestEveryOutcomeIsJudged(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	s := &Submitter{Config: Config{Retry: Backoff{2 * time.Second, time.Minute}, Probe: Backoff{30 * time.Second, time.Hour}, Random: zeros{}}}
	wrong := []ledger.Message{{Code: "BR-KSA-84"}}
	cases := []struct {
		name    string
		job     Job
		verdict ledger.Verdict

		status ledger.Status // of a final answer
		code   int
		flag   ledger.Flag
		route  ledger.Route
		due    time.Duration // 0 if none
		stop   string
		parked bool
	}{
		{name: "reported", job: Job{Simplified: true, Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Accepted, Code: 200}, status: ledger.Reported, code: 200, route: ledger.ByReporting},
		{name: "with warnings", job: Job{Simplified: true, Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Accepted, Code: 202}, status: ledger.Reported, code: 202, route: ledger.ByReporting},
		{name: "409", job: Job{Simplified: true, Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Duplicate, Code: 409, Errors: wrong}, status: ledger.Reported, code: 200, route: ledger.ByReporting},
		{name: "208", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Duplicate, Code: 208}, status: ledger.Cleared, code: 200, flag: ledger.NoDocument, route: ledger.ByClearance},
		{name: "cleared without a document", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Accepted, Code: 200}, status: ledger.Cleared, code: 200, flag: ledger.NoDocument, route: ledger.ByClearance},
		{name: "cleared with a wrong document", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Accepted, Code: 200, Cleared: []byte("<x/>")}, status: ledger.Cleared, code: 200, flag: ledger.BadDocument, route: ledger.ByClearance},
		{name: "rejected", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Rejected, Code: 400, Errors: wrong}, status: ledger.NotCleared, code: 400, route: ledger.ByClearance},
		{name: "rejected by reporting", job: Job{Simplified: true, Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Rejected, Code: 400, Errors: wrong}, status: ledger.NotReported, code: 400, route: ledger.ByReporting},
		{name: "standard through reporting", job: Job{Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Accepted, Code: 200}, status: ledger.Reported, code: 200, route: ledger.ByReporting},
		{name: "standard refused by reporting for its kind", job: Job{Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Rejected, Code: 400, Errors: []ledger.Message{{Code: wrongKind}}}, route: ledger.ByClearance, due: time.Second},
		{name: "standard refused by reporting for its kind and more", job: Job{Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Rejected, Code: 400, Errors: []ledger.Message{{Code: "BR-KSA-84"}, {Code: wrongKind}}}, route: ledger.ByClearance, due: time.Second},
		{name: "standard sent back by reporting", job: Job{Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Unknown, Code: 303}, route: ledger.ByClearance, due: time.Second},
		{name: "simplified refused for its kind", job: Job{Simplified: true, Route: ledger.ByReporting}, verdict: ledger.Verdict{Outcome: ledger.Rejected, Code: 400, Errors: []ledger.Message{{Code: wrongKind}}}, status: ledger.NotReported, code: 400, route: ledger.ByReporting},
		{name: "303", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.UseReporting, Code: 303}, route: ledger.ByReporting},
		{name: "401", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Unauthorised, Code: 401}, route: ledger.ByClearance, parked: true},
		{name: "429", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Throttled, Code: 429, Wait: time.Minute}, route: ledger.ByClearance},
		{name: "413", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.TooLarge, Code: 413}, route: ledger.ByClearance, stop: TooLarge},
		{name: "no answer", job: Job{Route: ledger.ByClearance, Failures: 2}, verdict: ledger.Verdict{Outcome: ledger.Unknown, Cause: errors.New("reset")}, route: ledger.ByClearance, due: 4 * time.Second},
		{name: "503 with Retry-After", job: Job{Route: ledger.ByClearance}, verdict: ledger.Verdict{Outcome: ledger.Unknown, Code: 503, Wait: 7 * time.Second}, route: ledger.ByClearance, due: 7 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.job.Invoice = uuid.New()
			r := s.judge(c.job, c.verdict, now)
			if (r.Answer != nil) != (c.status != ledger.Unanswered) {
				t.Fatalf("Answer = %+v, want one only for a final outcome", r.Answer)
			}
			if a := r.Answer; a != nil && (a.Status != c.status || a.Code != c.code || a.Flag != c.flag) {
				t.Errorf("answer %s %d flag %q, want %s %d flag %q", a.Status, a.Code, a.Flag, c.status, c.code, c.flag)
			}
			if a := r.Answer; a != nil && c.verdict.Outcome == ledger.Duplicate && (len(a.Errors) != 0 || len(a.Infos) != 1) {
				t.Errorf("answer of a duplicate has Errors %+v and Infos %+v, want no errors and one info", a.Errors, a.Infos)
			}
			due := time.Duration(0)
			if !r.Due.IsZero() {
				due = r.Due.Sub(now)
			}
			if r.Route != c.route || due != c.due || r.Stop != c.stop || (r.Park != nil) != c.parked {
				t.Errorf("next attempt by %s after %s, stop %q, park %v; want %s, %s, %q, parked %v", r.Route, due, r.Stop, r.Park, c.route, c.due, c.stop, c.parked)
			}
		})
	}
}
