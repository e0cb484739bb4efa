package server

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/ledger"
	"khatm/service/internal/submit"
)

// sending shows how sending stands whenever Prometheus asks.
type sending struct {
	from *submit.Submitter
	now  func() time.Time
}

var (
	sendingStates   = description("khatm_submissions", "Documents that are not answered, by the state of their sending.", "state")
	sendingStopped  = description("khatm_submissions_stopped", "Documents that are not sent again by themselves: they may have arrived, are too large, or are damaged. Each needs a person.")
	sendingOldest   = description("khatm_submission_oldest_seconds", "How long ago the oldest document without an answer was created.")
	sendingOver     = description("khatm_submissions_over_hours", "Simplified documents that have waited longer than so many of the law's 24 hours.", "hours")
	sendingAttempts = description("khatm_submission_attempts_total", "Attempts to send a document, by outcome.", "outcome")
	sendingUnderWay = description("khatm_submission_calls", "Calls to the authority under way.")
	sendingBreaker  = description("khatm_submission_breaker_open", "1 while an endpoint of the authority is given a rest.", "route")
	sendingCopies   = description("khatm_documents_unstamped", "Cleared documents without the authority's stamped copy: requested (automatically) or stopped (each needs a person).", "state")
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
		sendingStates, sendingStopped, sendingOldest, sendingOver, sendingAttempts, sendingUnderWay, sendingBreaker, sendingParked, sendingCopies,
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
