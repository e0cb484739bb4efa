package wire

import (
	"reflect"
	"strings"

	"khatm/jsontree"
)

// readTexts reads a field that comes as text: no value where it is absent, one,
// or several of a list.
func (f *field) readTexts(c *complaints, given []string, v reflect.Value) {
	if len(given) == 0 {
		if f.required {
			c.add(f.name, fieldRequired)
		} else if f.fallback.IsValid() {
			f.shape.target(v).Set(f.fallback)
		}
		return
	}
	if f.shape.kind == kindList {
		f.readList(c, given, f.shape.target(v))
		return
	}
	if problem := f.shape.setText(f.shape.target(v), given[0]); problem != "" {
		c.add(f.name, problem)
	}
}

// readList reads values with commas between them, given at once or one by one.
func (f *field) readList(c *complaints, given []string, v reflect.Value) {
	values := strings.Split(strings.Join(given, ","), ",")
	if len(values) == 1 && values[0] == "" {
		values = nil
	}
	if problem := f.shape.rule.items(len(values)); problem != "" {
		c.add(f.name, problem)
		return
	}
	v.Set(reflect.MakeSlice(f.shape.goType, len(values), len(values)))
	for i, text := range values {
		if problem := f.shape.item.setText(v.Index(i), text); problem != "" {
			c.addAt(f.name, []jsontree.Step{{Index: i}}, problem)
		}
	}
}

// target is where the value goes: behind the pointer, if the field is one.
func (s *shape) target(v reflect.Value) reflect.Value {
	if !s.null {
		return v
	}
	v.Set(reflect.New(s.goType))
	return v.Elem()
}
