package wire

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"khatm/service/internal/fault"
)

// DecodeJSON reads a JSON object into the struct that into points to.
func DecodeJSON(data []byte, into any, root string, strict bool) []fault.Problem {
	v := reflect.ValueOf(into).Elem()
	o, err := objectOf(v.Type())
	if err != nil {
		panic(fmt.Sprintf("shape of %s: %v", v.Type(), err))
	}
	var c complaints
	decode(&c, data, v, o, options{root: root, strict: strict})
	return c.problems()
}

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
