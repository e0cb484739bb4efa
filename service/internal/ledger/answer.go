package ledger

import (
	"slices"
	"strings"
	"time"
)

// Answer is the final answer of the authority to an invoice.
type Answer struct {
	Status   Status
	Code     int // 200, 202 or 400
	Route    Route
	Attempt  int    // number of the attempt that received it
	Result   string // PASS, WARNING or ERROR
	Infos    []Message
	Warnings []Message
	Errors   []Message
	At       time.Time
	Flag     Flag

	// Stamped is the verified document with the authority's stamp. It is nil for a
	// simplified document, which carries only our stamp.
	Stamped []byte
	// Suspect is a returned document that failed verification. It is kept as
	// evidence and never shown as a cleared document.
	Suspect []byte
}

// Flag tells whether the stamped document of an accepted invoice is missing or
// invalid.
type Flag string

// Flags of an answer.
const (
	Plain       Flag = ""             // none
	NoDocument  Flag = "no document"  // cleared, but no stamped document was returned
	BadDocument Flag = "bad document" // cleared, but the returned document failed verification
)

// Unstamped is the message to callers while the stamped copy of a cleared
// document is missing.
const Unstamped = "The copy with the authority's stamp has not arrived, or could not be verified. The document shown is the one that was sent. The copy is requested again for 23 hours."

// unstampedBefore is the text that an earlier version stored with the verdict
// instead of Unstamped.
const unstampedBefore = "The copy with the authority's stamp did not come or could not be verified. The document shown is the one that was sent; ask the authority for the stamped copy."

// noStampedDocument is the code of the message with the text Unstamped.
const noStampedDocument = "NO_STAMPED_DOCUMENT"

// CurrentInfos returns Infos, with Unstamped added only while the stamped copy
// is missing. The stored Infos never change.
func (a Answer) CurrentInfos() []Message {
	infos := slices.DeleteFunc(slices.Clone(a.Infos), func(m Message) bool { return m.Code == noStampedDocument })
	for i := range infos {
		infos[i].Message = strings.TrimSuffix(infos[i].Message, " "+unstampedBefore)
	}
	if a.Flag == Plain {
		return infos
	}
	// A duplicate keeps its single message.
	if len(infos) == 1 && infos[0].Code == DuplicateCode {
		infos[0].Message += " " + Unstamped
		return infos
	}
	return append(infos, Message{Type: "INFO", Code: noStampedDocument, Category: "SUBMISSION", Status: "PASS", Message: Unstamped})
}

// DuplicateCode is the code of the message that the authority had already
// accepted the document.
const DuplicateCode = "DUPLICATE"

// Attempt is one stored attempt to send a document.
type Attempt struct {
	Number    int
	Copy      bool // requested the stamped copy of a cleared document
	Route     Route
	Worker    string // name of the process
	ClaimedAt time.Time
	LapsedAt  *time.Time // when its lease expired; nil if it did not
	EndedAt   *time.Time
	Outcome   Outcome // empty while in progress
	Sent      bool    // the request may have reached the authority
	Code      int     // HTTP status; 0 if there was no answer
	Took      time.Duration
	Cause     string // why there was no answer
	Raw       []byte // response body; a stamped document is cut out, because it is stored with the verdict
}
