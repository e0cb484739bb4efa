package audit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
)

// outcomes are the possible outcomes of a document. An outcome that is listed
// several times is more likely.
var outcomes = []func(*generator, *testDevice, *audit.Document){
	(*generator).accepted, (*generator).accepted, (*generator).accepted,
	(*generator).dropped, (*generator).troubled, (*generator).rejected, (*generator).rejected,
	(*generator).unanswered, (*generator).queued, (*generator).held, (*generator).elsewhere,
}

// send picks the outcome of a document at random.
func (s *generator) send(u *testDevice, d *audit.Document) {
	stamped := d.Cleared
	d.Cleared = nil
	outcomes[s.rng.IntN(len(outcomes))](s, u, d)
	if d.Status == audit.Cleared && !d.Unstamped {
		d.Cleared = stamped
	}
}

func standard(d *audit.Document) bool { return d.Transaction[:2] == "01" }

func endpoint(d *audit.Document) string {
	if standard(d) {
		return "clearance"
	}
	return "reporting"
}

// attempt records an attempt to send a document and the authority's record of
// it.
func (s *generator) attempt(u *testDevice, d *audit.Document, at, outcome string, code int, saw string, status int) {
	start := s.tick()
	a := audit.Attempt{Token: uuid.NewSHA1(d.ID, []byte(strconv.Itoa(len(d.Attempts)))).String(), Endpoint: at, Started: start, Outcome: outcome, Code: code}
	if outcome != "" {
		a.Ended = start.Add(50 * time.Millisecond)
	}
	d.SubmittedAt = start
	d.Attempts = append(d.Attempts, a)
	if saw != "nothing" {
		s.authority = append(s.authority, sees(u, d, at, status, saw, start))
	}
}

func sees(u *testDevice, d *audit.Document, at string, status int, outcome string, when time.Time) seen {
	sum := sha256.Sum256(submissionBody(d.ID, d.Hash, d.XML))
	return seen{
		Time: when, Environment: "simulation", Endpoint: "/invoices/" + at + "/single", Device: u.maker.name(), UUID: d.ID.String(),
		Counter: strconv.FormatInt(d.Counter, 10), PreviousHash: d.PreviousHash, Hash: d.Hash, Body: hex.EncodeToString(sum[:]), Status: status, Outcome: outcome,
	}
}

// finish records the verdict.
func (s *generator) finish(u *testDevice, d *audit.Document, status audit.Status, code int) {
	d.Status, d.Code, d.State, d.AnsweredAt = status, code, "done", s.now
	d.Verdicts = []audit.Verdict{{Status: status, Code: code}}
	s.entry(u.Organisation, "invoice.answer", d.ID.String(), map[string]any{"status": status, "code": code})
}

func yes(d *audit.Document) audit.Status {
	if standard(d) {
		return audit.Cleared
	}
	return audit.Reported
}

func (s *generator) accepted(u *testDevice, d *audit.Document) {
	code := 200 + 2*s.rng.IntN(2)
	s.attempt(u, d, endpoint(d), "accepted", code, "new", code)
	s.finish(u, d, yes(d), code)
}

// dropped accepts the document but loses the answer, so that the next attempt is
// a duplicate. Half of the cleared documents never get their stamp.
func (s *generator) dropped(u *testDevice, d *audit.Document) {
	s.attempt(u, d, endpoint(d), "", 0, "new", 200)
	code := 409
	if standard(d) {
		code = 208
		d.Unstamped = s.rng.IntN(2) == 0
	}
	s.attempt(u, d, endpoint(d), "duplicate", code, "duplicate", code)
	s.finish(u, d, yes(d), 200)
}

// troubled fails twice before the acceptance; the authority records one of the
// failures.
func (s *generator) troubled(u *testDevice, d *audit.Document) {
	s.attempt(u, d, endpoint(d), "unknown", 503, "nothing", 0)
	s.attempt(u, d, endpoint(d), "unknown", 500, "", 500)
	s.entry(u.Organisation, "invoice.no_response", d.ID.String(), map[string]any{"attempt": 2})
	s.accepted(u, d)
}

func (s *generator) rejected(u *testDevice, d *audit.Document) {
	s.attempt(u, d, endpoint(d), "rejected", 400, "", 400)
	status := audit.NotReported
	if standard(d) {
		status = audit.NotCleared
	}
	s.finish(u, d, status, 400)
}

func (s *generator) unanswered(u *testDevice, d *audit.Document) {
	s.attempt(u, d, endpoint(d), "unknown", 0, "new", 200)
	d.Status, d.State = audit.NoResponse, "waiting"
}

func (s *generator) queued(*testDevice, *audit.Document) {}

func (s *generator) held(_ *testDevice, d *audit.Document) { d.State = "held" }

// elsewhere reports a standard document while clearance is switched off.
func (s *generator) elsewhere(u *testDevice, d *audit.Document) {
	if !standard(d) {
		s.accepted(u, d)
		return
	}
	s.attempt(u, d, "clearance", "reporting", 303, "nothing", 0)
	s.attempt(u, d, "reporting", "accepted", 200, "new", 200)
	s.finish(u, d, audit.Reported, 200)
}
