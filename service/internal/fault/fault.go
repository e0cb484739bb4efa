// Package fault names the kinds of failure that a caller can be told of. It
// knows no status code and no JSON: the HTTP frame gives each kind its shape,
// and whatever is no fault.Error is told as internal, without detail.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind says whose move it is after a failure.
type Kind int

// The kinds. The zero value is Internal, so that forgetting to choose never
// tells a caller more than it should.
const (
	Internal        Kind = iota // our fault; the cause is logged, never told
	Invalid                     // the input is wrong, or a business rule refuses it
	Unauthenticated             // nobody we know
	Forbidden                   // known, and not allowed
	NotFound                    // not there, or not the caller's
	Conflict                    // not in this state
	Exhausted                   // a limit was reached; later it will go
	Unavailable                 // cannot be done now; trying again is right
)

// Error is a failure that may be told to a caller.
type Error struct {
	Kind     Kind
	Code     string         // a stable name to branch on; most have none
	Message  string         // one sentence, for people
	Problems []Problem      // for Invalid: every problem of the input
	Fields   map[string]any // what the answer says besides
	Again    time.Duration  // after which trying again is of use; 0: it is not said
	Cause    error          // for the log only
}

// Problem is one thing that is wrong with an input, and where.
type Problem struct {
	Path    string // the field, as in "lines.0.item_name"; empty for the whole
	Message string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

func (e *Error) Error() string {
	text := e.Message
	for i, p := range e.Problems {
		if i > 0 || text != "" {
			text += "; "
		}
		text += p.String()
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap gives the cause, for the log and for errors.Is.
func (e *Error) Unwrap() error { return e.Cause }

// With adds a field to what the answer says.
func (e *Error) With(name string, value any) *Error {
	if e.Fields == nil {
		e.Fields = map[string]any{}
	}
	e.Fields[name] = value
	return e
}

// New makes an error of a kind with one sentence.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrong refuses an input for its problems.
func Wrong(problems ...Problem) *Error {
	return &Error{Kind: Invalid, Problems: problems}
}

// Missing says that something of the caller's is not there: "Buyer not found".
// What belongs to somebody else is missing in the same words.
func Missing(what string) *Error { return New(NotFound, "%s not found", what) }

// KindOf gives the kind of an error: that of the fault.Error in its chain, or
// Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
