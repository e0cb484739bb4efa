package journal

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Outcome is what became of a submission.
type Outcome string

// The outcomes. Whatever was neither accepted nor known has none: refusals,
// faults, and requests that submit no document.
const (
	Accepted  Outcome = "new"       // accepted for the first time in 24 hours
	Duplicate Outcome = "duplicate" // answered as accepted before
)

// Record is one request, one line of the file. Texts are as they were sent,
// "" where absent; those over 512 bytes are cut.
type Record struct {
	Time         time.Time `json:"time"` // set by the journal
	Environment  string    `json:"environment"`
	Endpoint     string    `json:"endpoint"`
	Device       string    `json:"device,omitempty"` // whoever signs one chain: VAT number and serial, or the token's name
	UUID         string    `json:"uuid,omitempty"`
	Counter      string    `json:"counter,omitempty"` // ICV
	PreviousHash string    `json:"previousHash,omitempty"`
	Hash         string    `json:"hash,omitempty"`
	Body         string    `json:"body,omitempty"` // SHA-256 of the request's body, hexadecimal
	Status       int       `json:"status"`         // of the answer; 0 when none was given
	Outcome      Outcome   `json:"outcome,omitempty"`
	Mood         string    `json:"mood,omitempty"` // the fault that was played, if any

	AnswerAt   int64 `json:"answerAt,omitempty"` // where the kept answer stands in the side file
	AnswerSize int64 `json:"answerSize,omitempty"`
}

const (
	maxText = 512      // bytes of one text
	maxLine = 64 << 10 // bytes of one line; ten texts, each byte escaped, have less
)

// line is the record as written, with its line end.
func (r *Record) line() ([]byte, error) {
	for _, text := range []*string{
		&r.Environment, &r.Endpoint, &r.Device, &r.UUID, &r.Counter,
		&r.PreviousHash, &r.Hash, &r.Body, (*string)(&r.Outcome), &r.Mood,
	} {
		*text = clip(*text)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write a record: %w", err)
	}
	return append(line, '\n'), nil
}

// clip makes a text the one that reading the file will give again, and cuts it
// at a character's border.
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

// digest stands for an accepted document: 16 bytes of SHA-256 over environment
// and hash, so that an entry costs the same whatever was sent as a hash.
type digest [16]byte

func digestOf(environment, hash string) digest {
	sum := sha256.Sum256([]byte(environment + "\x00" + hash))
	return digest(sum[:16])
}
