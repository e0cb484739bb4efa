package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"khatm/service/internal/servicetest"
)

// randomSource generates random values, reproducibly by seed.
type randomSource struct{ *rand.Rand }

func newRandomSource(seed uint64) randomSource { return randomSource{rand.New(rand.NewPCG(seed, 0))} }

// one returns one of the values at random.
func one[T any](d randomSource, of []T) T { return of[d.IntN(len(of))] }

// in returns true with probability 1/n.
func (d randomSource) in(n int) bool { return d.IntN(n) == 0 }

// words are parts of texts: plain, Arabic, and characters that often cause
// trouble.
var words = []string{
	"Al Noor", "شركة", "النور", "Trading", "1234", "٣١١", "é", "e\u0301", "😀", "\u200f", "\u202e", "\u0000", "\ufffe", "\t", "\n", " ", "'", `"`, `\`, "<b>", "&", "%", "_",
	"null", "0", "-1", "../", "\u2028", "\U0010FFFF", "\u0600", "ﷺ", "٪", "=1+1", "S", "Z", "CRN", "SA", "AE", "accounts@alnoor.example", "+966500000000", "311111111100003", "12345",
}

// text generates a text, usually of an allowed length.
func (d randomSource) text(least, most int) string {
	var b strings.Builder
	n := least + d.IntN(6)
	switch {
	case d.in(20):
		n = most + d.IntN(3) - 1
	case d.in(200):
		n = 4*most + 100
	}
	for b.Len() < n {
		b.WriteString(one(d, words[:8]))
		if d.in(8) {
			b.WriteString(one(d, words))
		}
	}
	runes := []rune(b.String())
	return string(runes[:min(len(runes), max(n, 0))])
}

// literals are JSON values that most fields refuse.
var literals = []string{
	`null`, `true`, `false`, `0`, `-0`, `7`, `-1`, `1.5`, `1e308`, `1e-308`, `123456789012345678901234567890`, `0.000000001`, `""`, `"x"`, `"S"`, `"15"`, `"NaN"`, `"١٥"`, `"\u0000"`,
	`"\ud800"`, `"\u202e"`, `[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `{"":1}`, `{"uuid":"x"}`, `"00000000-0000-0000-0000-000000000000"`, `"6c6a6e49-1046-52e9-911b-8024397176c3"`,
}

// value generates a value that matches a schema, sometimes with a small defect.
func (d randomSource) value(schema servicetest.Record) any {
	if kinds, is := schema["type"].([]any); is {
		if len(kinds) > 1 && d.in(10) {
			return nil
		}
		schema = maps.Clone(schema)
		schema["type"] = kinds[0]
	}
	if choices, is := schema["anyOf"].([]any); is {
		choice, _ := one(d, choices).(servicetest.Record)
		if choice["type"] == "null" {
			return nil
		}
		return d.value(choice)
	}
	if values, is := schema["enum"].([]any); is {
		return one(d, values)
	}
	if examples, is := schema["examples"].([]any); is && !d.in(4) {
		return examples[0]
	}
	switch schema["type"] {
	case "object":
		return d.object(schema)
	case "array":
		return d.list(schema)
	case "boolean":
		return d.in(2)
	case "integer", "number":
		return d.numeral(schema)
	}
	return d.string(schema)
}

func bound(schema servicetest.Record, name string, otherwise int) int {
	n, is := schema[name].(json.Number)
	if !is {
		return otherwise
	}
	i, err := strconv.Atoi(n.String())
	if err != nil {
		return otherwise
	}
	return i
}

func (d randomSource) numeral(schema servicetest.Record) json.Number {
	least := bound(schema, "minimum", bound(schema, "exclusiveMinimum", -5))
	most := bound(schema, "maximum", bound(schema, "exclusiveMaximum", 1000))
	n := least + d.IntN(max(1, min(most-least, 500)))
	switch {
	case d.in(12):
		n = one(d, []int{least - 1, least, most, most + 1})
	case schema["type"] == "number" && d.in(2):
		return json.Number(fmt.Sprintf("%d.%0*d", max(n, 0), 1+d.IntN(3), d.IntN(10)))
	}
	return json.Number(strconv.Itoa(n))
}

func (d randomSource) string(schema servicetest.Record) string {
	switch schema["format"] {
	case "uuid":
		return d.uuid()
	case "date":
		return fmt.Sprintf("20%02d-%02d-%02d", 25+d.IntN(3), 1+d.IntN(12), 1+d.IntN(31))
	case "date-time":
		return fmt.Sprintf("2026-11-15T%02d:00:00+03:00", d.IntN(25))
	case "binary":
		return ""
	}
	if schema["pattern"] != nil {
		return fmt.Sprintf("%d.%d", d.IntN(1000), d.IntN(100))
	}
	return d.text(bound(schema, "minLength", 0), bound(schema, "maxLength", 30))
}

func (d randomSource) uuid() string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", d.Uint32(), d.IntN(1<<16), d.IntN(1<<12), d.IntN(1<<12), d.Uint64()>>16)
}

func (d randomSource) object(schema servicetest.Record) servicetest.Record {
	out := servicetest.Record{}
	fields, _ := schema["properties"].(servicetest.Record)
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.Contains(required, any(name)) || d.in(2) {
			field, _ := fields[name].(servicetest.Record)
			out[name] = d.value(field)
		}
	}
	return out
}

func (d randomSource) list(schema servicetest.Record) []any {
	items, _ := schema["items"].(servicetest.Record)
	out := []any{}
	for range d.IntN(3) {
		out = append(out, d.value(items))
	}
	if most := bound(schema, "maxItems", 0); most > 0 && d.in(30*(1+most/100)) { // rarely, because long lists are slow
		for len(out) <= most {
			out = append(out, d.value(items))
		}
	}
	return out
}

// spoil changes one part of a value: to another type, removed, or extended.
func (d randomSource) spoil(value any) any {
	switch v := value.(type) {
	case servicetest.Record:
		if len(v) == 0 || d.in(6) {
			v[one(d, []string{"no_such_field", "uuid", "created_at", "organisation", "", "\u0000", strings.Repeat("n", 300)})] = json.RawMessage(one(d, literals))
			return v
		}
		name := one(d, slices.Sorted(maps.Keys(v)))
		if d.in(6) {
			delete(v, name)
			return v
		}
		v[name] = d.spoil(v[name])
		return v
	case []any:
		if len(v) > 0 && !d.in(4) {
			i := d.IntN(len(v))
			v[i] = d.spoil(v[i])
			return v
		}
	case string:
		if d.in(3) {
			return v + one(d, words)
		}
	}
	if d.in(200) {
		return strings.Repeat("x", 1<<20)
	}
	return json.RawMessage(one(d, literals))
}

// mutate changes some bytes of a text.
func (d randomSource) mutate(text []byte) []byte {
	text = slices.Clone(text)
	for range 1 + d.IntN(3) {
		if len(text) == 0 {
			return []byte(one(d, literals))
		}
		at := d.IntN(len(text))
		switch d.IntN(6) {
		case 0:
			text[at] ^= 1 << d.IntN(8)
		case 1:
			text = slices.Delete(text, at, min(len(text), at+1+d.IntN(8)))
		case 2:
			text = slices.Insert(text, at, []byte(one(d, literals))...)
		case 3:
			text = text[:at]
		case 4:
			end := min(len(text), at+1+d.IntN(40))
			text = slices.Insert(text, end, slices.Clone(text[at:end])...)
		case 5:
			text[at] = byte(d.IntN(256))
		}
	}
	return text
}
