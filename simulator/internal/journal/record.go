package journal

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Outcome is the result of a submission.
type Outcome string

// The outcomes. All other requests have an empty outcome: rejected documents,
// faults, and requests without a document.
const (
	Accepted  Outcome = "new"       // first acceptance within 24 hours
	Duplicate Outcome = "duplicate" // accepted before
)

// Record is one request and one line of the file. Strings are as the client
// sent them, "" if absent; those over 512 bytes are truncated.
type Record struct {
	Time         time.Time `json:"time"` // set by the journal
	Environment  string    `json:"environment"`
	Endpoint     string    `json:"endpoint"`
	Device       string    `json:"device,omitempty"` // identifies the chain: VAT number and device serial
	UUID         string    `json:"uuid,omitempty"`
	Counter      string    `json:"counter,omitempty"` // ICV
	PreviousHash string    `json:"previousHash,omitempty"`
	Hash         string    `json:"hash,omitempty"`
	Body         string    `json:"body,omitempty"` // SHA-256 of the request body, hexadecimal
	Status       int       `json:"status"`         // status of the answer; 0 if none was sent
	Outcome      Outcome   `json:"outcome,omitempty"`
	Mood         string    `json:"mood,omitempty"` // names of the applied faults, if any
	Reasons      []Reason  `json:"reasons,omitempty"`

	AnswerAt   int64 `json:"answerAt,omitempty"` // offset of the saved answer in the answers file
	AnswerSize int64 `json:"answerSize,omitempty"`
}

// Reason explains the answer to the developer of a client. It contains no
// secrets.
type Reason struct {
	Kind  string `json:"kind"`           // refused, warning, opinion, tolerated or fault
	Code  string `json:"code,omitempty"` // code in the answer, or id of an opinion or fault
	Cause string `json:"cause"`
	Field string `json:"field,omitempty"`
	Fix   string `json:"fix,omitempty"`
}

const (
	maxText    = 512       // bytes of one string
	maxReasons = 8         // of one record
	maxLine    = 192 << 10 // bytes of one line; all strings with every byte escaped are shorter
)

// line returns the record as it is written, with a line break.
func (r *Record) line() ([]byte, error) {
	for _, text := range []*string{
		&r.Environment, &r.Endpoint, &r.Device, &r.UUID, &r.Counter,
		&r.PreviousHash, &r.Hash, &r.Body, (*string)(&r.Outcome), &r.Mood,
	} {
		*text = clip(*text)
	}
	r.Reasons = slices.Clone(r.Reasons[:min(len(r.Reasons), maxReasons)])
	for i := range r.Reasons {
		w := &r.Reasons[i]
		for _, text := range []*string{&w.Kind, &w.Code, &w.Cause, &w.Field, &w.Fix} {
			*text = clip(*text)
		}
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode a record: %w", err)
	}
	return append(line, '\n'), nil
}

// clip makes a string valid UTF-8, as JSON would, and truncates it at a
// character boundary.
func clip(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 2*maxText)], "\uFFFD")
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func readLine(line []byte) (Record, error) {
	var r Record
	err := json.Unmarshal(line, &r)
	return r, err
}

// digest identifies an accepted document: 16 bytes of SHA-256 over environment
// and hash. Its size does not depend on what the client sent as hash.
type digest [16]byte

func digestOf(environment, hash string) digest {
	sum := sha256.Sum256([]byte(environment + "\x00" + hash))
	return digest(sum[:16])
}
