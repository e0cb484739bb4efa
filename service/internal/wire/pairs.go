package wire

import (
	"encoding/json"
	"fmt"
	"strconv"

	"khatm/jsontree"
)

// pairs is a JSON object that keeps its order, so that a document reads as it
// was meant to: fields as the struct has them, operations as the rows have them.
type pairs []pair

type pair struct {
	name  string
	value any // pairs, []any, []string, string, bool, int, json.Number, json.RawMessage or nil
}

func (p pairs) get(name string) (any, bool) {
	for _, one := range p {
		if one.name == name {
			return one.value, true
		}
	}
	return nil, false
}

// with adds a member; without gives the object less some members.
func (p pairs) with(name string, value any) pairs { return append(p, pair{name, value}) }

func (p pairs) without(names ...string) pairs {
	var kept pairs
	for _, one := range p {
		drop := false
		for _, name := range names {
			drop = drop || one.name == name
		}
		if !drop {
			kept = append(kept, one)
		}
	}
	return kept
}

// set replaces a member where it stands, or adds it.
func (p pairs) set(name string, value any) pairs {
	for i := range p {
		if p[i].name == name {
			p[i].value = value
			return p
		}
	}
	return p.with(name, value)
}

// appendIndented writes a document two spaces a level.
func appendIndented(out []byte, value any, indent string) []byte {
	inner := indent + "  "
	switch v := value.(type) {
	case pairs:
		if len(v) == 0 {
			return append(out, "{}"...)
		}
		for i, one := range v {
			out = append(append(out, between(i, '{')...), inner...)
			out = append(appendString(out, one.name), ": "...)
			out = appendIndented(out, one.value, inner)
		}
		return append(append(append(out, '\n'), indent...), '}')
	case []any:
		if len(v) == 0 {
			return append(out, "[]"...)
		}
		for i, one := range v {
			out = append(append(out, between(i, '[')...), inner...)
			out = appendIndented(out, one, inner)
		}
		return append(append(append(out, '\n'), indent...), ']')
	case []string:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = one
		}
		return appendIndented(out, all, indent)
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
	panic(fmt.Sprintf("wire: a document cannot hold %T", value))
}

func between(i int, opening byte) string {
	if i == 0 {
		return string(opening) + "\n"
	}
	return ",\n"
}

// readPairs reads JSON and keeps the order of its members.
func readPairs(data []byte) (pairs, error) {
	all, err := jsontree.Parse(string(data), func([]jsontree.Step, string) {})
	if err != nil {
		return nil, err
	}
	root, ok := valueAt(all, 0).(pairs)
	if !ok {
		return nil, fmt.Errorf("the document is no object")
	}
	return root, nil
}

// valueAt returns the value at an index of a tree.
func valueAt(t jsontree.Tree, at int) any {
	n := t[at]
	switch n.Kind {
	case jsontree.Object:
		p := make(pairs, 0, n.Size)
		for i := range t.Inside(at) {
			p = p.with(t[i].Key, valueAt(t, i))
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
