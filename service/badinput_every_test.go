package service_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// kindIn is what the document says a field holds: text, uuid, date, decimal,
// integer, boolean or list.
func kindIn(t testing.TB, schema record) string {
	t.Helper()
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
	t.Fatalf("a field of no kind: %v", schema)
	return ""
}

// wrongOf are values that are of no use to a kind of field, and the sentence
// that says so. "x" stands for any text.
var wrongOf = map[string]struct {
	says string
	raws []string
}{
	"text": {"Input should be a valid string", []string{`true`, `false`, `7`, `1.5`, `[]`, `["x"]`, `{}`}},
	"uuid": {"Input should be a valid UUID", []string{`true`, `7`, `[]`, `{}`, `""`, `"x"`, `"6c6a6e49-1046-52e9-911b-8024397176c"`}},
	"date": {"Input should be a valid date in the form YYYY-MM-DD", []string{
		`true`, `20261115`, `[]`, `{}`, `""`, `"x"`, `"2026-11-31"`, `"2026-11-15T00:00:00Z"`, `"15-11-2026"`, `"2026-1-5"`, `"٢٠٢٦-١١-١٥"`, `" 2026-11-15"`,
	}},
	"integer": {"Input should be a valid integer", []string{`true`, `1.5`, `1e99`, `""`, `"x"`, `"388"`, `[]`, `{}`}},
	"decimal": {"Input should be a valid decimal", []string{`true`, `false`, `""`, `"x"`, `[]`, `[1]`, `{}`}},
	"boolean": {"Input should be a valid boolean", []string{`0`, `1`, `"true"`, `"false"`, `""`, `"x"`, `[]`, `{}`}},
	"list":    {"Input should be a valid list", []string{`true`, `7`, `""`, `"x"`, `{}`, `{"0":{}}`}},
}

// fieldsOf are the properties of a schema of the document.
func fieldsOf(t testing.TB, document record, schema string) record {
	t.Helper()
	whole, _ := target(document, "#/components/schemas/"+schema).(record)
	fields, _ := whole["properties"].(record)
	if len(fields) < 2 {
		t.Fatalf("%s has fields %v", schema, fields)
	}
	return fields
}

func TestBadInput_WrongTypeInEveryField(t *testing.T) {
	h := open(t, nil)
	document, count := h.document(t), 0
	for _, in := range h.everyInlet(t) {
		var rows []bad
		fields := fieldsOf(t, document, in.schema)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			schema, _ := fields[name].(record)
			wrong := wrongOf[kindIn(t, schema)]
			for _, raw := range wrong.raws {
				rows = append(rows, bad{name, raw, "", wrong.says})
			}
		}
		count += h.refused(t, rows, in)
	}
	t.Logf("%d rows", count)
}

func TestBadInput_NullInEveryField(t *testing.T) {
	h := open(t, nil)
	document := h.document(t)
	for _, in := range h.everyInlet(t) {
		whole, _ := target(document, "#/components/schemas/"+in.schema).(record)
		required, _ := whole["required"].([]any)
		for name, value := range fieldsOf(t, document, in.schema) {
			schema, _ := value.(record)
			a := in.send(in.put(t, name, `null`))
			if slices.Contains(required, any(name)) {
				same(t, in.name+" "+name, a.problems(t), []string{in.told(bad{name, `null`, "", wrongOf[kindIn(t, schema)].says})})
				continue
			}
			// What is optional is cleared, unless a rule needs it: then it is named.
			if a.status == http.StatusBadRequest {
				if lines := a.problems(t); len(lines) != 1 || !strings.HasPrefix(lines[0], in.at(name)) {
					t.Errorf("%s %s: null gives %q", in.name, name, lines)
				}
			} else if a.status >= 300 {
				t.Errorf("%s %s: null gives %d %s", in.name, name, a.status, a.body)
			}
		}
	}
}

func TestBadInput_CharactersInEveryText(t *testing.T) {
	h := open(t, nil)
	document, count := h.document(t), 0
	for _, in := range h.everyInlet(t) {
		var rows []bad
		fields := fieldsOf(t, document, in.schema)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			schema, _ := fields[name].(record)
			if kindIn(t, schema) != "text" || schema["enum"] != nil {
				continue
			}
			for _, c := range []string{"0000", "0001", "0008", "000B", "001F", "D800", "DFFF", "FFFE", "FFFF"} {
				rows = append(rows, bad{name, `"a\u` + c + `bc"`, "", "Input should not contain the character U+" + c})
			}
			rows = append(rows, bad{name, `"a\udc00\ud800b"`, "", "Input should not contain the character U+DC00"})
			most, _ := schema["maxLength"].(json.Number)
			n, err := most.Int64()
			if err != nil {
				t.Errorf("%s %s has no bound: %v", in.name, name, schema)
				continue
			}
			tooLong := fmt.Sprintf("String should have at most %d characters", n)
			for _, letter := range []string{"a", "ا", "😀", "ẛ̣"} { // one, two and four bytes, and two characters of which NFC makes one more
				rows = append(rows, bad{name, `"` + strings.Repeat(letter, int(n)+1) + `"`, "", tooLong})
			}
			rows = append(rows, bad{name, `"` + strings.Repeat("x", 1_000_000) + `"`, "", tooLong})
		}
		count += h.refused(t, rows, in)
	}
	t.Logf("%d rows", count)
}
