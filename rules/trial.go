package rules

import "strings"

// trial collects the outcome of one rule for one document.
type trial struct {
	document *document
	applies  bool
	places   []Place
	failures []failure
	count    int // how often the sheets report the rule

	grouped bool                // whether the places found now are one failure
	failed  bool                // whether the current group has found a place
	nodes   func(*document) int // the number of nodes at which the sheets test the rule; nil means one
	repeats int                 // the result of nodes, or 0
}

// failure is one failed test of the sheets: a number of consecutive places, and
// how often the sheets report it.
type failure struct{ places, times int }

// seen records that the document contains something the rule checks.
func (t *trial) seen() { t.applies = true }

// maxPlaces limits the places reported for one rule: finding the JSON field of
// a place scans the document, and the first places are enough to fix it.
const maxPlaces = 100

// fail records that the rule failed at a place.
func (t *trial) fail(path, got, want string) {
	t.applies, t.failed = true, true
	if !t.grouped {
		t.count += t.times()
	}
	if len(t.places) == maxPlaces {
		return
	}
	t.places = append(t.places, Place{Path: path, Field: t.document.field(path), Got: got, Want: want})
	if !t.grouped {
		t.failures = append(t.failures, failure{1, t.times()})
	}
}

// group calls record and counts all places that it finds as one failure.
func (t *trial) group(record func()) {
	before := len(t.places)
	t.grouped, t.failed = true, false
	record()
	t.grouped = false
	if t.failed {
		t.count += t.times()
	}
	if found := len(t.places) - before; found > 0 { // otherwise all are over the limit
		t.failures = append(t.failures, failure{found, t.times()})
	}
}

func (t *trial) times() int {
	if t.repeats == 0 {
		t.repeats = 1
		if t.nodes != nil {
			t.repeats = t.nodes(t.document)
		}
	}
	return t.repeats
}

func (t *trial) status() Status {
	switch {
	case len(t.places) > 0:
		return Failed
	case t.applies:
		return Passed
	}
	return NotApplicable
}

// together returns a check that counts all places that check finds as one
// failure, because the sheets test them in one condition.
func together(check func(*document, *trial)) func(*document, *trial) {
	return func(d *document, t *trial) { t.group(func() { check(d, t) }) }
}

// atEach returns a check whose failures are all counted once for each of the
// nodes: the sheets test the whole document again at each of them.
func atEach(nodes func(*document) int, check func(*document, *trial)) func(*document, *trial) {
	return func(d *document, t *trial) {
		t.nodes = nodes
		check(d, t)
	}
}

// Findings returns a finding for each time that the official sheets report the
// rule, at most 100. The sheets report some faults several times, and several
// faults as one: such a finding is at the first place, and Want contains the
// others.
func (r *Result) Findings() []Finding {
	var found []Finding
	places := r.Places
	for _, f := range r.failures {
		finding := Finding{ID: r.Rule.ID, Flag: r.Rule.Flag, Says: r.Rule.Says, Fix: r.Rule.Fix, Place: joined(places[:f.places])}
		places = places[f.places:]
		for range min(f.times, maxFindings-len(found)) {
			found = append(found, finding)
		}
	}
	return found
}

// joined returns the first place, with the paths of the others in Want.
func joined(places []Place) Place {
	const most = 5 // paths; the text is for a line of output
	first := places[0]
	var others []string
	for _, p := range places[1:] {
		if len(others) == most {
			others = append(others, "…")
			break
		}
		others = append(others, p.Path)
	}
	if len(others) > 0 {
		first.Want += "; also at " + strings.Join(others, ", ")
	}
	return first
}
