package server

import (
	"strconv"
	"time"

	"khatm/service/internal/ledger"
	"khatm/service/internal/metric"
	"khatm/service/internal/submit"
)

// sending collects the metrics of sending.
type sending struct {
	from *submit.Submitter
	now  func() time.Time
}

var (
	sendingStates   = metric.Gauge("khatm_submissions", "Unanswered documents, by submission state.", "state")
	sendingStopped  = metric.Gauge("khatm_submissions_stopped", "Documents that are no longer sent automatically because they may have arrived, are too large, or are damaged. Each needs manual action.")
	sendingOldest   = metric.Gauge("khatm_submission_oldest_seconds", "Age of the oldest unanswered document.")
	sendingOver     = metric.Gauge("khatm_submissions_over_hours", "Simplified documents that have waited longer than this many of the legal 24 hours.", "hours")
	sendingAttempts = metric.Counter("khatm_submission_attempts_total", "Attempts to send a document, by outcome.", "outcome")
	sendingUnderWay = metric.Gauge("khatm_submission_calls", "Calls to the authority in progress.")
	sendingBreaker  = metric.Gauge("khatm_submission_breaker_open", "1 while the circuit breaker of an endpoint of the authority is open, otherwise 0.", "route")
	sendingCopies   = metric.Gauge("khatm_documents_unstamped", "Cleared documents without the authority's stamped copy: requested (automatic) or stopped (each needs manual action).", "state")
	sendingLapsing  = metric.Gauge("khatm_devices_expiring", "Devices whose certificate has expired or expires within 30 days, without retired devices.")
	sendingParked   = metric.Gauge("khatm_devices_parked", "Devices whose credentials the authority does not accept.")
)

func (m *metrics) watch(s *submit.Submitter) {
	m.registry.Collect(sending{s, s.Now}.collect)
}

// collect adds the metrics to a page.
func (s sending) collect(to *metric.Page) {
	f := s.from.Figures()
	for _, state := range []ledger.SubmissionState{ledger.Queued, ledger.Sending, ledger.Waiting, ledger.Held} {
		to.Add(sendingStates, float64(f.Backlog.States[state]), string(state))
	}
	to.Add(sendingStopped, float64(f.Backlog.Stopped))
	to.Add(sendingParked, float64(f.Backlog.Parked))
	to.Add(sendingLapsing, float64(f.Backlog.Lapsing))
	to.Add(sendingCopies, float64(f.Backlog.Unstamped), "requested")
	to.Add(sendingCopies, float64(f.Backlog.UnstampedLost), "stopped")
	to.Add(sendingUnderWay, float64(f.Sending))
	age := 0.0
	if !f.Backlog.Oldest.IsZero() {
		age = s.now().Sub(f.Backlog.Oldest).Seconds()
	}
	to.Add(sendingOldest, age)
	for i, mark := range submit.Ages() {
		n := 0
		if i < len(f.Backlog.Over) {
			n = f.Backlog.Over[i]
		}
		to.Add(sendingOver, float64(n), hours(mark))
	}
	for route, open := range f.Open {
		value := 0.0
		if open {
			value = 1
		}
		to.Add(sendingBreaker, value, string(route))
	}
	for _, outcome := range ledger.Outcomes() {
		to.Add(sendingAttempts, float64(f.Attempts[outcome]), string(outcome))
	}
}

func hours(d time.Duration) string { return strconv.Itoa(int(d / time.Hour)) }
