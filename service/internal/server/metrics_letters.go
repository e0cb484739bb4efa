package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/mail"
	"khatm/service/internal/store"
)

// letters collects the metrics of e-mails.
type letters struct {
	by   *mail.Postman
	kept *store.Store
	now  func() time.Time
}

var (
	letterStates   = description("khatm_letters", "E-mails of the last 24 hours, by state, and all waiting ones.", "state")
	letterAttempts = description("khatm_letter_attempts_total", "Attempts of this process to send an e-mail to the mail server, by outcome.", "outcome")
)

func (m *metrics) watchLetters(l letters) { m.registry.MustRegister(l) }

// Describe implements [prometheus.Collector].
func (letters) Describe(to chan<- *prometheus.Desc) {
	to <- letterStates
	to <- letterAttempts
}

// countTime limits a count in the database.
const countTime = 2 * time.Second

// Collect implements [prometheus.Collector]. It leaves out the states if the
// database does not answer, which other metrics show.
func (l letters) Collect(to chan<- prometheus.Metric) {
	f := l.by.Figures()
	for outcome, n := range map[string]int64{"sent": f.Sent, "refused": f.Refused, "failed": f.Failed} {
		to <- prometheus.MustNewConstMetric(letterAttempts, prometheus.CounterValue, float64(n), outcome)
	}
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	counted, err := l.kept.CountLetters(ctx, l.now().Add(-24*time.Hour))
	if err != nil {
		return
	}
	for _, state := range mail.States() {
		to <- prometheus.MustNewConstMetric(letterStates, prometheus.GaugeValue, float64(counted[state]), string(state))
	}
}
