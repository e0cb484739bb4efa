package mood

import "time"

// Knob documents one way to misbehave.
type Knob struct {
	Name     string
	Does     string
	Where    string   // the endpoints on which it may act
	Ran      string   // whether the handler ran: "yes", "no", or when
	Settings []string // beside the rate
	Default  Setting  // of those settings, where a plan says nothing
	Moody    string   // its rate in the plan "moody"
	Off      string   // how it is switched off in a plan
}

// Knobs lists every knob, in the order in which they are applied.
func Knobs() []Knob {
	all := make([]Knob, len(table))
	for i, k := range table {
		all[i] = k.Knob
		all[i].Where = k.scope.name
		all[i].Moody = "off"
		if s, on := named["moody"][k.Name]; on {
			all[i].Moody = s.Rate.String()
		}
		all[i].Off = `"` + k.Name + `": 0`
	}
	return all
}

type kind int

const (
	delay kind = iota // beside anything else
	fault             // at most one a request
	shape             // beside anything else that leaves the answer's body alone
)

// A knob is its page in the manual and what it does.
type knob struct {
	Knob
	kind     kind
	scope    scope
	statuses []int // that it may be set to
	// runs says whether the handler is to run. It never does if there is none.
	runs func(*strike) bool
	// discards: the body of the handler's answer is not needed.
	discards bool
	// change makes the answer what it is to be. It answers false, and has
	// touched nothing, where the answer is not one it could strike.
	change func(*strike, *answer) bool
}

