package simulator

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"khatm/simulator/internal/judge"
)

// Limits of a forced rejection. The journal keeps 8 reasons of a request, so
// that it names every forced code.
const (
	maxForcedCodes = 8
	maxForcedTimes = 1000
)

// rejection forces the rejection of the next documents.
type rejection struct {
	Codes []string `json:"codes"` // ids of rules
	Times int      `json:"times"` // documents still to be rejected
}

// check returns an error if the rejection cannot be forced.
func (r rejection) check() error {
	switch {
	case len(r.Codes) == 0 || len(r.Codes) > maxForcedCodes:
		return fmt.Errorf("codes must have 1 to %d ids of rules", maxForcedCodes)
	case r.Times < 1 || r.Times > maxForcedTimes:
		return fmt.Errorf("times must be a number from 1 to %d", maxForcedTimes)
	}
	for _, code := range r.Codes {
		if !judge.IsRule(code) {
			return fmt.Errorf("unknown rule %q; khatm rules lists all rules", code)
		}
	}
	return nil
}

// rejections is the queue of forced rejections. It is not saved.
type rejections struct {
	mu    sync.Mutex
	queue []rejection
}

// maxRejections bounds the queue.
const maxRejections = 1000

// add appends a rejection.
func (q *rejections) add(r rejection) error {
	if err := r.check(); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) >= maxRejections {
		return errors.New("too many rejections are waiting; DELETE /rejections removes them")
	}
	q.queue = append(q.queue, rejection{slices.Clone(r.Codes), r.Times})
	return nil
}

// waiting returns the rejections still to be applied, the next one first.
func (q *rejections) waiting() []rejection {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]rejection{}, q.queue...)
}

// clear removes all rejections.
func (q *rejections) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = nil
}

// next returns the codes for the next document, or nil, and uses one rejection.
func (q *rejections) next() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	first := &q.queue[0]
	codes := first.Codes
	if first.Times--; first.Times == 0 {
		q.queue = q.queue[1:]
	}
	return codes
}

// forceRejection adds the codes of a forced rejection to the verdict, if one is
// waiting. A document that was accepted before stays a duplicate and uses none.
func (s *Simulator) forceRejection(c *call, v *judge.Verdict) error {
	if _, known, err := s.known(c); err != nil || known {
		return err
	}
	for _, code := range s.rejections.next() {
		v.Refuse(code, language(c.header.Get("Accept-Language")))
		if !slices.Contains(c.codes, code) {
			c.codes = append(c.codes, code)
		}
		c.explain(forced, code, why{
			"this rejection was forced with POST /rejections of the control API", "rejections of the simulator",
			"Handle it as a rejection by the real authority; DELETE /rejections of the control API ends forced rejections.",
		})
	}
	return nil
}
