package codec

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"khatm/money"
)

// Mode is the direction of a value. Schemas differ by direction: a response always
// contains a field that a caller may omit or send as null.
type Mode int

// The modes.
const (
	InAnswer Mode = iota
	InRequest
	InStrictRequest
)

// Schemas builds JSON Schemas from shapes. Named structs become components.
type Schemas struct {
	uses  map[reflect.Type]map[Mode]bool
	owner map[string]reflect.Type
	made  map[string]Pairs
	taken Pairs // components defined elsewhere
}

// NewSchemas returns Schemas that reserve the names of components defined
// elsewhere.
func NewSchemas(taken Pairs) *Schemas {
	return &Schemas{map[reflect.Type]map[Mode]bool{}, map[string]reflect.Type{}, map[string]Pairs{}, taken}
}

// Collect records the mode in which each struct is used. All shapes must be
// collected before Of is called, because a struct used in both directions gets
// two names.
func (c *Schemas) Collect(s *Shape, m Mode) error {
	return s.walk(map[*Object]bool{}, func(s *Shape) error {
		if s.Object == nil || s.Type.Name() == "" {
			return nil
		}
		name := typeName(s.Type)
		if _, taken := c.taken.Get(name); taken {
			return fmt.Errorf("%s has the name of an error schema of the document", s.Type)
		}
		if other := c.owner[name]; other != nil && other != s.Type {
			return fmt.Errorf("%s and %s would have the same name in the document", other, s.Type)
		}
		c.owner[name] = s.Type
		if c.uses[s.Type] == nil {
			c.uses[s.Type] = map[Mode]bool{}
		}
		c.uses[s.Type][m] = true
		return nil
	})
}

// Components returns the schemas of the described structs, sorted by name.
func (c *Schemas) Components() Pairs {
	var all Pairs
	for _, name := range slices.Sorted(maps.Keys(c.made)) {
		all = all.With(name, c.made[name])
	}
	return all
}

