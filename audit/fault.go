package audit

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Fault is one thing that is wrong. What is not known of it is zero.
type Fault struct {
	Invariant    Invariant `json:"invariant"`
	Organisation uuid.UUID `json:"organisation,omitzero"`
	Device       uuid.UUID `json:"device,omitzero"`
	Document     uuid.UUID `json:"document,omitzero"`
	Counter      int64     `json:"counter,omitempty"`
	Text         string    `json:"text"`
}

// String is the fault in one line; the device is left to who knows its name.
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

// maxText is the longest text of a fault; a document may be hostile.
const maxText = 500

func clip(text string) string {
	if len(text) <= maxText {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// maxFaults is how many faults are told one by one, of each invariant; the rest
// is counted.
const maxFaults = 100

// find enters a fault.
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

// remark enters what is worth knowing and no fault.
func (r *Report) remark(format string, args ...any) {
	r.Remarks = append(r.Remarks, fmt.Sprintf(format, args...))
}
