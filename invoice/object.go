package invoice

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"khatm/money"
)

// object reads the fields of one JSON object and notes what is wrong with them.
// A field that is absent or null has its zero value.
type object struct {
	path     string         // "" for the root
	fields   map[string]any // that nobody has asked for yet
	problems *Problems
}

func newObject(value any, path string, problems *Problems) *object {
	fields, ok := value.(map[string]any)
	if !ok {
		name := path
		if name == "" {
			name = "body"
		}
		problems.add(name, "must be an object")
	}
	return &object{path: path, fields: fields, problems: problems}
}

func (o *object) join(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

func (o *object) problem(name, message string) { o.problems.add(o.join(name), "%s", message) }

// take returns the value of a field; ok is false when it is absent or null.
func (o *object) take(name string) (value any, ok bool) {
	value, present := o.fields[name]
	if !present {
		return nil, false
	}
	delete(o.fields, name)
	return value, value != nil
}

func (o *object) text(name string) string { return o.textOr(name, "") }

func (o *object) textOr(name, fallback string) string {
	value, ok := o.take(name)
	if !ok {
		return fallback
	}
	text, ok := value.(string)
	if !ok {
		o.problem(name, "must be a string")
	}
	return text
}

func (o *object) integer(name string) (int64, bool) {
	value, ok := o.take(name)
	if !ok {
		return 0, false
	}
	number, isNumber := value.(json.Number)
	n, err := strconv.ParseInt(string(number), 10, 64)
	if !isNumber || err != nil {
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
	var text string
	switch v := value.(type) {
	case json.Number:
		text = string(v)
	case string:
		text = v
	}
	d, err := money.Parse(text)
	if _, isNumber := value.(json.Number); isNumber {
		d, err = money.ParseNumber(text)
	}
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

// object returns the object in a field, or nil.
func (o *object) object(name string) *object {
	value, ok := o.take(name)
	if !ok {
		return nil
	}
	return newObject(value, o.join(name), o.problems)
}

// readList reads a list of objects.
func readList[T any](o *object, name string, read func(*object) T) []T {
	value, ok := o.take(name)
	if !ok {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		o.problem(name, "must be a list")
		return nil
	}
	if len(list) > MaxLines {
		o.problem(name, "must have at most "+strconv.Itoa(MaxLines)+" entries")
		return nil
	}
	out := make([]T, 0, len(list))
	for i, element := range list {
		out = append(out, read(newObject(element, o.join(name)+"."+strconv.Itoa(i), o.problems)))
	}
	return out
}

// finish complains about fields that nobody asked for: a misspelt name is a
// fact that would be lost.
func (o *object) finish() {
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		o.problem(name, "is not a field of this object")
	}
}
