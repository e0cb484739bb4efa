package wire_test

import (
	"context"
	"strings"
	"testing"

	"khatm/service/internal/wire"
)

type twoParts struct {
	Tea   leaf `form:"tea_data"`
	Other leaf `form:"other_data"`
}

func TestExampleMustBeValid(t *testing.T) {
	t.Parallel()
	body := func(example string) wire.Route {
		return wire.Serve(wire.Route{Method: "POST", Path: "/x/", Name: "x", Example: example},
			func(context.Context, wire.Caller, *brewOnly) (*nothing, error) { return &nothing{}, nil })
	}
	form := func(example string) wire.Route {
		return wire.Serve(wire.Route{Method: "POST", Path: "/x/", Name: "x", Example: example},
			func(context.Context, wire.Caller, *pictureTea) (*nothing, error) { return &nothing{}, nil })
	}
	cases := []struct {
		name, want string
		row        wire.Route
	}{
		{"no example", "", body("")},
		{"example of a body", "", body(`{"language": "ar"}`)},
		{"example of a form", "", form(`{"kind": "S", "weight": "0.5"}`)},
		{"not JSON", "body: ", body(`{`)},
		{"out of bounds", "tea_data.weight: must be greater than 0", form(`{"kind": "S", "weight": "0"}`)},
		{"incomplete", "tea_data.weight: Field required", form(`{"kind": "S"}`)},
		{"unknown field", "body.tongue: unknown field", body(`{"tongue": "ar"}`)},
		{"form with two JSON parts", "no JSON body and not exactly one JSON part", wire.Serve(wire.Route{Method: "POST", Path: "/x/", Name: "x", Example: `{}`},
			func(context.Context, wire.Caller, *twoParts) (*nothing, error) { return &nothing{}, nil })},
		{"route without a body", "no JSON body and not exactly one JSON part", wire.Serve(wire.Route{Method: "POST", Path: "/x/", Name: "x", Example: `{}`},
			func(context.Context, wire.Caller, *nothing) (*nothing, error) { return &nothing{}, nil })},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := wire.Fault(c.row)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

type brewOnly struct {
	Body brewing `body:"json"`
}
