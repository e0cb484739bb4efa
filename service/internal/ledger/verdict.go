package ledger

import "time"

// Dispatch is a document as it goes to the authority. The same bytes go at
// every try.
type Dispatch struct {
	UUID string
	Hash string
	XML  []byte
}

// Verdict is what the authority answered to a document, or that it did not, and
// what that means.
type Verdict struct {
	Outcome  Outcome
	Code     int    // of HTTP; 0 without an answer
	Status   Status // what the answer calls it; Unanswered if nothing we know
	Result   string // PASS, WARNING or ERROR, as the answer has it
	Infos    []Message
	Warnings []Message
	Errors   []Message
	Cleared  []byte // the document with the authority's stamp; nil without one

	Sent  bool          // it may have arrived: false only if surely not one byte left
	Wait  time.Duration // how long the authority wants to be left alone; 0 if it does not say
	Took  time.Duration
	Raw   []byte // the answer's body as it came
	Cause error  // why there is no answer; nil with one
}

// Message is one remark of the authority on a document. Any field may be empty.
type Message struct {
	Type     string `json:"type"`
	Code     string `json:"code"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Status   string `json:"status"`
}