// typeName returns the name of a type in the document: Page[api.buyer] is
// PageBuyer.
func typeName(t reflect.Type) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(t.Name(), func(r rune) bool { return strings.ContainsRune("[],", r) }) {
		word = word[strings.LastIndexAny(word, "./")+1:]
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func (c *Schemas) nameOf(t reflect.Type, m Mode) string {
	name, uses := typeName(t), c.uses[t]
	switch {
	case m == InRequest && uses[InAnswer]:
		return name + "Input"
	case m == InStrictRequest && (uses[InAnswer] || uses[InRequest]):
		return name + "StrictInput"
	}
	return name
}

// Of returns the schema of a value, without null.
func (c *Schemas) Of(s *Shape, m Mode) Pairs {
	switch s.Kind {
	case KindObject:
		return c.objectSchema(s.Object, m)
	case KindList:
		p := Pairs{{"type", "array"}, {"items", c.itemSchema(s.Item, m)}}
		return atLeast(atLeast(p, "minItems", s.rule.minItems), "maxItems", s.rule.maxItems)
	case KindTable:
		return Pairs{{"type", "object"}, {"additionalProperties", c.itemSchema(s.Item, m)}}
	case KindDecimal:
		if m == InAnswer {
			return Pairs{{"type", "string"}, {"pattern", `^` + s.rule.sign() + `[0-9]+(\.[0-9]+)?$`}}
		}
		return Pairs{{"anyOf", []any{s.rule.decimalText(), s.rule.schema(Pairs{{"type", "number"}}, s.Kind)}}}
	case KindAnything:
		return Pairs{}
	case KindRaw:
		return Pairs{{"type", "object"}}
	case KindEither:
		var forms []any
		for i := range s.forms {
			forms = append(forms, c.Of(&s.forms[i], m))
		}
		return Pairs{{"anyOf", forms}}
	}
	r := s.rule
	if m == InAnswer {
		r.values = nil // a draft returns any value that was sent
	}
	return r.schema(scalarSchema(s.Kind), s.Kind)
}

func (c *Schemas) itemSchema(s *Shape, m Mode) Pairs {
	if s.Null {
		return orNull(c.Of(s, m))
	}
	return c.Of(s, m)
}

func scalarSchema(k Kind) Pairs {
	switch k {
	case KindBool:
		return Pairs{{"type", "boolean"}}
	case KindInteger:
		return Pairs{{"type", "integer"}}
	case KindNumber:
		return Pairs{{"type", "number"}}
	case KindUUID:
		return Pairs{{"type", "string"}, {"format", "uuid"}}
	case KindDate:
		return Pairs{{"type", "string"}, {"format", "date"}}
	case KindTime:
		return Pairs{{"type", "string"}, {"format", "date-time"}}
	}
	return Pairs{{"type", "string"}}
}

// decimalText returns the schema of a decimal as a string. It allows trailing
// zeros, as the decoder does.
func (r *rule) decimalText() Pairs {
	digits := fmt.Sprintf(`[0-9]{1,%d}`, money.MaxPlaces)
	switch {
	case r.places == 0:
		digits = fmt.Sprintf(`0{1,%d}`, money.MaxPlaces)
	case r.places > 0:
		digits = fmt.Sprintf(`[0-9]{1,%d}0{0,%d}`, r.places, money.MaxPlaces-r.places)
	}
	return Pairs{{"type", "string"}, {"pattern", fmt.Sprintf(`^%s[0-9]{1,%d}(\.%s)?$`, r.sign(), money.MaxWhole, digits)}}
}

// sign returns the pattern for the sign of a decimal; it is empty if a bound
// excludes negative values.
func (r *rule) sign() string {
	for _, least := range []*money.Decimal{r.minimum, r.above} {
		if least != nil && !least.Less(money.Decimal{}) {
			return ""
		}
	}
	return "-?"
}

// schema adds the constraints of the rule to p.
func (r *rule) schema(p Pairs, k Kind) Pairs {
	if r.format != "" {
		p = p.With("format", r.format)
	}
	if r.values == nil {
		p = atLeast(atLeast(p, "minLength", r.minLength), "maxLength", r.maxLength)
	}
	if r.pattern != nil {
		p = p.With("pattern", r.pattern.String())
	}
	if list := append(slices.Clone(r.enum), r.values...); list != nil {
		var values []any
		for _, v := range list {
			values = append(values, literal(k, v))
		}
		p = p.With("enum", values)
	}
	for _, name := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		if bound := *r.bound(name); bound != nil {
			p = p.With(name, json.Number(bound.String()))
		}
	}
	// multipleOf cannot express this: 0.07 is not exact in binary fractions.
	return atLeast(p, "x-places", r.places)
}

// atLeast adds a bound if it is set.
func atLeast(p Pairs, name string, n int) Pairs {
	if n < 0 {
		return p
	}
	return p.With(name, n)
}

// literal returns the value of a tag as it is written in JSON.
func literal(k Kind, text string) any {
	switch k {
	case KindInteger, KindNumber, KindBool, KindObject, KindTable, KindAnything, KindRaw:
		return json.RawMessage(text)
	}
	return text
}

// orNull extends a schema to allow null.
func orNull(p Pairs) Pairs {
	null := Pairs{{"type", "null"}}
	if _, is := p.Get("$ref"); is {
		return Pairs{{"anyOf", []any{p, null}}}
	}
	if choices, is := p.Get("anyOf"); is {
		all, _ := choices.([]any)
		return p.Set("anyOf", append(all, null))
	}
	if _, is := p.Get("enum"); is {
		return Pairs{{"anyOf", []any{p, null}}} // generators make a better type of this than of null in the enum
	}
	if kind, is := p.Get("type"); is {
		p = p.Set("type", []any{kind, "null"})
	}
	return p
}
