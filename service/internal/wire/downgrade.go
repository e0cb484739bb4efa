package wire

import (
	"fmt"
	"slices"

	"khatm/service/internal/codec"
)

// Downgrade converts an OpenAPI 3.1 document to 3.0.3 for tools that do not
// support 3.1. Features that 3.0 lacks are left out.
func Downgrade(document []byte) ([]byte, error) {
	root, err := codec.ReadPairs(document)
	if err != nil {
		return nil, fmt.Errorf("downgrade document: %w", err)
	}
	old, _ := older(root).(pairs)
	return append(codec.AppendIndented(nil, old.Set("openapi", "3.0.3"), ""), '\n'), nil
}

// older converts a value and everything in it. Examples are data and stay
// unchanged, as do properties whose names are keywords.
func older(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = older(v[i])
		}
		return v
	case pairs:
		for i := range v {
			switch v[i].Name {
			case "example", "examples", "default", "enum", "const":
			case "properties":
				v[i].Value = olderEach(v[i].Value)
			case "items", "additionalProperties", "schema":
				v[i].Value = olderAnything(older(v[i].Value))
			default:
				v[i].Value = older(v[i].Value)
			}
		}
		return olderSchema(v)
	}
	return value
}

func olderEach(value any) any {
	named, ok := value.(pairs)
	if !ok {
		return older(value)
	}
	for i := range named {
		named[i].Value = olderAnything(older(named[i].Value))
	}
	return named
}

// olderAnything adds nullable to a schema without a type, because readers of 3.0
// disagree on whether such a schema allows null.
func olderAnything(value any) any {
	p, ok := value.(pairs)
	if !ok {
		return value
	}
	for _, word := range []string{"type", "$ref", "anyOf", "allOf", "enum"} {
		if _, is := p.Get(word); is {
			return p
		}
	}
	return p.With("nullable", true)
}

// olderSchema converts the keywords that differ between the versions.
func olderSchema(p pairs) pairs {
	p = olderNull(olderType(p.Without("contentMediaType", "identifier")))
	if value, is := p.Get("const"); is {
		p = p.Without("const").With("enum", []any{value})
	}
	if samples, is := p.Get("examples"); is {
		if all, ok := samples.([]any); ok && len(all) > 0 {
			p = p.Without("examples").With("example", all[0])
		}
	}
	for _, side := range [][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		if bound, is := p.Get(side[0]); is {
			p = p.Set(side[0], true).With(side[1], bound)
		}
	}
	if ref, is := p.Get("$ref"); is && len(p) > 1 {
		// In 3.0 a reference must not have siblings.
		p = append(pairs{{"allOf", []any{pairs{{"$ref", ref}}}}}, p.Without("$ref")...)
	}
	return p
}

// olderType converts a list of types: null becomes nullable, the others anyOf.
func olderType(p pairs) pairs {
	listed, _ := p.Get("type")
	all, ok := listed.([]any)
	if !ok {
		return p
	}
	var choices []any
	null := false
	for _, one := range all {
		if one == "null" {
			null = true
			continue
		}
		choices = append(choices, pairs{{"type", one}})
	}
	if len(choices) == 1 {
		one, _ := choices[0].(pairs)
		p = p.Set("type", one[0].Value)
	} else {
		p = p.Without("type").With("anyOf", choices)
	}
	if null {
		p = p.With("nullable", true)
	}
	return p
}

// olderNull replaces null in anyOf by nullable.
func olderNull(p pairs) pairs {
	listed, _ := p.Get("anyOf")
	all, ok := listed.([]any)
	if !ok {
		return p
	}
	var kept []any
	for _, one := range all {
		if q, ok := one.(pairs); ok && len(q) == 1 && q[0] == (codec.Pair{"type", "null"}) {
			continue
		}
		kept = append(kept, one)
	}
	if len(kept) == len(all) {
		return p
	}
	if one, ok := kept[0].(pairs); ok && len(kept) == 1 {
		if values, is := one.Get("enum"); is {
			all, _ := values.([]any)
			one = append(slices.Clone(one).Set("enum", append(slices.Clone(all), nil)), p.Without("anyOf")...)
			return one.With("nullable", true)
		}
		// The reference is to an object. The type is repeated, because nullable
		// only works beside a type.
		return append(pairs{{"type", "object"}, {"allOf", kept}}, p.Without("anyOf")...).With("nullable", true)
	}
	for i, one := range kept {
		if q, ok := one.(pairs); ok {
			if _, typed := q.Get("type"); typed {
				kept[i] = q.With("nullable", true)
				return p.Set("anyOf", kept)
			}
		}
	}
	return p.Set("anyOf", kept).With("nullable", true)
}
