package mail

import "sync/atomic"

// counts holds the counters of a Postman since its start.
type counts struct {
	sent, refused, failed atomic.Int64
}

// Figures counts the attempts to send e-mails since the Postman started.
type Figures struct {
	Sent    int64 // accepted by the mail server
	Refused int64 // refused for good
	Failed  int64 // failed and tried again later
}

// Figures returns the current counts.
func (p *Postman) Figures() Figures {
	return Figures{Sent: p.counts.sent.Load(), Refused: p.counts.refused.Load(), Failed: p.counts.failed.Load()}
}
