package wire

import (
	"encoding/json"
)

// objectSchema refers to the component of a struct, which is made when it is
// first asked for. A struct without a name stands where it is.
func (c *schemas) objectSchema(o *object, m mode) pairs {
	if o.goType.Name() == "" {
		return c.fieldsSchema(o, m)
	}
	name := c.nameOf(o.goType, m)
	if _, made := c.made[name]; !made {
		c.made[name] = nil // a struct may hold itself
		c.made[name] = c.fieldsSchema(o, m)
	}
	return pairs{{"$ref", "#/components/schemas/" + name}}
}

func (c *schemas) fieldsSchema(o *object, m mode) pairs {
	properties, required := pairs{}, []any{}
	for i := range o.fields {
		f := &o.fields[i]
		if f.name == "" {
			continue
		}
		properties = properties.with(f.name, c.fieldSchema(f, m))
		if m == inAnswer && !f.omit || m != inAnswer && f.required {
			required = append(required, f.name)
		}
	}
	p := pairs{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		p = p.with("required", required)
	}
	if m == inStrictRequest {
		p = p.with("additionalProperties", false)
	}
	return p
}

func (c *schemas) fieldSchema(f *field, m mode) pairs {
	p := c.schemaOf(&f.shape, m)
	if f.shape.null || m != inAnswer && !f.required {
		p = orNull(p)
	}
	if m == inAnswer {
		return f.describeIn(p)
	}
	return f.defaultIn(f.describeIn(p))
}

// describeIn adds to the schema of a field its words, its example, and that
// nobody should use it any more.
func (f *field) describeIn(p pairs) pairs {
	if f.doc != "" {
		p = p.with("description", f.doc)
	}
	if f.deprecated {
		p = p.with("deprecated", true)
	}
	if f.example == "" {
		return p
	}
	example := literal(f.shape.kind, f.example)
	if f.shape.kind == kindList {
		example = []any{literal(f.shape.item.kind, f.example)}
	}
	return p.with("examples", []any{example})
}

func (f *field) defaultIn(p pairs) pairs {
	if !f.fallback.IsValid() {
		return p
	}
	text, err := appendPresent(nil, &f.shape, f.fallback)
	if err != nil {
		return p
	}
	return p.with("default", json.RawMessage(text))
}

// parameter is the schema of a value that comes as text. The text of a decimal
// has no bounds in JSON Schema, so the number that it stands for is described.
// The words stand beside the schema.
func (c *schemas) parameter(f *field) pairs {
	p := c.schemaOf(&f.shape, inRequest)
	if f.shape.kind == kindDecimal {
		p = f.shape.rule.schema(pairs{{"type", "number"}}, f.shape.kind)
	}
	plain := *f
	plain.doc = ""
	return plain.defaultIn(plain.describeIn(p))
}
