package audit

import "github.com/google/uuid"

// Report is the result of an audit.
type Report struct {
	Devices   []*Line `json:"devices"`
	Documents int64   `json:"documents"`
	Entries   int64   `json:"entries"`  // of the audit trail
	Attempts  int64   `json:"attempts"` // recorded attempts to send

	Authority *Count `json:"authority,omitempty"` // its journal, if compared
	Clients   *Count `json:"clients,omitempty"`   // their journal, if compared

	Broken  map[Invariant]int64 `json:"broken,omitempty"`  // number of faults of each invariant; empty if there are none
	Faults  []Fault             `json:"faults,omitempty"`  // the first of each invariant, in the order found
	Remarks []string            `json:"remarks,omitempty"` // notes that are not faults

	lines map[uuid.UUID]*Line
}

// Line is the summary of one device.
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
	Faults       int64     `json:"faults"`     // including those found in journals and the trail
}

// Count is the number of records read from a journal.
type Count struct {
	Records  int64 `json:"records"`
	Accepted int64 `json:"accepted"` // new acceptances, or requests answered 202
	Bad      int64 `json:"bad"`      // invalid lines
	Torn     int64 `json:"torn"`     // bytes of an unfinished last line
}

// Sound reports whether no fault was found.
func (r *Report) Sound() bool { return len(r.Broken) == 0 }

// Total returns the number of faults.
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
