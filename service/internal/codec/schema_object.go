package codec

import (
	"encoding/json"
)

// objectSchema returns a reference to the component of a struct and creates the
// component on first use. The schema of an unnamed struct is written inline.
func (c *Schemas) objectSchema(o *Object, m Mode) Pairs {
	if o.Type.Name() == "" {
		return c.fieldsSchema(o, m)
	}
	name := c.nameOf(o.Type, m)
	if _, made := c.made[name]; !made {
		c.made[name] = nil // a struct may contain itself
		c.made[name] = c.fieldsSchema(o, m)
	}
	return Pairs{{"$ref", "#/components/schemas/" + name}}
}

func (c *Schemas) fieldsSchema(o *Object, m Mode) Pairs {
	properties, required := Pairs{}, []any{}
	for i := range o.Fields {
		f := &o.Fields[i]
		if f.Name == "" {
			continue
		}
		properties = properties.With(f.Name, c.fieldSchema(f, m))
		if m == InAnswer && !f.omit || m != InAnswer && f.Required {
			required = append(required, f.Name)
		}
	}
	p := Pairs{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		p = p.With("required", required)
	}
	if m == InStrictRequest {
		p = p.With("additionalProperties", false)
	}
	return p
}

func (c *Schemas) fieldSchema(f *Field, m Mode) Pairs {
	p := c.Of(&f.Shape, m)
	if f.Shape.Null || m != InAnswer && !f.Required {
		p = orNull(p)
	}
	if m == InAnswer {
		return f.describeIn(p)
	}
	if f.unless != "" {
		p = p.With("x-required-unless", f.unless)
	}
	return f.defaultIn(f.describeIn(p))
}

// describeIn adds the description, the example and the deprecation of a field to
// its schema.
func (f *Field) describeIn(p Pairs) Pairs {
	if f.Doc != "" {
		p = p.With("description", f.Doc)
	}
	if f.Deprecated {
		p = p.With("deprecated", true)
	}
	if f.example == "" {
		return p
	}
	example := literal(f.Shape.Kind, f.example)
	if f.Shape.Kind == KindList {
		example = []any{literal(f.Shape.Item.Kind, f.example)}
	}
	return p.With("examples", []any{example})
}

func (f *Field) defaultIn(p Pairs) Pairs {
	if !f.fallback.IsValid() {
		return p
	}
	text, err := encoder{}.present(nil, &f.Shape, f.fallback)
	if err != nil {
		return p
	}
	return p.With("default", json.RawMessage(text))
}

// Parameter returns the schema of a query or form parameter. JSON Schema cannot
// bound a decimal written as a string, so it is described as a number. The
// description is left out, because it belongs beside the schema.
func (c *Schemas) Parameter(f *Field) Pairs {
	p := c.Of(&f.Shape, InRequest)
	if f.Shape.Kind == KindDecimal {
		p = f.Shape.rule.schema(Pairs{{"type", "number"}}, f.Shape.Kind)
	}
	plain := *f
	plain.Doc, plain.Deprecated = "", false
	return plain.defaultIn(plain.describeIn(p))
}
