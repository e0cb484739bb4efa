package issue

// BatchOf returns how many of the requests that wait, in their order and with so
// many lines each, go into the next batch.
func BatchOf(lineCounts ...int) int {
	one := &lane{}
	for _, n := range lineCounts {
		one.waiting = append(one.waiting, &member{prepared: &prepared{Request: Request{FormLines: make([]FormLine, n)}}})
	}
	return len(newLanes(nil).next(one))
}

// FullLane reports whether a lane in which n requests wait refuses one more.
func FullLane(n int) bool {
	l := newLanes(nil)
	one := &lane{waiting: make([]*member, n)}
	l.byOrg[one.of.ID()] = one
	return l.add(one.of, &member{}) != nil
}
