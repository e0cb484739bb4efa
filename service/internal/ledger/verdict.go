package ledger

import "time"

// Dispatch is a document in the form sent to the authority. Every attempt sends
// the same bytes.
type Dispatch struct {
	UUID string
	Hash string
	XML  []byte
}

// Verdict is the result of sending a document: the authority's answer, or the
// reason why there is none.
type Verdict struct {
	Outcome  Outcome
	Code     int    // HTTP status; 0 if there was no answer
	Status   Status // as named in the answer; Unanswered if missing or unknown
	Result   string // PASS, WARNING or ERROR
	Infos    []Message
	Warnings []Message
	Errors   []Message
	Cleared  []byte // document with the authority's stamp; nil if there is none

	Sent  bool          // false only if certainly not a single byte was sent
	Wait  time.Duration // Retry-After of the answer; 0 if not given
	Took  time.Duration
	Raw   []byte // response body
	Cause error  // why there was no answer; nil if there was one
}

// Message is one validation message of the authority. Any field may be empty.
type Message struct {
	Type     string `json:"type"`
	Code     string `json:"code"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Status   string `json:"status"`
}
