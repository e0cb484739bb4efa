package wiretest

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"khatm/money"
)

// breach is a value that breaks one constraint of a schema at a path.
type breach struct {
	path  []string
	bound string
	value any
}

// deepest limits the depth of a recursive schema.
const deepest = 8

// breaches returns one value for each constraint of a schema and of everything
// inside it.
func (c *Contract) breaches(value any, depth int) ([]breach, error) {
	s := c.schema(value)
	var all []breach
	if wrong, is := wrongType[s.kind]; is {
		all = append(all, breach{nil, "type", wrong})
	}
	if !s.null && s.kind != "" {
		all = append(all, breach{nil, "null", nil})
	}
	switch s.kind {
	case "string":
		return append(all, s.breakText()...), nil
	case "integer", "number":
		return append(all, s.breakNumber()...), nil
	case "array":
		inner, err := c.breakArray(s, depth)
		return append(all, inner...), err
	case "object":
		inner, err := c.breakObject(s, depth)
		return append(all, inner...), err
	}
	return all, nil
}

var wrongType = map[string]any{
	"string": json.Number("7"), "integer": "x", "number": true, "boolean": "x", "array": map[string]any{}, "object": []any{},
}

func (s schema) breakText() []breach {
	var all []breach
	if n := s.count("minLength"); n > 0 {
		all = append(all, breach{nil, "minLength", strings.Repeat("a", n-1)})
	}
	if s.has("maxLength") {
		all = append(all, breach{nil, "maxLength", strings.Repeat("a", s.count("maxLength")+1)})
	}
	if s.has("enum") {
		all = append(all, breach{nil, "enum", "no-such-value"})
	}
	if pattern := text(s.words["pattern"]); pattern != "" {
		re := regexp.MustCompile(pattern)
		for _, candidate := range []string{"!", "", "aaaa", "0"} {
			if !re.MatchString(candidate) {
				all = append(all, breach{nil, "pattern", candidate})
				break
			}
		}
	}
	for format, bad := range map[string]string{"uuid": "not-a-uuid", "date": "2026-02-30", "date-time": "yesterday"} {
		if s.words["format"] == format {
			all = append(all, breach{nil, "format", bad})
		}
	}
	return all
}

func (s schema) breakNumber() []breach {
	one, none := money.FromInt(1), money.Decimal{}
	var all []breach
	add := func(bound, text string) {
		all = append(all, breach{nil, bound, json.Number(text)})
		if s.isText {
			all = append(all, breach{nil, bound + " as text", text})
		}
	}
	if enum := list(s.words["enum"]); len(enum) > 0 {
		add("enum", "987654321")
	}
	for word, by := range map[string]money.Decimal{"minimum": one.Neg(), "maximum": one, "exclusiveMinimum": none, "exclusiveMaximum": none} {
		if bound, is := s.bound(word); is {
			add(word, bound.Add(by).String())
		}
	}
	if s.has("x-places") {
		sample, _ := s.sampleNumber().(json.Number)
		hair := money.MustParse("0." + strings.Repeat("0", s.count("x-places")) + "1")
		d, err := money.ParseNumber(sample.String())
		if err == nil && !s.within(d.Add(hair)) {
			hair = hair.Neg()
		}
		add("places", d.Add(hair).String())
	}
	if s.isText {
		all = append(all, breach{nil, "not a number", "1,5"}, breach{nil, "digits", strings.Repeat("9", 40)})
	}
	slices.SortFunc(all, func(a, b breach) int { return strings.Compare(a.bound, b.bound) })
	return all
}

func (c *Contract) breakArray(s schema, depth int) ([]breach, error) {
	item, err := c.sample(s.words["items"])
	if err != nil {
		return nil, err
	}
	var all []breach
	if n := s.count("minItems"); n > 0 {
		all = append(all, breach{nil, "minItems", slices.Repeat([]any{item}, n-1)})
	}
	if s.has("maxItems") {
		all = append(all, breach{nil, "maxItems", slices.Repeat([]any{item}, s.count("maxItems")+1)})
	}
	if depth == deepest {
		return all, nil
	}
	inner, err := c.breaches(s.words["items"], depth+1)
	for _, b := range inner {
		rest := slices.Repeat([]any{item}, max(0, s.count("minItems")-1))
		all = append(all, breach{append([]string{"0"}, b.path...), b.bound, append([]any{b.value}, rest...)})
	}
	return all, err
}

func (c *Contract) breakObject(s schema, depth int) ([]breach, error) {
	value, err := c.sampleObject(s)
	if err != nil {
		return nil, err
	}
	good := object(value)
	with := func(name string, value any) map[string]any {
		o := maps.Clone(good)
		o[name] = value
		return o
	}
	var all []breach
	for _, name := range list(s.words["required"]) {
		o := maps.Clone(good)
		delete(o, text(name))
		all = append(all, breach{[]string{text(name)}, "required", o})
	}
	if s.words["additionalProperties"] == false {
		all = append(all, breach{[]string{"no_such_field"}, "additionalProperties", with("no_such_field", 1)})
	}
	if depth == deepest {
		return all, nil
	}
	properties := object(s.words["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inner, err := c.breaches(properties[name], depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, b := range inner {
			all = append(all, breach{append([]string{name}, b.path...), b.bound, with(name, b.value)})
		}
	}
	return all, nil
}
