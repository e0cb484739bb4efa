package ledger

import (
	"slices"
	"strings"
	"time"
)

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

// Unstamped tells the caller that the stamped copy of a cleared document is
// missing.
const Unstamped = "The copy with the authority's stamp has not arrived, or could not be verified. The document shown is the one that was sent. The copy is requested again for 23 hours."

// unstampedBefore is the same in the words of an earlier version, which stored
// it with the verdict.
const unstampedBefore = "The copy with the authority's stamp did not come or could not be verified. The document shown is the one that was sent; ask the authority for the stamped copy."

// noStampedDocument is the code of the message that says Unstamped.
const noStampedDocument = "NO_STAMPED_DOCUMENT"

// CurrentInfos returns Infos as they are true now: Unstamped is part of them
// while the stamped copy is missing, and no longer. What is stored never changes.
func (a Answer) CurrentInfos() []Message {
	infos := slices.DeleteFunc(slices.Clone(a.Infos), func(m Message) bool { return m.Code == noStampedDocument })
	for i := range infos {
		infos[i].Message = strings.TrimSuffix(infos[i].Message, " "+unstampedBefore)
	}
	if a.Flag == Plain {
		return infos
	}
	// A duplicate has one message, which says everything.
	if len(infos) == 1 && infos[0].Code == DuplicateCode {
		infos[0].Message += " " + Unstamped
		return infos
	}
	return append(infos, Message{Type: "INFO", Code: noStampedDocument, Category: "SUBMISSION", Status: "PASS", Message: Unstamped})
}

// DuplicateCode is the code of the message that says that the authority had
// accepted the document before.
const DuplicateCode = "DUPLICATE"

// Attempt is one try to send a document, as it is kept.
type Attempt struct {
	Number    int
	Copy      bool // it requested the stamped copy of a document that was cleared already
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
