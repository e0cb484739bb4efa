package wire_test

import (
	"context"
	"strings"
	"testing"

	"khatm/service/internal/wire"
)

// row returns a route that reads In and returns Out.
func row[In, Out any](path string) wire.Route {
	return wire.Serve(wire.Route{Method: "GET", Path: path, Name: "x"},
		func(context.Context, wire.Caller, *In) (*Out, error) { return new(Out), nil })
}

// body is an input with a JSON body of type T.
type body[T any] struct {
	Body T `body:"json"`
}

// holder has one field of type T.
type holder[T any] struct {
	X T `json:"x"`
}

func hidden(r wire.Route) wire.Route {
	r.Hidden = true
	return r
}

func TestWrongDeclarationsAreFound(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		row  wire.Route
		want string
	}{
		{"good", row[oneTea, tea]("/x/{tea_id}/"), ""},
		{"a path parameter that is not read", row[nothing, tea]("/x/{tea_id}/"), "the path has the parameters"},
		{"an unread path parameter of a hidden route", hidden(row[nothing, tea]("/x/{tea_id}/")), ""},
		{"a path parameter that is not in the path", row[oneTea, tea]("/x/"), "the path has the parameters"},
		{"a field without a source", row[struct{ X int }, nothing]("/"), "has no tag for path"},
		{"two bodies", row[struct {
			A leaf `body:"json"`
			B leaf `body:"json"`
		}, nothing]("/"), "two fields with the tag body"},
		{"a body and a form", row[struct {
			A leaf `body:"json"`
			B leaf `form:"b"`
		}, nothing]("/"), "both a JSON body and a form"},
		{"a body that is not a struct", row[body[[]string], nothing]("/"), "has no fields"},
		{"a file of another type", row[struct {
			A string `file:"a"`
		}, nothing]("/"), "has no tag for path"},
		{"a struct in the query", row[struct {
			A leaf `query:"a"`
		}, nothing]("/"), "cannot be used in a query"},
		{"a list in a header", row[struct {
			A []string `header:"a"`
		}, nothing]("/"), "cannot be used in a header"},
		{"a map as input", row[body[holder[map[string]int]], nothing]("/"), "is for responses only"},
		{"any as input", row[body[holder[[]any]], nothing]("/"), "is for responses only"},
		{"a float", row[body[holder[float64]], nothing]("/"), "has no JSON form"},
		{"bytes", row[nothing, holder[[]byte]]("/"), "has no JSON form"},
		{"a pointer to a pointer", row[body[holder[**int]], nothing]("/"), "is a pointer to a pointer"},
		{"a field without a tag", row[body[struct{ X int }], nothing]("/"), "has no json tag"},
		{"two fields of one name", row[body[struct {
			holder[int]
			A int `json:"x"`
		}], nothing]("/"), "two fields"},
		{"a constraint that does not fit the type", row[body[struct {
			A bool `json:"a" maxLength:"3"`
		}], nothing]("/"), "cannot be used with this type"},
		{"an invalid constraint", row[body[struct {
			A string `json:"a" maxLength:"x"`
		}], nothing]("/"), "tag maxLength"},
		{"an invalid pattern", row[body[struct {
			A string `json:"a" pattern:"("`
		}], nothing]("/"), "tag pattern"},
		{"a default out of bounds", row[body[struct {
			A int `json:"a" minimum:"2" default:"1"`
		}], nothing]("/"), "default"},
		{"an example out of bounds", row[body[struct {
			A []string `json:"a" maxLength:"2" example:"abc"`
		}], nothing]("/"), "example"},
		{"an example that is not JSON", row[nothing, struct {
			A any `json:"a" example:"{"`
		}]("/"), "not JSON"},
		{"a PATCH body as response", row[nothing, teaPatch]("/"), "requests only"},
		{"a field beside a file", row[nothing, struct {
			wire.File
			A int `json:"a"`
		}]("/"), "has no header tag"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := wire.Fault(c.row)
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error = %v, want %q", err, c.want)
			}
			if _, err := wire.Document(wire.Info{}, "/", []wire.Route{c.row}); (err == nil) != (c.want == "") {
				t.Errorf("Document returned %v, want an error: %t", err, c.want != "")
			}
		})
	}
}
