package wiretest

import (
	"encoding/json"
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"khatm/money"
)

// schema is a JSON Schema in a form convenient for tests.
type schema struct {
	words  map[string]any
	kind   string // type other than null
	null   bool
	isText bool // a decimal, which may be sent as a number or a string
}

// schema parses a schema and follows references. Of several alternatives it uses
// the first that is not null, and for a decimal the number.
func (c *Contract) schema(value any) schema {
	words := c.resolve(value)
	s := schema{words: words, kind: text(words["type"])}
	if s.kind == "null" {
		s.kind, s.null = "", true
	}
	for _, one := range list(words["type"]) {
		if one == "null" {
			s.null = true
		} else if s.kind == "" {
			s.kind = text(one)
		}
	}
	for _, one := range list(words["anyOf"]) {
		inner := c.schema(one)
		switch {
		case inner.kind == "" && inner.null:
			s.null = true
		case s.kind == "string" && inner.kind == "number":
			inner.isText, inner.null = true, s.null
			s = inner
		case s.kind == "":
			inner.null = inner.null || s.null
			s = inner
		}
	}
	return s
}

// sample returns a value that the schema allows.
func (c *Contract) sample(value any) (any, error) {
	if examples := list(c.resolve(value)["examples"]); len(examples) > 0 {
		return examples[0], nil
	}
	s := c.schema(value)
	if enum := list(s.words["enum"]); len(enum) > 0 {
		return enum[0], nil
	}
	switch s.kind {
	case "string":
		return s.sampleText()
	case "integer", "number":
		return s.sampleNumber(), nil
	case "boolean":
		return false, nil
	case "array":
		all := []any{}
		for range s.count("minItems") {
			one, err := c.sample(s.words["items"])
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	case "object":
		return c.sampleObject(s)
	}
	return nil, fmt.Errorf("cannot generate a value for %v: add an example tag to the field in the Go type of its wire.Route", s.words)
}

func (c *Contract) sampleObject(s schema) (any, error) {
	o := map[string]any{}
	properties := object(s.words["properties"])
	names := list(s.words["required"])
	for name, property := range properties {
		if object(property)["x-required-unless"] != nil {
			names = append(slices.Clip(names), name)
		}
	}
	for _, name := range names {
		value, err := c.sample(properties[text(name)])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		o[text(name)] = value
	}
	return o, nil
}

// count returns a length constraint, or 0 if it is not set.
func (s schema) count(word string) int {
	n, _ := s.words[word].(json.Number)
	i, _ := strconv.Atoi(n.String())
	return i
}

func (s schema) has(word string) bool { _, is := s.words[word]; return is }

func (s schema) sampleText() (any, error) {
	switch text(s.words["format"]) {
	case "uuid":
		return "0b6d53b0-3f4e-4c5e-9d56-6d0d4f7b1a10", nil
	case "date":
		return "2026-01-31", nil
	case "date-time":
		return "2026-01-31T10:00:00+03:00", nil
	case "binary":
		return "\x89PNG", nil
	case "email":
		return "someone@example.com", nil
	}
	if pattern := text(s.words["pattern"]); pattern != "" {
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("pattern %s: %w", pattern, err)
		}
		if made := shortest(parsed); len(made) >= s.count("minLength") {
			return made, nil
		}
		return nil, fmt.Errorf("cannot generate a string that matches %s: add an example tag to the field in the Go type of its wire.Route", pattern)
	}
	return strings.Repeat("a", max(1, s.count("minLength"))), nil
}

// shortest returns a string that the pattern matches.
func shortest(r *syntax.Regexp) string {
	var b strings.Builder
	switch r.Op {
	case syntax.OpLiteral:
		return string(r.Rune)
	case syntax.OpCharClass:
		return string(r.Rune[0])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return shortest(r.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(shortest(r.Sub[0]), r.Min)
	case syntax.OpConcat:
		for _, sub := range r.Sub {
			b.WriteString(shortest(sub))
		}
	}
	return b.String()
}

// bound returns a constraint on a number, and whether it is set.
func (s schema) bound(word string) (money.Decimal, bool) {
	n, is := s.words[word].(json.Number)
	if !is {
		return money.Decimal{}, false
	}
	d, err := money.ParseNumber(n.String())
	return d, err == nil
}

// sampleNumber returns 1 if the constraints allow it, and otherwise another number
// that they allow.
func (s schema) sampleNumber() any {
	candidates := []money.Decimal{money.FromInt(1)}
	for _, word := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if bound, is := s.bound(word); is {
			candidates = append(candidates, bound, bound.Add(money.FromInt(1)), bound.Sub(money.FromInt(1)))
		}
	}
	i := slices.IndexFunc(candidates, s.within)
	return json.Number(candidates[max(i, 0)].String())
}

func (s schema) within(d money.Decimal) bool {
	low, hasLow := s.bound("minimum")
	above, hasAbove := s.bound("exclusiveMinimum")
	high, hasHigh := s.bound("maximum")
	below, hasBelow := s.bound("exclusiveMaximum")
	return !(hasLow && d.Less(low) || hasAbove && !above.Less(d) || hasHigh && high.Less(d) || hasBelow && !d.Less(below))
}
