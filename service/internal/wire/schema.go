package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"khatm/money"
)

// mode says which way a value goes, because the two ways differ: a caller may
// leave out or send null for what an answer always holds.
type mode int

const (
	inAnswer mode = iota
	inRequest
	inStrictRequest
)

// schemas makes JSON Schemas out of shapes. Structs become components, by name.
type schemas struct {
	uses  map[reflect.Type]map[mode]bool
	owner map[string]reflect.Type
	made  map[string]pairs
	taken pairs // components that others make
}

// newSchemas makes schemas beside components that others make.
func newSchemas(taken pairs) *schemas {
	return &schemas{map[reflect.Type]map[mode]bool{}, map[string]reflect.Type{}, map[string]pairs{}, taken}
}

// collect notes which structs are used which way. It comes before schemaOf,
// because a struct that goes both ways needs two names.
func (c *schemas) collect(s *shape, m mode) error {
	return s.walk(map[*object]bool{}, func(s *shape) error {
		if s.object == nil || s.goType.Name() == "" {
			return nil
		}
		name := typeName(s.goType)
		if _, taken := c.taken.get(name); taken {
			return fmt.Errorf("%s has the name of an error in the document", s.goType)
		}
		if other := c.owner[name]; other != nil && other != s.goType {
			return fmt.Errorf("%s and %s would have one name in the document", other, s.goType)
		}
		c.owner[name] = s.goType
		if c.uses[s.goType] == nil {
			c.uses[s.goType] = map[mode]bool{}
		}
		c.uses[s.goType][m] = true
		return nil
	})
}

// components are the structs that were described, by name.
func (c *schemas) components() pairs {
	var all pairs
	for _, name := range slices.Sorted(maps.Keys(c.made)) {
		all = all.with(name, c.made[name])
	}
	return all
}

// typeName is the name of a type in the document: Page[api.buyer] is PageBuyer.
func typeName(t reflect.Type) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(t.Name(), func(r rune) bool { return strings.ContainsRune("[],", r) }) {
		word = word[strings.LastIndexAny(word, "./")+1:]
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func (c *schemas) nameOf(t reflect.Type, m mode) string {
	name, uses := typeName(t), c.uses[t]
	switch {
	case m == inRequest && uses[inAnswer]:
		return name + "Input"
	case m == inStrictRequest && (uses[inAnswer] || uses[inRequest]):
		return name + "StrictInput"
	}
	return name
}

// schemaOf gives the schema of a value; null is not yet among what it allows.
func (c *schemas) schemaOf(s *shape, m mode) pairs {
	switch s.kind {
	case kindObject:
		return c.objectSchema(s.object, m)
	case kindList:
		p := pairs{{"type", "array"}, {"items", c.itemSchema(s.item, m)}}
		return atLeast(atLeast(p, "minItems", s.rule.minItems), "maxItems", s.rule.maxItems)
	case kindTable:
		return pairs{{"type", "object"}, {"additionalProperties", c.itemSchema(s.item, m)}}
	case kindDecimal:
		if m == inAnswer {
			return pairs{{"type", "string"}, {"pattern", `^` + s.rule.sign() + `[0-9]+(\.[0-9]+)?$`}}
		}
		return pairs{{"anyOf", []any{s.rule.decimalText(), s.rule.schema(pairs{{"type", "number"}}, s.kind)}}}
	case kindAnything, kindRaw:
		return pairs{}
	case kindEither:
		var forms []any
		for i := range s.forms {
			forms = append(forms, c.schemaOf(&s.forms[i], m))
		}
		return pairs{{"anyOf", forms}}
	}
	return s.rule.schema(scalarSchema(s.kind), s.kind)
}

func (c *schemas) itemSchema(s *shape, m mode) pairs {
	if s.null {
		return orNull(c.schemaOf(s, m))
	}
	return c.schemaOf(s, m)
}

func scalarSchema(k kind) pairs {
	switch k {
	case kindBool:
		return pairs{{"type", "boolean"}}
	case kindInteger:
		return pairs{{"type", "integer"}}
	case kindNumber:
		return pairs{{"type", "number"}}
	case kindUUID:
		return pairs{{"type", "string"}, {"format", "uuid"}}
	case kindDate:
		return pairs{{"type", "string"}, {"format", "date"}}
	case kindTime:
		return pairs{{"type", "string"}, {"format", "date-time"}}
	}
	return pairs{{"type", "string"}}
}

// decimalText is the schema of a decimal as text. Zeros behind the last place
// that counts are allowed, as the reader allows them.
func (r *rule) decimalText() pairs {
	digits := fmt.Sprintf(`[0-9]{1,%d}`, money.MaxPlaces)
	switch {
	case r.places == 0:
		digits = fmt.Sprintf(`0{1,%d}`, money.MaxPlaces)
	case r.places > 0:
		digits = fmt.Sprintf(`[0-9]{1,%d}0{0,%d}`, r.places, money.MaxPlaces-r.places)
	}
	return pairs{{"type", "string"}, {"pattern", fmt.Sprintf(`^%s[0-9]{1,%d}(\.%s)?$`, r.sign(), money.MaxWhole, digits)}}
}

// sign is the pattern of what may stand before a decimal: nothing where a bound
// leaves out what is below zero.
func (r *rule) sign() string {
	for _, least := range []*money.Decimal{r.minimum, r.above} {
		if least != nil && !least.Less(money.Decimal{}) {
			return ""
		}
	}
	return "-?"
}

// schema adds the bounds of the rule.
func (r *rule) schema(p pairs, k kind) pairs {
	if r.format != "" {
		p = p.with("format", r.format)
	}
	p = atLeast(atLeast(p, "minLength", r.minLength), "maxLength", r.maxLength)
	if r.pattern != nil {
		p = p.with("pattern", r.pattern.String())
	}
	if r.enum != nil {
		var values []any
		for _, v := range r.enum {
			values = append(values, literal(k, v))
		}
		p = p.with("enum", values)
	}
	for _, name := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		if bound := *r.bound(name); bound != nil {
			p = p.with(name, json.Number(bound.String()))
		}
	}
	// multipleOf would say the same in binary fractions, which 0.07 is none of.
	return atLeast(p, "x-places", r.places)
}

// atLeast adds a bound that is set.
func atLeast(p pairs, name string, n int) pairs {
	if n < 0 {
		return p
	}
	return p.with(name, n)
}

// literal is a value of a tag as JSON has it.
func literal(k kind, text string) any {
	switch k {
	case kindInteger, kindNumber, kindBool, kindObject, kindTable, kindAnything, kindRaw:
		return json.RawMessage(text)
	}
	return text
}

// orNull adds null to what a schema allows.
func orNull(p pairs) pairs {
	null := pairs{{"type", "null"}}
	if _, is := p.get("$ref"); is {
		return pairs{{"anyOf", []any{p, null}}}
	}
	if choices, is := p.get("anyOf"); is {
		all, _ := choices.([]any)
		return p.set("anyOf", append(all, null))
	}
	if values, is := p.get("enum"); is {
		all, _ := values.([]any)
		p = p.set("enum", append(all, nil))
	}
	if kind, is := p.get("type"); is {
		p = p.set("type", []any{kind, "null"})
	}
	return p
}
