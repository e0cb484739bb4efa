package wire

import (
	"errors"
	"fmt"
	"reflect"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// exampleFault returns an error if the decoder would refuse the example, or if
// the route has no body for it. Unknown fields are an error here even if the
// route ignores them.
func (r *Route) exampleFault(p *plan) error {
	if r.Example == "" {
		return nil
	}
	of := p.body
	if of == nil && len(p.parts) == 1 {
		of = &p.parts[0]
	}
	if of == nil {
		return errors.New("the route has an example but no JSON body and not exactly one JSON part")
	}
	var c codec.Problems
	codec.Decode(&c, []byte(r.Example), reflect.New(of.shape.Type).Elem(), of.shape.Object, codec.Options{Root: of.name, Strict: true})
	if problems := c.All(); len(problems) > 0 {
		return fmt.Errorf("example: %w", fault.Wrong(problems...))
	}
	return nil
}

// example returns the route's example in its original order. exampleFault has
// checked that it is JSON.
func (r *Route) example() pairs {
	p, _ := codec.ReadPairs([]byte(r.Example))
	return p
}
