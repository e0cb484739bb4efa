package wire

import (
	"errors"
	"fmt"
	"reflect"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// exampleFault refuses an example that the reader would refuse, and one that is
// of nothing. A name that the reader would pass over is a slip here.
func (r *Route) exampleFault(p *plan) error {
	if r.Example == "" {
		return nil
	}
	of := p.body
	if of == nil && len(p.parts) == 1 {
		of = &p.parts[0]
	}
	if of == nil {
		return errors.New("an example, and no body or single JSON part that it could be of")
	}
	var c codec.Problems
	codec.Decode(&c, []byte(r.Example), reflect.New(of.shape.Type).Elem(), of.shape.Object, codec.Options{Root: of.name, Strict: true})
	if problems := c.All(); len(problems) > 0 {
		return fmt.Errorf("example: %w", fault.Wrong(problems...))
	}
	return nil
}

// example is the row's example in the order it was written in. It is JSON:
// exampleFault read it.
func (r *Route) example() pairs {
	p, _ := codec.ReadPairs([]byte(r.Example))
	return p
}
