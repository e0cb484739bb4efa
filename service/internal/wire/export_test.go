package wire

import (
	"context"
	"net/http"
)

// Encode returns the headers and the body of a response.
func Encode(out any) (map[string][]string, []byte, error) {
	w, err := encode(out)
	return w.header, w.body, err
}

// Fault returns the error in the declaration of a route.
func Fault(row Route) error { return row.fault() }

// Call runs the handler of a route.
func Call(ctx context.Context, row Route, in any) (any, error) {
	return row.serve(ctx, Caller{}, in)
}

// Bind decodes the input of a route's handler.
func Bind(r *http.Request, row Route) (any, error) {
	in, end, err := bind(r, row)
	end()
	return in, err
}
