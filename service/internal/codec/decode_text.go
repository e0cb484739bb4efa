package codec

import (
	"reflect"
	"strings"

	"khatm/jsontree"
)

// ReadTexts decodes the values of a query or form parameter: none if it is
// absent, one, or several for a list.
func (f *Field) ReadTexts(c *Problems, given []string, v reflect.Value) {
	if len(given) == 0 {
		if f.Required {
			c.Add(f.Name, FieldRequired)
		} else if f.fallback.IsValid() {
			f.Shape.target(v).Set(f.fallback)
		}
		return
	}
	if f.Shape.Kind == KindList {
		f.readList(c, given, f.Shape.target(v))
		return
	}
	if problem := f.Shape.setText(f.Shape.target(v), given[0]); problem != nil {
		c.Add(f.Name, *problem)
	}
}

// readList decodes values separated by commas or given as repeated parameters. A
// trailing comma is ignored.
func (f *Field) readList(c *Problems, given []string, v reflect.Value) {
	values := strings.Split(strings.TrimSuffix(strings.Join(given, ","), ","), ",")
	if len(values) == 1 && values[0] == "" {
		values = nil
	}
	if problem := f.Shape.rule.items(len(values)); problem != nil {
		c.Add(f.Name, *problem)
		return
	}
	v.Set(reflect.MakeSlice(f.Shape.Type, len(values), len(values)))
	for i, text := range values {
		if problem := f.Shape.Item.setText(v.Index(i), text); problem != nil {
			c.addAt(f.Name, []jsontree.Step{{Index: i}}, *problem)
		}
	}
}

// target returns the value to set. For a pointer field it allocates the element.
func (s *Shape) target(v reflect.Value) reflect.Value {
	if !s.Null {
		return v
	}
	v.Set(reflect.New(s.Type))
	return v.Elem()
}
