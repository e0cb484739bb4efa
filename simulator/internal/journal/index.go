package journal

import "time"

// Window is how long the authority remembers an accepted document.
const Window = 24 * time.Hour

// index knows where each accepted document stands in the file, and nothing
// else about it: 24 bytes an entry, about 35 with the map around it. It has two generations of one window each;
// when the newer is a window old, the older goes as a whole. So an entry is
// there for at least one window and at most two, and whoever finds one asks
// the record itself for its time.
type index struct {
	newer, older map[digest]int64
	since        time.Time // when the newer generation began
}

func newIndex(now time.Time) *index {
	return &index{newer: map[digest]int64{}, older: map[digest]int64{}, since: now}
}

// turn drops what is too old. A clock that was set back turns nothing.
func (x *index) turn(now time.Time) {
	switch age := now.Sub(x.since); {
	case age < Window:
		return
	case age < 2*Window:
		x.older, x.newer = x.newer, map[digest]int64{}
	default:
		x.older, x.newer = map[digest]int64{}, map[digest]int64{}
	}
	x.since = now
}

func (x *index) find(d digest) (at int64, found bool) {
	if at, found = x.newer[d]; found {
		return at, true
	}
	at, found = x.older[d]
	return at, found
}

func (x *index) add(d digest, at int64) { x.newer[d] = at }

func (x *index) size() int { return len(x.newer) + len(x.older) }
