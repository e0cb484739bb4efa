package mail

import "sync/atomic"

// counts is what a postman counts since it began.
type counts struct {
	sent, refused, failed atomic.Int64
}

// Figures is what came of attempts since the postman began.
type Figures struct {
	Sent    int64 // handed over
	Refused int64 // which the server will not have
	Failed  int64 // which are tried again
}

// Figures tells how it went so far.
func (p *Postman) Figures() Figures {
	return Figures{Sent: p.counts.sent.Load(), Refused: p.counts.refused.Load(), Failed: p.counts.failed.Load()}
}
