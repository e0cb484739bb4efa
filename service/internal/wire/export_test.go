package wire

import (
	"context"
	"net/http"
)

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

// Bind makes what a row's verb reads, whose turn nobody waits for.
func Bind(r *http.Request, row Route) (any, error) {
	in, end, err := bind(r, row)
	end()
	return in, err
}
