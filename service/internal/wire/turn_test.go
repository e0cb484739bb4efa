package wire_test

import (
	"context"
	"net/http"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// TestTurnOfABody: it begins when the body was read, ends in any case, once, and
// whoever gets none is not heard.
func TestTurnOfABody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		refuse     error
		verb       func() (*said, error)
		status     int
		turns      int
	}{
		{"heard", `{"text":"a"}`, nil, func() (*said, error) { return &said{Number: "1"}, nil }, http.StatusOK, 1},
		{"wrong", `{"text":1}`, nil, nil, http.StatusBadRequest, 1},
		{"no JSON", `{`, nil, nil, http.StatusBadRequest, 1},
		{"refused", `{}`, nil, func() (*said, error) { return nil, fault.Missing("Tea") }, http.StatusNotFound, 1},
		{"an answer that cannot be written", `{}`, nil, func() (*said, error) { return &said{Number: "x"}, nil }, http.StatusInternalServerError, 1},
		{"panic", `{}`, nil, func() (*said, error) { panic("tea") }, http.StatusInternalServerError, 1},
		{"no turn", `{}`, fault.New(fault.Unavailable, "Busy"), nil, http.StatusServiceUnavailable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			begun, ended := 0, 0
			f := frame(wire.Serve(wire.Route{
				Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Anyone,
				Turn: func(_ context.Context, size int) (func(), error) {
					if size != len(c.body) {
						t.Errorf("a body of %d bytes, want %d", size, len(c.body))
					}
					if c.refuse != nil {
						return nil, c.refuse
					}
					begun++
					return func() { ended++ }, nil
				},
			}, func(context.Context, wire.Caller, *heard) (*said, error) {
				if begun != 1 || ended != 0 {
					t.Errorf("heard in turn %d, of which %d ended", begun, ended)
				}
				return c.verb()
			}))
			if got := f.post("/v1/hear/", c.body).Code; got != c.status {
				t.Errorf("got %d, want %d", got, c.status)
			}
			if begun != c.turns || ended != c.turns {
				t.Errorf("%d turns began and %d ended, want %d", begun, ended, c.turns)
			}
		})
	}
}
