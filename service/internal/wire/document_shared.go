package wire

import (
	"net/http"
	"strconv"
	"strings"

	"khatm/service/internal/codec"
)

// shared collects the parts of a document that operations refer to instead of
// repeating them, as components of one kind.
type shared struct {
	kind  string            // such as "responses"
	names map[string]string // names by content
	all   pairs
}

func newShared(kind string) *shared { return &shared{kind: kind, names: map[string]string{}} }

// refer returns a reference to a component with the given content, which is added
// on first use. If other content has the name already, a number is appended.
func (s *shared) refer(name string, value any) pairs {
	text := contentOf(value)
	known, is := s.names[text]
	if !is {
		known = name
		for n := 2; s.has(known); n++ {
			known = name + strconv.Itoa(n)
		}
		s.names[text] = known
		s.all = s.all.With(known, value)
	}
	return pairs{{"$ref", "#/components/" + s.kind + "/" + known}}
}

func (s *shared) has(name string) bool {
	_, is := s.all.Get(name)
	return is
}

func contentOf(value any) string { return string(codec.AppendIndented(nil, value, "")) }

// share replaces the error responses of all operations, their bodies, and the
// parameters that more than one operation has, by references to components, and
// returns these.
func share(paths pairs) pairs {
	params, responses, schemas := newShared("parameters"), newShared("responses"), newShared("schemas")
	uses := map[string]int{}
	eachOperation(paths, func(op pairs) {
		for _, p := range parametersOf(op) {
			uses[contentOf(p)]++
		}
	})
	eachOperation(paths, func(op pairs) {
		list := parametersOf(op)
		for i, one := range list {
			p, _ := one.(pairs)
			name, _ := p.Get("name")
			if text, _ := name.(string); uses[contentOf(p)] > 1 {
				list[i] = params.refer(text, p)
			}
		}
		given, _ := op.Get("responses")
		all, _ := given.(pairs)
		for i, one := range all {
			if status, err := strconv.Atoi(one.Name); err == nil && status >= http.StatusMultipleChoices {
				all[i].Value = responses.refer(strings.ReplaceAll(http.StatusText(status), " ", ""), one.Value)
			}
		}
	})
	for _, one := range responses.all {
		nameBodies(schemas, one.Name, one.Value)
	}
	var made pairs
	for _, s := range []*shared{params, responses, schemas} {
		if s.all != nil {
			made = made.With(s.kind, s.all)
		}
	}
	return made
}

// eachOperation calls visit for each operation in its order.
func eachOperation(paths pairs, visit func(op pairs)) {
	for _, path := range paths {
		methods, _ := path.Value.(pairs)
		for _, one := range methods {
			if op, is := one.Value.(pairs); is {
				visit(op)
			}
		}
	}
}

func parametersOf(op pairs) []any {
	given, _ := op.Get("parameters")
	list, _ := given.([]any)
	return list
}

// nameBodies replaces the schemas of the bodies of an error response by
// references, such as ForbiddenMessage and ForbiddenDetail for the response
// Forbidden. Generators of clients then make one type for all operations.
func nameBodies(schemas *shared, name string, response any) {
	media := member(member(response, "content"), "application/json")
	schema := member(media, "schema")
	if schema == nil {
		return
	}
	refer := func(body pairs) pairs {
		kind := "Message"
		if strings.Contains(contentOf(body), `"#/components/schemas/ErrorDetail"`) {
			kind = "Detail"
		}
		return schemas.refer(name+kind, body)
	}
	choices, _ := schema.Get("anyOf")
	all, several := choices.([]any)
	if !several {
		media.Set("schema", refer(schema))
		return
	}
	for i, one := range all {
		body, _ := one.(pairs)
		all[i] = refer(body)
	}
}

// member returns an object in another one, or nil.
func member(of any, name string) pairs {
	p, _ := of.(pairs)
	value, _ := p.Get(name)
	found, _ := value.(pairs)
	return found
}
