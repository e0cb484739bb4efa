package server

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/ledger"
	"khatm/service/internal/submit"
)

// sending collects the metrics of sending.
type sending struct {
	from *submit.Submitter
	now  func() time.Time
}

var (
	sendingStates   = description("khatm_submissions", "Unanswered documents, by submission state.", "state")
	sendingStopped  = description("khatm_submissions_stopped", "Documents that are no longer sent automatically because they may have arrived, are too large, or are damaged. Each needs manual action.")
	sendingOldest   = description("khatm_submission_oldest_seconds", "Age of the oldest unanswered document.")
	sendingOver     = description("khatm_submissions_over_hours", "Simplified documents that have waited longer than this many of the legal 24 hours.", "hours")
	sendingAttempts = description("khatm_submission_attempts_total", "Attempts to send a document, by outcome.", "outcome")
	sendingUnderWay = description("khatm_submission_calls", "Calls to the authority in progress.")
	sendingBreaker  = description("khatm_submission_breaker_open", "1 while the circuit breaker of an endpoint of the authority is open, otherwise 0.", "route")
	sendingCopies   = description("khatm_documents_unstamped", "Cleared documents without the authority's stamped copy: requested (automatic) or stopped (each needs manual action).", "state")
	sendingLapsing  = description("khatm_devices_expiring", "Devices whose certificate has expired or expires within 30 days, without retired devices.")
	sendingParked   = description("khatm_devices_parked", "Devices whose credentials the authority does not accept.")
)

func description(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

func (m *metrics) watch(s *submit.Submitter) {
	m.registry.MustRegister(sending{s, s.Now})
}

// Describe implements [prometheus.Collector].
func (sending) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		sendingStates, sendingStopped, sendingOldest, sendingOver, sendingAttempts, sendingUnderWay, sendingBreaker, sendingLapsing, sendingParked, sendingCopies,
	} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (s sending) Collect(to chan<- prometheus.Metric) {
	f := s.from.Figures()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for _, state := range []ledger.SubmissionState{ledger.Queued, ledger.Sending, ledger.Waiting, ledger.Held} {
		gauge(sendingStates, float64(f.Backlog.States[state]), string(state))
	}
	gauge(sendingStopped, float64(f.Backlog.Stopped))
	gauge(sendingParked, float64(f.Backlog.Parked))
	gauge(sendingLapsing, float64(f.Backlog.Lapsing))
	gauge(sendingCopies, float64(f.Backlog.Unstamped), "requested")
	gauge(sendingCopies, float64(f.Backlog.UnstampedLost), "stopped")
	gauge(sendingUnderWay, float64(f.Sending))
	age := 0.0
	if !f.Backlog.Oldest.IsZero() {
		age = s.now().Sub(f.Backlog.Oldest).Seconds()
	}
	gauge(sendingOldest, age)
	for i, mark := range submit.Ages() {
		n := 0
		if i < len(f.Backlog.Over) {
			n = f.Backlog.Over[i]
		}
		gauge(sendingOver, float64(n), hours(mark))
	}
	for route, open := range f.Open {
		value := 0.0
		if open {
			value = 1
		}
		gauge(sendingBreaker, value, string(route))
	}
	for _, outcome := range ledger.Outcomes() {
		to <- prometheus.MustNewConstMetric(sendingAttempts, prometheus.CounterValue, float64(f.Attempts[outcome]), string(outcome))
	}
}

func hours(d time.Duration) string { return strconv.Itoa(int(d / time.Hour)) }
