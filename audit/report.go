package audit

import "github.com/google/uuid"

// Report is what an audit came to.
type Report struct {
	Devices   []*Line `json:"devices"`
	Documents int64   `json:"documents"`
	Entries   int64   `json:"entries"`  // of the audit trail
	Attempts  int64   `json:"attempts"` // sendings as kept

	Authority *Count `json:"authority,omitempty"` // its journal, if it was held against
	Clients   *Count `json:"clients,omitempty"`   // theirs, if it was held against

	Broken  map[Invariant]int64 `json:"broken,omitempty"`  // how many faults each has; empty when all is right
	Faults  []Fault             `json:"faults,omitempty"`  // the first of each, in the order they were found
	Remarks []string            `json:"remarks,omitempty"` // worth knowing, and no fault

	lines map[uuid.UUID]*Line
}

// Line is what is told of one device.
type Line struct {
	Device       uuid.UUID `json:"device"`
	Organisation uuid.UUID `json:"organisation"`
	Name         string    `json:"name"`
	Documents    int64     `json:"documents"`
	First        int64     `json:"first"` // counter
	Last         int64     `json:"last"`
	Cleared      int64     `json:"cleared"`
	Reported     int64     `json:"reported"`
	Rejected     int64     `json:"rejected"`
	Unanswered   int64     `json:"unanswered"` // no final verdict yet
	Faults       int64     `json:"faults"`     // those found later, in journals and trail, included
}

// Count is how much of a journal was read.
type Count struct {
	Records  int64 `json:"records"`
	Accepted int64 `json:"accepted"` // new acceptances, or requests answered 202
	Bad      int64 `json:"bad"`      // lines that are no record
	Torn     int64 `json:"torn"`     // bytes of an unfinished last line
}

// Sound says whether no fault was found.
func (r *Report) Sound() bool { return len(r.Broken) == 0 }

// Total is the number of faults.
func (r *Report) Total() int64 {
	n := int64(0)
	for _, of := range r.Broken {
		n += of
	}
	return n
}

func (r *Report) line(d Device) *Line {
	l := &Line{Device: d.ID, Organisation: d.Organisation, Name: d.Name}
	r.Devices = append(r.Devices, l)
	r.lines[d.ID] = l
	return l
}
