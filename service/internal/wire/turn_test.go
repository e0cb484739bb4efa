package wire_test

import (
	"context"
	"net/http"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// TestTurnOfABody checks that a turn begins after the body was read and ends
// exactly once in any case, and that a refused turn ends the request.
func TestTurnOfABody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		refuse     error
		verb       func() (*said, error)
		status     int
		turns      int
	}{
		{"success", `{"text":"a"}`, nil, func() (*said, error) { return &said{Number: "1"}, nil }, http.StatusOK, 1},
		{"invalid body", `{"text":1}`, nil, nil, http.StatusBadRequest, 1},
		{"not JSON", `{`, nil, nil, http.StatusBadRequest, 1},
		{"refused", `{}`, nil, func() (*said, error) { return nil, fault.Missing("Tea") }, http.StatusNotFound, 1},
		{"a response that cannot be encoded", `{}`, nil, func() (*said, error) { return &said{Number: "x"}, nil }, http.StatusInternalServerError, 1},
		{"panic", `{}`, nil, func() (*said, error) { panic("tea") }, http.StatusInternalServerError, 1},
		{"refused turn", `{}`, fault.New(fault.ToolsBusy, "Busy"), nil, http.StatusServiceUnavailable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			begun, ended := 0, 0
			f := frame(wire.Serve(wire.Route{
				Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear", Access: wire.Anyone,
				Turn: func(_ context.Context, size int) (func(), error) {
					if size != len(c.body) {
						t.Errorf("Turn got size %d, want %d", size, len(c.body))
					}
					if c.refuse != nil {
						return nil, c.refuse
					}
					begun++
					return func() { ended++ }, nil
				},
			}, func(context.Context, wire.Caller, *heard) (*said, error) {
				if begun != 1 || ended != 0 {
					t.Errorf("handler ran with %d turns begun and %d ended, want 1 and 0", begun, ended)
				}
				return c.verb()
			}))
			if got := f.post("/v1/hear/", c.body).Code; got != c.status {
				t.Errorf("status = %d, want %d", got, c.status)
			}
			if begun != c.turns || ended != c.turns {
				t.Errorf("%d turns began and %d ended, want %d", begun, ended, c.turns)
			}
		})
	}
}
