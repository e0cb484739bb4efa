package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// kindIn returns the kind of a field according to the document: text, uuid, date,
// decimal, integer, boolean or list.
func kindIn(t testing.TB, schema servicetest.Record) string {
	t.Helper()
	if choices, is := schema["anyOf"].([]any); is {
		if first, _ := choices[0].(servicetest.Record); first["enum"] != nil { // or null
			schema = first
		}
	}
	types, _ := schema["type"].([]any)
	kind, single := schema["type"].(string)
	if !single && len(types) > 0 {
		kind, _ = types[0].(string)
	}
	switch {
	case schema["anyOf"] != nil:
		return "decimal"
	case schema["format"] == "uuid":
		return "uuid"
	case schema["format"] == "date":
		return "date"
	case kind == "string", kind == "boolean", kind == "array", kind == "integer":
		return map[string]string{"string": "text", "boolean": "boolean", "array": "list", "integer": "integer"}[kind]
	}
	t.Fatalf("field of unknown kind: %v", schema)
	return ""
}

// wrongOf lists invalid values for each kind of field and the expected message.
// "x" stands for any text.
var wrongOf = map[string]struct {
	says string
	raws []string
}{
	"text": {"must be a string", []string{`true`, `false`, `7`, `1.5`, `[]`, `["x"]`, `{}`}},
	"uuid": {"must be a UUID", []string{`true`, `7`, `[]`, `{}`, `""`, `"x"`, `"6c6a6e49-1046-52e9-911b-8024397176c"`}},
	"date": {"must be a date in the form YYYY-MM-DD", []string{
		`true`, `20261115`, `[]`, `{}`, `""`, `"x"`, `"2026-11-31"`, `"2026-11-15T00:00:00Z"`, `"15-11-2026"`, `"2026-1-5"`, `"٢٠٢٦-١١-١٥"`, `" 2026-11-15"`,
	}},
	"integer": {"must be an integer", []string{`true`, `1.5`, `1e99`, `""`, `"x"`, `"388"`, `[]`, `{}`}},
	"decimal": {"must be a decimal number", []string{`true`, `false`, `""`, `"x"`, `[]`, `[1]`, `{}`}},
	"boolean": {"must be true or false", []string{`0`, `1`, `"true"`, `"false"`, `""`, `"x"`, `[]`, `{}`}},
	"list":    {"must be an array", []string{`true`, `7`, `""`, `"x"`, `{}`, `{"0":{}}`}},
}

// fieldsOf returns the properties of a schema of the document.
func fieldsOf(t testing.TB, document servicetest.Record, schema string) servicetest.Record {
	t.Helper()
	whole, _ := servicetest.Target(document, "#/components/schemas/"+schema).(servicetest.Record)
	fields, _ := whole["properties"].(servicetest.Record)
	if len(fields) < 2 {
		t.Fatalf("schema %s has the fields %v, want at least 2", schema, fields)
	}
	return fields
}

func TestBadInput_WrongTypeInEveryField(t *testing.T) {
	t.Parallel()
	refusedInEveryField(t, func(n int, name string, schema servicetest.Record) (rows []servicetest.BadValue) {
		wrong := wrongOf[kindIn(t, schema)]
		for _, raw := range testtool.Spread(wrong.raws, n, 3) {
			rows = append(rows, servicetest.BadValue{Field: name, Raw: raw, Path: "", Want: wrong.says})
		}
		return rows
	})
}

// refusedInEveryField checks that every inlet refuses the values that wrong returns
// for the n-th field, its name and its schema.
func refusedInEveryField(t *testing.T, wrong func(n int, name string, schema servicetest.Record) []servicetest.BadValue) {
	t.Helper()
	h := servicetest.Open(t, nil)
	document, count, n := h.Document(t), 0, 0
	for _, in := range everyInlet(h, t) {
		var rows []servicetest.BadValue
		fields := fieldsOf(t, document, in.Schema)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			schema, _ := fields[name].(servicetest.Record)
			rows = append(rows, wrong(n, name, schema)...)
			n++
		}
		count += h.Refused(t, rows, in)
	}
	t.Logf("%d cases", count)
}

func TestBadInput_NullInEveryField(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	document := h.Document(t)
	for _, in := range everyInlet(h, t) {
		whole, _ := servicetest.Target(document, "#/components/schemas/"+in.Schema).(servicetest.Record)
		required, _ := whole["required"].([]any)
		for name, value := range fieldsOf(t, document, in.Schema) {
			schema, _ := value.(servicetest.Record)
			a := in.Send(in.Put(t, name, `null`))
			if slices.Contains(required, any(name)) {
				servicetest.Same(t, in.Name+" "+name, a.Problems(t), []string{in.Told(servicetest.BadValue{Field: name, Raw: `null`, Path: "", Want: wrongOf[kindIn(t, schema)].says})})
				continue
			}
			// null clears an optional field, unless a rule needs it.
			if a.Status == http.StatusBadRequest {
				if lines := a.Problems(t); len(lines) != 1 || !strings.HasPrefix(lines[0], in.At(name)) {
					t.Errorf("%s: null in %s gives problems %q, want one for %s", in.Name, name, lines, in.At(name))
				}
			} else if a.Status >= 300 {
				t.Errorf("%s: null in %s gives status %d, body %s, want success", in.Name, name, a.Status, a.Body)
			}
		}
	}
}

func TestBadInput_CharactersInEveryText(t *testing.T) {
	t.Parallel()
	texts := 0
	refusedInEveryField(t, func(_ int, name string, schema servicetest.Record) (rows []servicetest.BadValue) {
		if kindIn(t, schema) != "text" || schema["enum"] != nil || schema["anyOf"] != nil {
			return nil
		}
		texts++
		for _, c := range testtool.Spread([]string{"0000", "0001", "0008", "000B", "001F", "D800", "DFFF", "FFFE", "FFFF"}, texts, 3) {
			rows = append(rows, servicetest.BadValue{Field: name, Raw: `"a\u` + c + `bc"`, Path: "", Want: "must not contain the character U+" + c})
		}
		rows = append(rows, servicetest.BadValue{Field: name, Raw: `"a\udc00\ud800b"`, Path: "", Want: "must not contain the character U+DC00"})
		most, _ := schema["maxLength"].(json.Number)
		n, err := most.Int64()
		if err != nil {
			t.Errorf("text %s has no maxLength: %v", name, schema)
			return rows
		}
		tooLong := fmt.Sprintf("must have at most %d characters", n)
		long := []string{strings.Repeat("x", 1_000_000)}
		for _, letter := range []string{"a", "ا", "😀", "ẛ̣"} { // one, two and four bytes, and two characters that NFC makes three
			long = append(long, strings.Repeat(letter, int(n)+1))
		}
		for _, text := range testtool.Spread(long, texts, 5) {
			rows = append(rows, servicetest.BadValue{Field: name, Raw: `"` + text + `"`, Path: "", Want: tooLong})
		}
		return rows
	})
}
