package submit

import "time"

// moment is the current time and its reliability.
type moment struct {
	now     time.Time
	known   bool // now was compared with the authority's time, or there is no such time to compare with
	trusted bool // right as far as is known
}

// moment reads the clock. Known and Trusted are called before Now: Now corrects
// a clock known to be wrong, so a time read afterwards is right. In the other
// order, a time read before the authority's answer could count as compared with
// it.
func (s *Submitter) moment() moment {
	m := moment{known: s.Known == nil || s.Known(), trusted: s.Trusted == nil || s.Trusted()}
	m.now = s.Now()
	return m
}

// far returns a limit for due times. Nothing that waits for at most the given
// duration can be due later, so a later time was written by a wrong clock and
// counts as past. While the time is not known, no time counts as wrong.
func (m moment) far(most time.Duration) time.Time {
	if !m.known {
		return m.now.Add(forEver)
	}
	return m.now.Add(most + Skew)
}

// doubt returns the earliest sending time for which the authority still
// recognises duplicates. Unanswered documents sent before it are not sent
// again. While the time is not known, no unanswered document is sent again.
func (m moment) doubt() time.Time {
	if !m.known {
		return m.now.Add(forEver)
	}
	return m.now.Add(-DoubtTime)
}

const forEver = 100 * 365 * 24 * time.Hour
