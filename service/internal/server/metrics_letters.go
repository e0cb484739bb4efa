package server

import (
	"context"
	"time"

	"khatm/service/internal/mail"
	"khatm/service/internal/metric"
	"khatm/service/internal/store"
)

// letters collects the metrics of e-mails.
type letters struct {
	by   *mail.Postman
	kept *store.Store
	now  func() time.Time
}

var (
	letterStates   = metric.Gauge("khatm_letters", "E-mails of the last 24 hours, by state, and all waiting ones.", "state")
	letterAttempts = metric.Counter("khatm_letter_attempts_total", "Attempts of this process to send an e-mail to the mail server, by outcome.", "outcome")
)

func (m *metrics) watchLetters(l letters) { m.registry.Collect(l.collect) }

// countTime limits a count in the database.
const countTime = 2 * time.Second

// collect leaves out the states if the database does not answer, which other metrics
// show.
func (l letters) collect(to *metric.Page) {
	f := l.by.Figures()
	for outcome, n := range map[string]int64{"sent": f.Sent, "refused": f.Refused, "failed": f.Failed} {
		to.Add(letterAttempts, float64(n), outcome)
	}
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	counted, err := l.kept.CountLetters(ctx, l.now().Add(-24*time.Hour))
	if err != nil {
		return
	}
	for _, state := range mail.States() {
		to.Add(letterStates, float64(counted[state]), string(state))
	}
}
