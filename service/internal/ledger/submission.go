package ledger

import "slices"

// Route is the way a document takes to the authority.
type Route string

// The routes. A standard document is cleared, unless the authority says that
// clearance is switched off; a simplified one is reported.
const (
	ByClearance Route = "clearance"
	ByReporting Route = "reporting"
)

// Routes are both.
func Routes() []Route { return []Route{ByClearance, ByReporting} }

// RouteOf is the way that a document takes at first.
func RouteOf(simplified bool) Route {
	if simplified {
		return ByReporting
	}
	return ByClearance
}

// Standing is where an invoice stands on its way to a verdict: the state of its
// sending, which is ours, and its status, which callers see.
type Standing struct {
	State  SubmissionState
	Status Status
}

// Event is what can happen to an invoice that is to be sent. The outcomes of an
// attempt are events; the others happen between attempts.
type Event string

// The events that are no outcome.
const (
	Claim   Event = "claim"   // somebody begins to send it
	Lapse   Event = "lapse"   // whoever was sending it did not come back in time
	Due     Event = "due"     // the time of the next try has come
	Park    Event = "park"    // its device, or all sending, was put on hold
	Release Event = "release" // what put it on hold is over
	Stop    Event = "stop"    // it may have arrived so long ago that the authority forgets
	Ask     Event = "ask"     // a caller wants it sent again
	Damaged Event = "damaged" // its stored copy is damaged, so that it is not sent
)

// OutcomeEvent is the event that an attempt ended with an outcome.
func OutcomeEvent(o Outcome) Event { return Event(o) }

// word is what an event does to the status.
type word int

const (
	same     word = iota // nothing
	cleared              // back to unanswered
	silent               // no response
	accepted             // the authority's yes, final
	rejected             // the authority's no, final
)

// move is one cell of the table: what a standing becomes.
type move struct {
	from   SubmissionState
	status []Status // in which the row holds; nil for any
	on     []Event
	to     SubmissionState
	word   word
}

var (
	yes = []Event{Event(Accepted), Event(Duplicate)}
	no  = []Event{Event(Rejected)}
)

// moves is every move there is. What is not here is refused: nothing happens.
//
// A final answer is taken in every state but done, whoever brings it; any other
// outcome only from whoever is sending.
var moves = []move{
	{Queued, nil, []Event{Claim}, Sending, same},
	{Queued, nil, []Event{Park}, Held, same},
	{Queued, nil, []Event{Stop}, Held, silent},
	{Queued, []Status{NoResponse}, []Event{Ask}, Queued, cleared},

	{Sending, nil, []Event{Event(UseReporting), Event(Throttled)}, Queued, same},
	{Sending, nil, []Event{Event(Unauthorised), Damaged}, Held, same},
	{Sending, nil, []Event{Event(TooLarge)}, Held, silent},
	{Sending, nil, []Event{Event(Unknown), Lapse}, Waiting, silent},

	{Waiting, nil, []Event{Due}, Queued, same},
	{Waiting, nil, []Event{Park, Stop}, Held, same},
	{Waiting, nil, []Event{Ask}, Queued, cleared},

	{Held, nil, []Event{Release}, Queued, same},
	{Held, nil, []Event{Ask}, Queued, cleared},

	{Queued, nil, yes, Done, accepted}, {Queued, nil, no, Done, rejected},
	{Sending, nil, yes, Done, accepted}, {Sending, nil, no, Done, rejected},
	{Waiting, nil, yes, Done, accepted}, {Waiting, nil, no, Done, rejected},
	{Held, nil, yes, Done, accepted}, {Held, nil, no, Done, rejected},
}

// After is where an invoice stands after an event; false if the event changes
// nothing. Final is the status that a yes or a no comes to for this document:
// see FinalStatus.
func (s Standing) After(e Event, final Status) (Standing, bool) {
	for _, m := range moves {
		if m.from != s.State || !slices.Contains(m.on, e) || m.status != nil && !slices.Contains(m.status, s.Status) {
			continue
		}
		next := Standing{m.to, s.Status}
		switch m.word {
		case same:
		case cleared:
			next.Status = Unanswered
		case silent:
			next.Status = NoResponse
		case accepted, rejected:
			next.Status = final
		}
		return next, true
	}
	return s, false
}

// FinalStatus is the status that the authority's word comes to. A standard
// document that was accepted through reporting is reported; one that is refused
// was not cleared, whichever way it went.
func FinalStatus(simplified bool, by Route, o Outcome) Status {
	yes := o == Accepted || o == Duplicate
	switch {
	case o == Rejected && simplified:
		return NotReported
	case o == Rejected:
		return NotCleared
	case yes && by == ByReporting:
		return Reported
	case yes:
		return Cleared
	}
	return Unanswered
}

// Final says whether an outcome is the authority's last word.
func (o Outcome) Final() bool { return o == Accepted || o == Duplicate || o == Rejected }

// Outcomes are all there are.
func Outcomes() []Outcome {
	return []Outcome{Accepted, Duplicate, Rejected, UseReporting, Unauthorised, Throttled, TooLarge, Unknown}
}
