package codec

import (
	"encoding/json"
	"fmt"
	"strconv"

	"khatm/jsontree"
)

// Pairs is a JSON object that preserves the order of its members, so that a
// document lists fields as the struct does and operations as the routes do.
type Pairs []Pair

// Pair is one member: a name and a value, which is Pairs, []any, []string,
// string, bool, int, json.Number, json.RawMessage or nil. It is an alias, so that
// literals of Pairs need not name its fields.
type Pair = struct {
	Name  string
	Value any
}

// Get returns the value of a member, and whether p has it.
func (p Pairs) Get(name string) (any, bool) {
	for _, one := range p {
		if one.Name == name {
			return one.Value, true
		}
	}
	return nil, false
}

// With returns p with a member appended.
func (p Pairs) With(name string, value any) Pairs { return append(p, Pair{name, value}) }

// Without returns p without the named members.
func (p Pairs) Without(names ...string) Pairs {
	var kept Pairs
	for _, one := range p {
		drop := false
		for _, name := range names {
			drop = drop || one.Name == name
		}
		if !drop {
			kept = append(kept, one)
		}
	}
	return kept
}

// Set returns p with the value of a member replaced, or with the member appended.
// It modifies p.
func (p Pairs) Set(name string, value any) Pairs {
	for i := range p {
		if p[i].Name == name {
			p[i].Value = value
			return p
		}
	}
	return p.With(name, value)
}

// AppendIndented appends a document with an indent of two spaces per level.
func AppendIndented(out []byte, value any, indent string) []byte {
	inner := indent + "  "
	switch v := value.(type) {
	case Pairs:
		if len(v) == 0 {
			return append(out, "{}"...)
		}
		for i, one := range v {
			out = append(append(out, between(i, '{')...), inner...)
			out = append(appendString(out, one.Name), ": "...)
			out = AppendIndented(out, one.Value, inner)
		}
		return append(append(append(out, '\n'), indent...), '}')
	case []any:
		if len(v) == 0 {
			return append(out, "[]"...)
		}
		for i, one := range v {
			out = append(append(out, between(i, '[')...), inner...)
			out = AppendIndented(out, one, inner)
		}
		return append(append(append(out, '\n'), indent...), ']')
	case []string:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = one
		}
		return AppendIndented(out, all, indent)
	case string:
		return appendString(out, v)
	case bool:
		return strconv.AppendBool(out, v)
	case int:
		return strconv.AppendInt(out, int64(v), 10)
	case json.Number:
		return append(out, v...)
	case json.RawMessage:
		return append(out, v...)
	case nil:
		return append(out, "null"...)
	}
	panic(fmt.Sprintf("codec: cannot encode %T in a document", value))
}

func between(i int, opening byte) string {
	if i == 0 {
		return string(opening) + "\n"
	}
	return ",\n"
}

// ReadPairs parses a JSON object and preserves the order of its members.
func ReadPairs(data []byte) (Pairs, error) {
	all, err := jsontree.Parse(string(data), func([]jsontree.Step, string) {})
	if err != nil {
		return nil, err
	}
	root, ok := valueAt(all, 0).(Pairs)
	if !ok {
		return nil, fmt.Errorf("the document is not a JSON object")
	}
	return root, nil
}

// valueAt returns the value at an index of a tree.
func valueAt(t jsontree.Tree, at int) any {
	n := t[at]
	switch n.Kind {
	case jsontree.Object:
		p := make(Pairs, 0, n.Size)
		for i := range t.Inside(at) {
			p = p.With(t[i].Key, valueAt(t, i))
		}
		return p
	case jsontree.Array:
		all := make([]any, 0, n.Size)
		for i := range t.Inside(at) {
			all = append(all, valueAt(t, i))
		}
		return all
	case jsontree.String:
		return n.Text
	case jsontree.Number:
		return json.Number(n.Text)
	case jsontree.Null:
		return nil
	}
	return n.Kind == jsontree.True
}
