package wire

import (
	"context"
	"encoding/json"
	"net/http"

	"khatm/service/internal/fault"
)

// Errors returns the list errors of an error response as JSON.
func Errors(e *fault.Error) string {
	text, err := json.Marshal(problemsOf(e, ""))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// CallersPath returns a path as it is in the caller's body.
func CallersPath(path, root string) string { return callersPath(path, root) }

// Encode returns the headers and the body of a response.
func Encode(out any) (map[string][]string, []byte, error) {
	w, err := encode(out, false)
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
	in, job, err := new(Frame).bind(r, row)
	job.End()
	return in, err
}
