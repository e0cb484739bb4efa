package journal

import "time"

// Window is how long an accepted document is recognised as a duplicate.
const Window = 24 * time.Hour

// index maps accepted documents to their offset in the file: 24 bytes per
// entry, about 35 with the overhead of the map. It has two generations of one
// window each; when the newer one is a window old, the older one is dropped. An
// entry is therefore kept for one to two windows, and its record must be
// checked for the exact time.
type index struct {
	newer, older map[digest]int64
	since        time.Time // start of the newer generation
}

func newIndex(now time.Time) *index {
	return &index{newer: map[digest]int64{}, older: map[digest]int64{}, since: now}
}

// turn drops generations that are too old. It does nothing if the clock was set
// back.
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