func find(name string) *knob {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

var gateway = []int{500, 502, 503, 504}

// table is the manual. Its order is the order of application, and that of the
// one draw among faults: a new row goes to the end of its kind.
var table = []knob{
	{
		Knob: Knob{Name: "latency", Ran: "yes", Settings: []string{"median", "p99"},
			Default: Setting{Median: 150 * time.Millisecond, P99: 2 * time.Second},
			Does:    "the answer is late, by a log-normal time that never exceeds ten times p99"},
		kind: delay, scope: everywhere,
	}, {
		Knob: Knob{Name: "server_error", Ran: "in the share \"accepted\" of the 504 answers", Settings: []string{"statuses", "accepted"},
			Default: Setting{Statuses: []int{500, 503, 504}},
			Does:    "500, 502, 503 or 504 with the body of a gateway; behind a 504 the document may have been accepted"},
		kind: fault, scope: everywhere, statuses: gateway, runs: behindGatewayTimeout, discards: true, change: serverError,
	}, {
		Knob: Knob{Name: "too_many", Ran: "no", Settings: []string{"retry_after"},
			Default: Setting{RetryAfter: 5 * time.Second},
			Does:    "429 that says in Retry-After, in seconds, when to come back"},
		kind: fault, scope: everywhere, change: tooMany,
	}, {
		Knob: Knob{Name: "too_many_silent", Ran: "no",
			Does: "429 that does not say when to come back"},
		kind: fault, scope: everywhere, change: tooManySilent,
	}, {
		Knob: Knob{Name: "timeout", Ran: "in the share \"accepted\"", Settings: []string{"hold", "accepted"},
			Default: Setting{Hold: 6 * time.Minute},
			Does:    "no answer: the connection is held until the client leaves, at most for \"hold\", and then closed"},
		kind: fault, scope: everywhere, runs: inShare, discards: true, change: hold,
	}, {
		Knob: Knob{Name: "drop_before", Ran: "no",
			Does: "the connection is reset before the document is looked at"},
		kind: fault, scope: everywhere, change: reset,
	}, {
		Knob: Knob{Name: "drop_after", Ran: "yes",
			Does: "the document is judged, and accepted if it is good; then the connection is closed without an answer"},
		kind: fault, scope: everywhere, runs: always, discards: true, change: hangUp,
	}, {
		Knob: Knob{Name: "empty_body", Ran: "yes",
			Does: "the right status and headers with no body"},
		kind: fault, scope: judged, runs: always, discards: true, change: emptyBody,
	}, {
		Knob: Knob{Name: "truncated_body", Ran: "yes",
			Does: "the first half of the body; one time in two as if that were all, else with the connection cut in mid-body"},
		kind: fault, scope: judged, runs: always, change: truncatedBody,
	}, {
		Knob: Knob{Name: "html_body", Ran: "in the share \"accepted\"", Settings: []string{"statuses", "accepted"},
			Default: Setting{Statuses: []int{200, 502}},
			Does:    "a page in HTML from something in between"},
		kind: fault, scope: judged, statuses: append([]int{200}, gateway...), runs: inShare, discards: true, change: htmlBody,
	}, {
		Knob: Knob{Name: "wrong_type", Ran: "yes",
			Does: "the right JSON, called text/plain"},
		kind: fault, scope: judged, runs: always, change: wrongType,
	}, {
		Knob: Knob{Name: "duplicate_first", Ran: "yes",
			Does: "a first document is accepted and answered as if it had been sent before: 208 with the cleared document on clearance, 409 on reporting"},
		kind: fault, scope: submissions, runs: always, change: duplicateFirst,
	}, {
		Knob: Knob{Name: "unauthorised", Ran: "no",
			Does: "401 for credentials that are good"},
		kind: fault, scope: judged, change: unauthorised,
	}, {
		Knob: Knob{Name: "too_large", Ran: "no",
			Does: "413 for a document of any size"},
		kind: fault, scope: judged, change: tooLarge,
	}, {
		Knob: Knob{Name: "slow_drip", Ran: "yes", Settings: []string{"bytes", "pause", "hold"},
			Default: Setting{Bytes: 7, Pause: 100 * time.Millisecond, Hold: time.Minute},
			Does:    "the body comes \"bytes\" at a time with a \"pause\" between; what is left after \"hold\" comes at once"},
		kind: fault, scope: everywhere, runs: always, change: slowDrip,
	}, {
		Knob: Knob{Name: "endless_body", Ran: "yes", Settings: []string{"bytes", "hold"},
			Default: Setting{Bytes: 64 << 20, Hold: 6 * time.Minute},
			Does:    "a body of messages that never ends: until the client leaves, or \"bytes\" are sent, or \"hold\" is over; then the connection is cut"},
		kind: fault, scope: judged, runs: always, discards: true, change: endlessBody,
	}, {
		Knob: Knob{Name: "contradiction", Ran: "with 400", Settings: []string{"statuses"},
			Default: Setting{Statuses: []int{200, 400}},
			Does:    "status and body disagree: 200 over a body that refuses, of a document not accepted; or 400 over a body that accepts, of a document accepted"},
		kind: fault, scope: judged, statuses: []int{200, 400}, runs: withBadRequest, change: contradiction,
	}, {
		Knob: Knob{Name: "empty_rejection", Ran: "no",
			Does: "400 whose messages are empty or all null: a passing fault that looks like a rejection"},
		kind: fault, scope: judged, change: emptyRejection,
	}, {
		Knob: Knob{Name: "clearance_off", Ran: "no",
			Does: "303 that sends the document to reporting; a simulator that draws it must take standard documents there"},
		kind: fault, scope: clearances, change: clearanceOff,
	}, {
		Knob: Knob{Name: "shuffled_messages", Ran: "yes",
			Does: "the messages of each list in random order"},
		kind: shape, scope: judged, change: shuffledMessages,
	}, {
		Knob: Knob{Name: "unknown_fields", Ran: "yes",
			Does: "fields nobody documented: in the answer, in its results and in each message"},
		kind: shape, scope: judged, change: unknownFields,
	}, {
		Knob: Knob{Name: "info_object", Ran: "yes",
			Does: "a single information message stands as an object where a list should be"},
		kind: shape, scope: judged, change: infoObject,
	}, {
		Knob: Knob{Name: "flat_results", Ran: "yes",
			Does: "warningMessages, errorMessages and status stand beside validationResults and not in it, as in the official example"},
		kind: shape, scope: judged, change: flatResults,
	},
}
