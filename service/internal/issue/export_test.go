package issue

import "khatm/invoice"

// Remaining returns what is left of an advance.
func Remaining(e Earlier) []invoice.Subtotal { return e.remaining() }

// BatchOf returns how many queued requests with the given numbers of lines go
// into the next batch.
func BatchOf(lineCounts ...int) int {
	one := &lane{}
	for _, n := range lineCounts {
		one.waiting = append(one.waiting, &member{prepared: &prepared{Request: Request{FormLines: make([]FormLine, n)}}})
	}
	return len(newLanes(nil).next(one).members)
}

// FullLane reports whether a lane with n queued requests refuses another one.
func FullLane(n int) bool {
	l := newLanes(nil)
	one := &lane{waiting: make([]*member, n)}
	l.byOrg[one.of.ID()] = one
	return l.add(one.of, &member{}) != nil
}
