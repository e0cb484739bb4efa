package ledger

import "slices"

// Route is the endpoint of the authority that a document is sent to.
type Route string

// Routes. Standard documents are cleared unless the authority has switched
// clearance off; simplified ones are reported.
const (
	ByClearance Route = "clearance"
	ByReporting Route = "reporting"
)

// Routes returns both routes.
func Routes() []Route { return []Route{ByClearance, ByReporting} }

// RouteOf returns the route for the first attempt.
func RouteOf(simplified bool) Route {
	if simplified {
		return ByReporting
	}
	return ByClearance
}

// Standing is the progress of an invoice: the internal state of its submission
// and the status shown to callers.
type Standing struct {
	State  SubmissionState
	Status Status
}

// Event changes the Standing of an invoice. Every outcome of an attempt is an
// event; the others occur between attempts.
type Event string

// Events that are not outcomes.
const (
	Claim   Event = "claim"   // a worker starts to send it
	Lapse   Event = "lapse"   // the lease of the worker has expired
	Due     Event = "due"     // the next retry is due
	Park    Event = "park"    // its device, or all sending, was put on hold
	Release Event = "release" // the hold has ended
	Stop    Event = "stop"    // sent too long ago without an answer to be sent again safely
	Ask     Event = "ask"     // a caller requests another attempt
	Damaged Event = "damaged" // its stored copy is damaged and cannot be sent
)

// OutcomeEvent returns the event of an attempt that ended with o.
func OutcomeEvent(o Outcome) Event { return Event(o) }

// word is the effect of an event on the status.
type word int

const (
	same     word = iota // unchanged
	cleared              // set to Unanswered
	silent               // set to NoResponse
	accepted             // set to the final status of acceptance
	rejected             // set to the final status of rejection
)

// move is one transition of a Standing.
type move struct {
	from   SubmissionState
	status []Status // statuses it applies to; nil for all
	on     []Event
	to     SubmissionState
	word   word
}

var (
	yes = []Event{Event(Accepted), Event(Duplicate)}
	no  = []Event{Event(Rejected)}
)

// moves lists all transitions. Other events are ignored.
//
// A final answer is accepted in every state but done, from any worker. Any
// other outcome is accepted only in state sending.
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

// After returns the standing after an event, and whether the event changes it.
// final is the status to set on a final answer; see FinalStatus.
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

// FinalStatus returns the status of a final outcome, or Unanswered if o is not
// final. A standard document accepted by reporting is Reported; a refused one is
// NotCleared whatever its route.
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

// Final reports whether the outcome is a final answer of the authority.
func (o Outcome) Final() bool { return o == Accepted || o == Duplicate || o == Rejected }

// Outcomes returns all outcomes.
func Outcomes() []Outcome {
	return []Outcome{Accepted, Duplicate, Rejected, UseReporting, Unauthorised, Throttled, TooLarge, Unknown}
}
