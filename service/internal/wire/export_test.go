package wire

import "context"

// What the tests outside the package may reach.
var (
	DecodeJSON = decodeJSON
	Bind       = bind
	Parse      = parse
)

// Step is one part of a path in a tree.
type Step = step

// Encode gives the headers and the body of an answer.
func Encode(out any) (map[string][]string, []byte, error) {
	w, err := encode(out)
	return w.header, w.body, err
}

// Fault says what is wrong with a row.
func Fault(row Route) error { return row.fault() }

// Call runs the verb of a row.
func Call(ctx context.Context, row Route, in any) (any, error) {
	return row.serve(ctx, Caller{}, in)
}
