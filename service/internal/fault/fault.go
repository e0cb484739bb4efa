// Package fault defines the errors that may be shown to a caller, and the codes
// that identify them to programs. It knows neither status codes nor JSON:
// package wire turns each Kind into a response. Any other error is reported as
// Internal, without its text.
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
	NotAllowed                  // the path does not support the method
	Conflict                    // the current state does not allow the operation
	Exhausted                   // a limit was reached; try again later
	Unavailable                 // temporarily impossible; try again
)

// Error is an error that may be shown to a caller. Its code cannot be set except
// by New and the functions that call it, so that every error has a code; the zero
// value is an internal error.
type Error struct {
	code     Code
	Message  string         // one human-readable sentence
	Path     string         // field of the request that is the cause; empty if there is no single one
	Problems []Problem      // for Invalid: all problems of the input
	Fields   map[string]any // additional fields of the response
	Again    time.Duration  // delay before a retry; 0 if unknown
	Cause    error          // for the log only

	MessageAR, Fix, FixAR string // if empty, those of the code
}

// Problem is one error in an input and the field it was found in.
type Problem struct {
	Path    string // field, such as "lines.0.item_name"; empty for the whole input
	Message string
	Code    Code     // InvalidValue if it is empty
	Fields  []string // if the message is about several fields below Path: their names

	MessageAR, Fix, FixAR string // if empty, those of the code
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

// Kind returns the kind of the error's code.
func (e *Error) Kind() Kind { return e.code.Kind() }

// Code returns the code of the error. It is empty for the zero value.
func (e *Error) Code() Code { return e.code }

// With adds a field to the response and returns e.
func (e *Error) With(name string, value any) *Error {
	if e.Fields == nil {
		e.Fields = map[string]any{}
	}
	e.Fields[name] = value
	return e
}

// Arabic sets the message in Arabic and returns e.
func (e *Error) Arabic(format string, args ...any) *Error {
	e.MessageAR = fmt.Sprintf(format, args...)
	return e
}

// Advise sets what to do, in English and Arabic, and returns e.
func (e *Error) Advise(fix, fixAR string) *Error {
	e.Fix, e.FixAR = fix, fixAR
	return e
}

// New returns an error with a code and a formatted message.
func New(code Code, format string, args ...any) *Error {
	return &Error{code: code, Message: fmt.Sprintf(format, args...)}
}

// Detail returns an error whose text is in the field detail instead of message.
func Detail(code Code, text string) *Error {
	return (&Error{code: code}).With("detail", text)
}

// Wrong returns an Invalid error that lists problems of an input.
func Wrong(problems ...Problem) *Error {
	return &Error{code: ValidationFailed, Problems: problems}
}

// Recoded returns a copy of the error with another code of the same kind.
func (e *Error) Recoded(code Code) *Error {
	again := *e
	again.code = code
	return &again
}

// Missing returns a NotFound error such as "Buyer not found". The text is the
// same for a record of another organisation, so that it reveals nothing.
func Missing(what string) *Error {
	code, known := missing[what]
	if !known {
		code = RecordNotFound
	}
	return New(code, "%s not found", what)
}

// KindOf returns the kind of the first fault.Error in the chain of err, or
// Internal if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind()
	}
	return Internal
}

// CodeOf returns the code of the first fault.Error in the chain of err, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.code
	}
	return ""
}
