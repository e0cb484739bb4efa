package ledger

import "slices"

// CopyState is the state of the request for the stamped copy of a document that
// was cleared without one.
type CopyState string

// The states of a copy request.
const (
	CopyWaiting CopyState = "waiting" // will be requested when due
	CopySending CopyState = "sending" // a request is in progress
	CopyStopped CopyState = "stopped" // no longer requested
	CopyArrived CopyState = "arrived" // the copy is stored
)

// Arrive is the event that a stamped copy arrived and was verified.
const Arrive Event = "arrive"

// copyMoves lists all transitions of a copy request. Other events are ignored. A
// copy that arrives is stored in every state but arrived.
var copyMoves = []struct {
	from CopyState
	on   []Event
	to   CopyState
}{
	{CopyWaiting, []Event{Claim}, CopySending},
	{CopyWaiting, []Event{Stop}, CopyStopped},
	{CopySending, []Event{
		Lapse, Event(Accepted), Event(Duplicate), Event(UseReporting), Event(Unauthorised), Event(Throttled), Event(TooLarge), Event(Unknown),
	}, CopyWaiting},
	{CopySending, no, CopyStopped},
	{CopyWaiting, []Event{Arrive}, CopyArrived},
	{CopySending, []Event{Arrive}, CopyArrived},
	{CopyStopped, []Event{Arrive}, CopyArrived},
}

// After returns the state after an event, and whether the event changes it.
// Accepted and Duplicate are answers that contained no copy.
func (s CopyState) After(e Event) (CopyState, bool) {
	for _, m := range copyMoves {
		if m.from == s && slices.Contains(m.on, e) {
			return m.to, true
		}
	}
	return s, false
}
