package audit

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Fault is a violation of an invariant. Unknown fields are zero.
type Fault struct {
	Invariant    Invariant `json:"invariant"`
	Organisation uuid.UUID `json:"organisation,omitzero"`
	Device       uuid.UUID `json:"device,omitzero"`
	Document     uuid.UUID `json:"document,omitzero"`
	Counter      int64     `json:"counter,omitempty"`
	Text         string    `json:"text"`
}

// String formats the fault in one line, without the device, whose name it does
// not know.
func (f Fault) String() string {
	var where []string
	if f.Counter != 0 {
		where = append(where, fmt.Sprintf("counter %d", f.Counter))
	}
	if f.Document != uuid.Nil {
		where = append(where, "document "+f.Document.String())
	}
	if len(where) == 0 && f.Device == uuid.Nil && f.Organisation != uuid.Nil {
		where = append(where, "organisation "+f.Organisation.String())
	}
	if len(where) == 0 {
		return f.Text
	}
	return strings.Join(where, ", ") + ": " + f.Text
}

// maxText limits the text of a fault, which may quote a hostile document.
const maxText = 500

func clip(text string) string {
	if len(text) <= maxText {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// maxFaults is the number of faults listed for each invariant. Further ones are
// only counted.
const maxFaults = 100

// find records a fault.
func (r *Report) find(f Fault) {
	f.Text = clip(f.Text)
	if line := r.lines[f.Device]; line != nil {
		line.Faults++
	}
	if r.Broken == nil {
		r.Broken = map[Invariant]int64{}
	}
	r.Broken[f.Invariant]++
	if r.Broken[f.Invariant] <= maxFaults {
		r.Faults = append(r.Faults, f)
	}
}

// remark records a note that is not a fault.
func (r *Report) remark(format string, args ...any) {
	r.Remarks = append(r.Remarks, fmt.Sprintf(format, args...))
}
