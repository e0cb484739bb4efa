// Package fault defines the errors that may be shown to a caller. It knows
// neither status codes nor JSON: package wire turns each Kind into a response.
// Any other error is reported as Internal, without its text.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind classifies an error by what the caller can do about it.
type Kind int

// The kinds. The zero value is Internal, so that an error whose kind was
// forgotten never reveals details to a caller.
const (
	Internal        Kind = iota // a fault of the service; the cause is logged and never shown
	Invalid                     // the input is wrong or breaks a business rule
	Unauthenticated             // credentials are missing or unknown
	Forbidden                   // the caller is known but lacks permission
	NotFound                    // the record does not exist, or belongs to another organisation
	Conflict                    // the current state does not allow the operation
	Exhausted                   // a limit was reached; try again later
	Unavailable                 // temporarily impossible; try again
)

// Error is an error that may be shown to a caller.
type Error struct {
	Kind     Kind
	Code     string         // stable identifier for programs; usually empty
	Message  string         // one human-readable sentence
	Problems []Problem      // for Invalid: all problems of the input
	Fields   map[string]any // additional fields of the response
	Again    time.Duration  // delay before a retry; 0 if unknown
	Cause    error          // for the log only
}

// Problem is one error in an input and the field it was found in.
type Problem struct {
	Path    string // field, such as "lines.0.item_name"; empty for the whole input
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

// Unwrap returns the cause, for the log and for errors.Is.
func (e *Error) Unwrap() error { return e.Cause }

// With adds a field to the response and returns e.
func (e *Error) With(name string, value any) *Error {
	if e.Fields == nil {
		e.Fields = map[string]any{}
	}
	e.Fields[name] = value
	return e
}

// New returns an error of the given kind with a formatted message.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrong returns an Invalid error that lists problems of an input.
func Wrong(problems ...Problem) *Error {
	return &Error{Kind: Invalid, Problems: problems}
}

// Missing returns a NotFound error such as "Buyer not found". The text is the
// same for a record of another organisation, so that it reveals nothing.
func Missing(what string) *Error { return New(NotFound, "%s not found", what) }

// KindOf returns the kind of the first fault.Error in the chain of err, or
// Internal if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
