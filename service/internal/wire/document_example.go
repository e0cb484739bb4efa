package wire

import (
	"errors"
	"fmt"
	"reflect"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// Example is a named example of a JSON body.
type Example struct {
	Name    string // key in the document, such as "simplified-invoice"
	Summary string
	Doc     string // description, in Markdown
	Body    string // valid JSON
}

// exampleFault returns an error if the decoder would refuse an example, or if
// the route has no body for it. Unknown fields are an error here even if the
// route ignores them.
func (r *Route) exampleFault(p *plan) error {
	of := p.body
	if of == nil && len(p.parts) == 1 {
		of = &p.parts[0]
	}
	texts := map[string]string{}
	if r.Example != "" {
		texts["example"] = r.Example
	}
	for _, one := range r.Examples {
		texts["example "+one.Name] = one.Body
	}
	for name, text := range texts {
		if of == nil {
			return errors.New("the route has an example but no JSON body and not exactly one JSON part")
		}
		var c codec.Problems
		codec.Decode(&c, []byte(text), reflect.New(of.shape.Type).Elem(), of.shape.Object, codec.Options{Root: of.name, Strict: true})
		if problems := c.All(); len(problems) > 0 {
			return fmt.Errorf("%s: %w", name, fault.Wrong(problems...))
		}
	}
	return nil
}

// example returns the route's example in its original order. exampleFault has
// checked that it is JSON.
func (r *Route) example() pairs { return exampleOf(r.Example) }

func exampleOf(text string) pairs {
	p, _ := codec.ReadPairs([]byte(text))
	return p
}

// examples returns the named examples of the route's body.
func (r *Route) examples() pairs {
	var all pairs
	for _, one := range r.Examples {
		all = all.With(one.Name, pairs{{"summary", one.Summary}, {"description", one.Doc}, {"value", exampleOf(one.Body)}})
	}
	return all
}
