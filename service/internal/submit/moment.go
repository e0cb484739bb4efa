package submit

import "time"

// moment is the time, with how far it can be relied on.
type moment struct {
	now     time.Time
	known   bool // compared with the authority's time, or it cannot be
	trusted bool // right as far as is known
}

// moment reads the clock. What is known of it is asked first: Now corrects a
// clock that is known to be wrong, so a time that is read afterwards is right.
// In the other order a time from before the authority's answer would pass for
// one that was compared with it.
func (s *Submitter) moment() moment {
	m := moment{known: s.Known == nil || s.Known(), trusted: s.Trusted == nil || s.Trusted()}
	m.now = s.Now()
	return m
}

// far returns the instant after which nothing that waits so long at most can be
// due: a later time was written by a clock that was wrong, and counts as past.
// While the time is not known, none is.
func (m moment) far(most time.Duration) time.Time {
	if !m.known {
		return m.now.Add(forEver)
	}
	return m.now.Add(most + Skew)
}

// doubt returns the instant after which a document that may have arrived is
// still known to the authority. While the time is not known, no such document is
// sent.
func (m moment) doubt() time.Time {
	if !m.known {
		return m.now.Add(forEver)
	}
	return m.now.Add(-DoubtTime)
}

const forEver = 100 * 365 * 24 * time.Hour
