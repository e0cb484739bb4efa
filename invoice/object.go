package invoice

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"khatm/jsontree"
	"khatm/money"
)

// reader reads the values of one JSON text and collects the problems with them.
type reader struct {
	tree     jsontree.Tree
	read     []bool // by tree index: the fields that were read
	problems Problems
}

// object reads the fields of one JSON object. A field that is absent or null has
// its zero value.
type object struct {
	*reader
	parent *object // nil for the root
	name   string  // field of the parent
	index  int     // index in the list in that field, or -1
	first  int     // tree index of the first field
	end    int     // tree index after the last field
	next   int     // tree index after the field that was read last
}

// root returns a reader for the whole text.
func (r *reader) root() *object {
	o := &object{reader: r, index: -1}
	o.enter(0)
	return o
}

// enter starts to read the object at a tree index.
func (o *object) enter(at int) {
	o.first, o.end = at+1, int(o.tree[at].Next)
	if o.tree[at].Kind != jsontree.Object {
		o.problems.add(nameOf(o.path()), "must be an object")
		o.end = o.first // no fields
	}
	o.next = o.first
}

// nameOf returns the path of an object as shown in problems.
func nameOf(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

// path returns the path of the object, which is empty for the root.
func (o *object) path() string {
	switch {
	case o.parent == nil:
		return ""
	case o.index < 0:
		return o.parent.join(o.name)
	}
	return o.parent.join(o.name) + "." + strconv.Itoa(o.index)
}

func (o *object) join(name string) string {
	if path := o.path(); path != "" {
		return path + "." + name
	}
	return name
}

func (o *object) problem(name, message string) { o.problems.add(o.join(name), "%s", message) }

// find returns the tree index of a field and marks the field as read. It returns
// false if the field is absent or null.
//
// The search begins after the field that was found last: most texts have the fields
// in the order in which they are read.
func (o *object) find(name string) (at int, ok bool) {
	at, ok = o.search(name, o.next, o.end)
	if !ok {
		at, ok = o.search(name, o.first, o.next)
	}
	if !ok {
		return 0, false
	}
	o.next = int(o.tree[at].Next)
	o.read[at] = true
	return at, o.tree[at].Kind != jsontree.Null
}

func (o *object) search(name string, from, to int) (at int, ok bool) {
	for i := from; i < to; i = int(o.tree[i].Next) {
		if o.tree[i].Key == name {
			return i, true
		}
	}
	return 0, false
}

func (o *object) text(name string) string { return o.textOr(name, "") }

func (o *object) textOr(name, fallback string) string {
	at, ok := o.find(name)
	if !ok {
		return fallback
	}
	switch value := &o.tree[at]; {
	case value.Kind != jsontree.String:
		o.problem(name, "must be a string")
		return ""
	case !utf8.ValidString(value.Text):
		o.problem(name, `has half of a surrogate pair: a \u escape without its other half`)
		return ""
	default:
		return value.Text
	}
}

func (o *object) integer(name string) (int64, bool) {
	at, ok := o.find(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(o.tree[at].Text, 10, 64)
	if o.tree[at].Kind != jsontree.Number || err != nil {
		o.problem(name, "must be an integer")
		return 0, false
	}
	return n, true
}

func (o *object) decimal(name string) (money.Decimal, bool) {
	at, ok := o.find(name)
	if !ok {
		return money.Decimal{}, false
	}
	parse := money.Parse
	if o.tree[at].Kind == jsontree.Number {
		parse = money.ParseNumber
	}
	d, err := parse(o.tree[at].Text)
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
	at, ok := o.find(name)
	if !ok {
		return nil
	}
	child := &object{reader: o.reader, parent: o, name: name, index: -1}
	child.enter(at)
	return child
}

// readList reads a list of objects.
func readList[T any](o *object, name string, read func(*object) T) []T {
	at, ok := o.find(name)
	if !ok {
		return nil
	}
	list := &o.tree[at]
	if list.Kind != jsontree.Array {
		o.problem(name, "must be a list")
		return nil
	}
	if list.Size > MaxLines {
		o.problem(name, "must have at most "+strconv.Itoa(MaxLines)+" entries")
		return nil
	}
	out := make([]T, 0, list.Size)
	entry := &object{reader: o.reader, parent: o, name: name}
	for i := range o.tree.Inside(at) {
		entry.index = len(out)
		entry.enter(i)
		out = append(out, read(entry))
	}
	return out
}

// finish reports the fields that were not read. They are unknown, and ignoring
// a misspelt name would lose its value.
func (o *object) finish() {
	var names []string
	for i := o.first; i < o.end; i = int(o.tree[i].Next) {
		if !o.read[i] {
			names = append(names, o.tree[i].Key)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		o.problem(strings.ToValidUTF8(name, "\ufffd"), "is not a field of this object")
	}
}
