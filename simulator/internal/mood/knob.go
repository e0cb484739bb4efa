package mood

import "time"

// Knob describes one fault that a plan can contain.
type Knob struct {
	Name     string
	Does     string
	Where    string   // endpoints it applies to
	Ran      string   // whether the handler runs: "yes", "no", or in which case
	Settings []string // names of its settings besides the rate
	Default  Setting  // default values of those settings
	Moody    string   // rate in the plan "moody"
	Off      string   // JSON member of a plan that switches it off
	Replaces bool     // it replaces or suppresses the answer, instead of delaying it or changing its shape
}

// Knobs returns the descriptions of all faults, in the order in which they are
// applied.
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
		all[i].Replaces = k.kind == fault
	}
	return all
}

type kind int

const (
	delay kind = iota // combines with any fault or shape
	fault             // at most one per request
	shape             // combines with any fault that keeps the response body
)

// knob is one fault: its description and its implementation.
type knob struct {
	Knob
	kind     kind
	scope    scope
	statuses []int // allowed values of the setting "statuses"
	// runs decides whether the handler runs. A nil runs means that it does not.
	runs func(*injection) bool
	// discards is set if the body of the handler's response is not needed.
	discards bool
	// change modifies the answer. It returns false and leaves the answer
	// unchanged if the fault does not apply to this answer.
	change func(*injection, *answer) bool
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

// table lists all faults in the order of application. The position in the table
// also decides which random numbers select a fault, so a new fault must be
// added at the end of its kind.
var table = []knob{
	{
		Knob: Knob{Name: "latency", Ran: "yes", Settings: []string{"median", "p99"},
			Default: Setting{Median: 150 * time.Millisecond, P99: 2 * time.Second},
			Does:    "delays the answer by a log-normally distributed time, at most ten times p99"},
		kind: delay, scope: everywhere,
	}, {
		Knob: Knob{Name: "server_error", Ran: "for the share \"accepted\" of the 504 answers", Settings: []string{"statuses", "accepted"},
			Default: Setting{Statuses: []int{500, 503, 504}},
			Does:    "answers 500, 502, 503 or 504 with the body of a gateway; with 504 the document may have been accepted"},
		kind: fault, scope: everywhere, statuses: gateway, runs: behindGatewayTimeout, discards: true, change: serverError,
	}, {
		Knob: Knob{Name: "too_many", Ran: "no", Settings: []string{"retry_after"},
			Default: Setting{RetryAfter: 5 * time.Second},
			Does:    "answers 429 with Retry-After in seconds"},
		kind: fault, scope: everywhere, change: tooMany,
	}, {
		Knob: Knob{Name: "too_many_silent", Ran: "no",
			Does: "answers 429 without Retry-After"},
		kind: fault, scope: everywhere, change: tooManySilent,
	}, {
		Knob: Knob{Name: "timeout", Ran: "for the share \"accepted\"", Settings: []string{"hold", "accepted"},
			Default: Setting{Hold: 6 * time.Minute},
			Does:    "sends no answer: holds the connection until the client disconnects, at most for \"hold\", then closes it"},
		kind: fault, scope: everywhere, runs: inShare, discards: true, change: hold,
	}, {
		Knob: Knob{Name: "drop_before", Ran: "no",
			Does: "resets the connection before the document is processed"},
		kind: fault, scope: everywhere, change: reset,
	}, {
		Knob: Knob{Name: "drop_after", Ran: "yes",
			Does: "validates the document and accepts it if it is valid, then closes the connection without an answer"},
		kind: fault, scope: everywhere, runs: always, discards: true, change: hangUp,
	}, {
		Knob: Knob{Name: "empty_body", Ran: "yes",
			Does: "sends the right status and headers with an empty body"},
		kind: fault, scope: judged, runs: always, discards: true, change: emptyBody,
	}, {
		Knob: Knob{Name: "truncated_body", Ran: "yes",
			Does: "sends the first half of the body: half of the time as a complete response, otherwise the connection is closed in the middle of the body"},
		kind: fault, scope: judged, runs: always, change: truncatedBody,
	}, {
		Knob: Knob{Name: "html_body", Ran: "for the share \"accepted\"", Settings: []string{"statuses", "accepted"},
			Default: Setting{Statuses: []int{200, 502}},
			Does:    "sends an HTML page, as a proxy or a firewall does"},
		kind: fault, scope: judged, statuses: append([]int{200}, gateway...), runs: inShare, discards: true, change: htmlBody,
	}, {
		Knob: Knob{Name: "wrong_type", Ran: "yes",
			Does: "sends the right JSON with Content-Type text/plain"},
		kind: fault, scope: judged, runs: always, change: wrongType,
	}, {
		Knob: Knob{Name: "duplicate_first", Ran: "yes",
			Does: "accepts a new document and answers as if it had been sent before: 208 with the cleared document for clearance, 409 for reporting"},
		kind: fault, scope: submissions, runs: always, change: duplicateFirst,
	}, {
		Knob: Knob{Name: "unauthorised", Ran: "no",
			Does: "answers 401 to valid credentials"},
		kind: fault, scope: judged, change: unauthorised,
	}, {
		Knob: Knob{Name: "too_large", Ran: "no",
			Does: "answers 413 to a document of any size"},
		kind: fault, scope: judged, change: tooLarge,
	}, {
		Knob: Knob{Name: "slow_drip", Ran: "yes", Settings: []string{"bytes", "pause", "hold"},
			Default: Setting{Bytes: 7, Pause: 100 * time.Millisecond, Hold: time.Minute},
			Does:    "sends \"bytes\" of the body at a time with a \"pause\" in between; after \"hold\" it sends the rest at once"},
		kind: fault, scope: everywhere, runs: always, change: slowDrip,
	}, {
		Knob: Knob{Name: "endless_body", Ran: "yes", Settings: []string{"bytes", "hold"},
			Default: Setting{Bytes: 64 << 20, Hold: 6 * time.Minute},
			Does:    "sends messages without end, until the client disconnects, \"bytes\" are sent or \"hold\" has passed; then closes the connection"},
		kind: fault, scope: judged, runs: always, discards: true, change: endlessBody,
	}, {
		Knob: Knob{Name: "contradiction", Ran: "with 400", Settings: []string{"statuses"},
			Default: Setting{Statuses: []int{200, 400}},
			Does:    "status and body disagree: 200 with a rejection in the body, and the document is not accepted; or 400 with an acceptance, and the document is accepted"},
		kind: fault, scope: judged, statuses: []int{200, 400}, runs: withBadRequest, change: contradiction,
	}, {
		Knob: Knob{Name: "empty_rejection", Ran: "no",
			Does: "answers 400 with messages that are empty or null: a temporary fault that looks like a rejection"},
		kind: fault, scope: judged, change: emptyRejection,
	}, {
		Knob: Knob{Name: "clearance_off", Ran: "no",
			Does: "answers 303, which refers the document to reporting; from then on reporting accepts standard documents"},
		kind: fault, scope: clearances, change: clearanceOff,
	}, {
		Knob: Knob{Name: "shuffled_messages", Ran: "yes",
			Does: "puts the messages of each list in random order"},
		kind: shape, scope: judged, change: shuffledMessages,
	}, {
		Knob: Knob{Name: "unknown_fields", Ran: "yes",
			Does: "adds undocumented fields to the answer, to its results and to each message"},
		kind: shape, scope: judged, change: unknownFields,
	}, {
		Knob: Knob{Name: "info_object", Ran: "yes",
			Does: "sends a single information message as an object instead of a list"},
		kind: shape, scope: judged, change: infoObject,
	}, {
		Knob: Knob{Name: "flat_results", Ran: "yes",
			Does: "puts warningMessages, errorMessages and status beside validationResults instead of inside it, as in the official example"},
		kind: shape, scope: judged, change: flatResults,
	},
}
