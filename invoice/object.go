package invoice

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"khatm/jsontree"
	"khatm/money"
)

// object reads the fields of one JSON object and collects the problems with
// them. A field that is absent or null has its zero value.
type object struct {
	path     string // empty for the root
	tree     jsontree.Tree
	fields   map[string]int // tree indexes of the fields that are not read yet
	problems *Problems
}

// readObject returns a reader for the object at an index of the tree.
func readObject(tree jsontree.Tree, at int, path string, problems *Problems) *object {
	o := &object{path: path, tree: tree, problems: problems}
	if tree[at].Kind != jsontree.Object {
		problems.add(nameOf(path), "must be an object")
		return o
	}
	o.fields = make(map[string]int, tree[at].Size)
	for i := range tree.Inside(at) {
		o.fields[tree[i].Key] = i
	}
	return o
}

// nameOf returns the path of an object as shown in problems.
func nameOf(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

func (o *object) join(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

func (o *object) problem(name, message string) { o.problems.add(o.join(name), "%s", message) }

// take returns the value of a field and marks the field as read. It returns
// false if the field is absent or null.
func (o *object) take(name string) (value jsontree.Node, ok bool) {
	at, present := o.fields[name]
	if !present {
		return jsontree.Node{}, false
	}
	delete(o.fields, name)
	return o.tree[at], o.tree[at].Kind != jsontree.Null
}

func (o *object) text(name string) string { return o.textOr(name, "") }

func (o *object) textOr(name, fallback string) string {
	value, ok := o.take(name)
	if !ok {
		return fallback
	}
	switch {
	case value.Kind != jsontree.String:
		o.problem(name, "must be a string")
		return ""
	case !utf8.ValidString(value.Text):
		o.problem(name, `has half of a surrogate pair: a \u escape without its other half`)
		return ""
	}
	return value.Text
}

func (o *object) integer(name string) (int64, bool) {
	value, ok := o.take(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(value.Text, 10, 64)
	if value.Kind != jsontree.Number || err != nil {
		o.problem(name, "must be an integer")
		return 0, false
	}
	return n, true
}

func (o *object) decimal(name string) (money.Decimal, bool) {
	value, ok := o.take(name)
	if !ok {
		return money.Decimal{}, false
	}
	parse := money.Parse
	if value.Kind == jsontree.Number {
		parse = money.ParseNumber
	}
	d, err := parse(value.Text)
	if err != nil {
		o.problem(name, err.Error())
		return money.Decimal{}, false
	}
	return d, true
}

func (o *object) decimalOr(name string, fallback money.Decimal) money.Decimal {
	if d, ok := o.decimal(name); ok {
		return d
	}
	return fallback
}

// object returns a reader for the object in a field, or nil if the field is missing.
func (o *object) object(name string) *object {
	at := o.fields[name]
	if _, ok := o.take(name); !ok {
		return nil
	}
	return readObject(o.tree, at, o.join(name), o.problems)
}

// readList reads a list of objects.
func readList[T any](o *object, name string, read func(*object) T) []T {
	at := o.fields[name]
	list, ok := o.take(name)
	if !ok {
		return nil
	}
	if list.Kind != jsontree.Array {
		o.problem(name, "must be a list")
		return nil
	}
	if list.Size > MaxLines {
		o.problem(name, "must have at most "+strconv.Itoa(MaxLines)+" entries")
		return nil
	}
	out := make([]T, 0, list.Size)
	for i := range o.tree.Inside(at) {
		path := o.join(name) + "." + strconv.Itoa(len(out))
		out = append(out, read(readObject(o.tree, i, path, o.problems)))
	}
	return out
}

// finish reports the fields that were not read. They are unknown, and ignoring
// a misspelt name would lose its value.
func (o *object) finish() {
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		o.problem(strings.ToValidUTF8(name, "\ufffd"), "is not a field of this object")
	}
}
