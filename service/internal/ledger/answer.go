package ledger

import "time"

// Answer is the authority's final word on an invoice, as it is kept.
type Answer struct {
	Status   Status
	Code     int // 200, 202 or 400
	Route    Route
	Attempt  int    // that brought it
	Result   string // PASS, WARNING or ERROR
	Infos    []Message
	Warnings []Message
	Errors   []Message
	At       time.Time
	Flag     Flag

	// Stamped is the document with the authority's stamp, which was verified;
	// nil where there is none: a simplified document has our stamp alone.
	Stamped []byte
	// Suspect is what came instead and did not verify. It is kept as evidence
	// and shown to nobody as a cleared document.
	Suspect []byte
}

// Flag says what is wrong with the stamped document of an accepted invoice.
type Flag string

// The flags.
const (
	Plain       Flag = ""             // nothing
	NoDocument  Flag = "no document"  // clearance accepted it, and no stamped document came
	BadDocument Flag = "bad document" // the same, and what came does not verify
)

// Attempt is one try to send a document, as it is kept.
type Attempt struct {
	Number    int
	Route     Route
	Worker    string // which process
	ClaimedAt time.Time
	LapsedAt  *time.Time // when it was given up: nobody had come back
	EndedAt   *time.Time
	Outcome   Outcome // empty until it has ended
	Sent      bool    // it may have arrived
	Code      int     // of HTTP; 0 without an answer
	Took      time.Duration
	Cause     string // why there was no answer, in words
	Raw       []byte // the answer's body; a stamped document in it is cut out, and kept with the verdict
}
