package codec

import (
	"reflect"
	"slices"
	"strings"

	"khatm/jsontree"
	"khatm/service/internal/fault"
)

// want is a message about a value that does not match its type.
type want struct{ english, arabic string }

var (
	wantText    = want{"must be a string", "يجب أن تكون القيمة نصًا."}
	wantBool    = want{"must be true or false", "يجب أن تكون القيمة true أو false."}
	wantInteger = want{"must be an integer", "يجب أن تكون القيمة عددًا صحيحًا."}
	wantDecimal = want{"must be a decimal number", "يجب أن تكون القيمة عددًا عشريًا."}
	wantUUID    = want{"must be a UUID", "يجب أن تكون القيمة معرّفًا بصيغة UUID."}
	wantDate    = want{"must be a date in the form YYYY-MM-DD", "يجب أن تكون القيمة تاريخًا مثل 2026-11-17."}
	wantTime    = want{"must be a time in the form 2006-01-02T15:04:05+03:00", "يجب أن تكون القيمة وقتًا مثل \u200e2006-01-02T15:04:05+03:00."}
	wantList    = want{"must be an array", "يجب أن تكون القيمة قائمة."}
	wantObject  = want{"must be an object", "يجب أن تكون القيمة كائنًا (object)."}
	noText      = want{"must not be a string", "يجب ألا تكون القيمة نصًا."}
)

// Problems of a field as a whole, without a path.
var (
	FieldRequired = fault.Problem{Message: "Field required", Code: fault.FieldRequired}
	KeyTwice      = fault.Problem{Message: "must not be given twice", Code: fault.DuplicateField}
	ExtraInput    = fault.Problem{Message: "unknown field", Code: fault.UnknownField}
)

func wrongType(w want) *fault.Problem {
	return &fault.Problem{Message: w.english, Code: fault.WrongType, MessageAR: w.arabic}
}

func wrongForm(w want) *fault.Problem {
	return &fault.Problem{Message: w.english, Code: fault.InvalidFormat, MessageAR: w.arabic}
}

// Options control how a JSON object is decoded.
type Options struct {
	Root   string // prefix of the paths of problems
	Strict bool   // refuse fields that the struct does not have
	Gather bool   // report all missing fields of the outermost object in one problem
}

// decoder stores the values of a JSON tree in a struct.
type decoder struct {
	*Problems
	Options
	tree  jsontree.Tree
	path  []jsontree.Step
	slots []int32 // tree indexes of the fields of the objects being read; 0 if absent
}

// Decode decodes a JSON object into a struct of shape o and records every problem
// in c. After a problem the contents of v are undefined.
func Decode(c *Problems, data []byte, v reflect.Value, o *Object, how Options) {
	d := decoder{Problems: c, Options: how}
	root, whole := d.Root, d.Root
	if whole == "" {
		whole = "body"
	}
	if len(data) == 0 {
		c.Add(whole, FieldRequired)
		return
	}
	var err error
	d.tree, err = jsontree.Parse(string(data), func(path []jsontree.Step, name string) {
		c.addAt(root, append(slices.Clone(path), jsontree.Member(name)), KeyTwice)
	})
	if err != nil {
		c.Add(whole, fault.Problem{Message: "Invalid JSON: " + err.Error(), Code: fault.InvalidJSON})
		return
	}
	if d.tree[0].Kind != jsontree.Object {
		c.Add(whole, *wrongType(wantObject))
		return
	}
	d.object(0, o, v)
}

// wrong records a problem of the value being read, if there is one.
func (d *decoder) wrong(p *fault.Problem) {
	if p != nil {
		d.addAt(d.Root, d.path, *p)
	}
}

// object decodes the members of an object, in the order of the struct's fields.
func (d *decoder) object(at int, o *Object, v reflect.Value) {
	base := len(d.slots)
	d.slots = slices.Grow(d.slots, len(o.Fields))[:base+len(o.Fields)]
	clear(d.slots[base:])
	var extra []string
	for i := at + 1; i < int(d.tree[at].Next); i = int(d.tree[i].Next) {
		key := d.tree[i].Key
		if f, known := o.byName[key]; known {
			d.slots[base+f] = int32(i)
		} else if d.Strict {
			extra = append(extra, key)
		} else if len(d.ignored) < maxIgnored {
			d.Ignore(pathOf(d.Root, append(d.path, jsontree.Member(key))))
		}
	}
	skip := d.gathered(o, base)
	for i := range o.Fields {
		f := &o.Fields[i]
		if f.Name == "" || skip[f.Name] {
			continue
		}
		d.path = append(d.path, jsontree.Member(f.Name))
		if f.unless != "" && d.unsent(base+i) && d.unsent(base+o.byName[f.unless]) {
			d.wrong(&FieldRequired)
		}
		d.field(int(d.slots[base+i]), f, FieldAt(v, f.Index))
		d.path = d.path[:len(d.path)-1]
	}
	d.slots = d.slots[:base]
	slices.Sort(extra)
	for _, name := range slices.Compact(extra) {
		d.addAt(d.Root, append(d.path, jsontree.Member(name)), ExtraInput)
	}
}

// unsent reports whether the field in a slot is absent or null.
func (d *decoder) unsent(slot int) bool {
	at := d.slots[slot]
	return at == 0 || d.tree[at].Kind == jsontree.Null
}

// gathered reports all required fields of the outermost object that are absent,
// null or empty strings as one problem, and returns their names.
func (d *decoder) gathered(o *Object, base int) map[string]bool {
	if !d.Gather || len(d.path) > 0 {
		return nil
	}
	var names []string
	missing := map[string]bool{}
	for i := range o.Fields {
		f := &o.Fields[i]
		at := d.slots[base+i]
		if f.Required && (at == 0 || d.tree[at].Kind == jsontree.Null || d.tree[at].Kind == jsontree.String && d.tree[at].Text == "") {
			names = append(names, f.Name)
			missing[f.Name] = true
		}
	}
	if names != nil {
		d.Add(d.Root, fault.Problem{Message: "Value error, Missing required fields: " + strings.Join(names, ", "), Code: fault.FieldRequired, Fields: names})
	}
	return missing
}

// FieldAt is like v.FieldByIndex, but faster for an index of one element.
func FieldAt(v reflect.Value, index []int) reflect.Value {
	if len(index) == 1 {
		return v.Field(index[0])
	}
	return v.FieldByIndex(index)
}

// field decodes one member; at is 0 if it is absent.
func (d *decoder) field(at int, f *Field, v reflect.Value) {
	absent := at == 0
	null := !absent && d.tree[at].Kind == jsontree.Null
	switch {
	case f.Shape.Sent:
		if !absent {
			v.Field(0).SetBool(true)
			v.Field(1).SetBool(null)
		}
		if !absent && !null {
			d.value(at, &f.Shape, v.Field(2))
		}
	case absent && f.Required:
		d.wrong(&FieldRequired)
	case absent || null && !f.Required:
		if f.fallback.IsValid() {
			d.set(&f.Shape, v, f.fallback)
		}
	case null && f.Shape.Null:
	case f.Shape.Null:
		v.Set(reflect.New(f.Shape.Type))
		d.value(at, &f.Shape, v.Elem())
	default:
		d.value(at, &f.Shape, v)
	}
}

// set assigns the default value to a field.
func (d *decoder) set(s *Shape, v, fallback reflect.Value) {
	s.target(v).Set(fallback)
}

// value decodes a value that is present.
func (d *decoder) value(at int, s *Shape, v reflect.Value) {
	n := &d.tree[at]
	switch s.Kind {
	case KindObject:
		if n.Kind != jsontree.Object {
			d.wrong(wrongType(wantObject))
			return
		}
		d.object(at, s.Object, v)
	case KindList:
		if n.Kind != jsontree.Array {
			d.wrong(wrongType(wantList))
			return
		}
		d.list(at, s, v)
	default:
		problem := s.setNode(v, d.inside(at, s))
		if problem != nil && s.rule.lax && n.Kind != jsontree.Null {
			v.SetString(Invalid)
			return
		}
		d.wrong(problem)
	}
}

// Invalid is the value of a string field with the tag lax if the value that was
// sent is not a valid string.
const Invalid = "\ufffd"

// inside returns the member of an object that is accepted instead of the object
// itself, or the value at at.
func (d *decoder) inside(at int, s *Shape) *jsontree.Node {
	n := &d.tree[at]
	if n.Kind != jsontree.Object || s.rule.member == "" {
		return n
	}
	for i := at + 1; i < int(n.Next); i = int(d.tree[i].Next) {
		if d.tree[i].Key == s.rule.member {
			return &d.tree[i]
		}
	}
	return n
}

func (d *decoder) list(at int, s *Shape, v reflect.Value) {
	size := int(d.tree[at].Size)
	if problem := s.rule.items(size); problem != nil {
		d.wrong(problem)
		return
	}
	v.Set(reflect.MakeSlice(s.Type, size, size))
	d.path = append(d.path, jsontree.Step{})
	for i, one := 0, at+1; i < size; i, one = i+1, int(d.tree[one].Next) {
		d.path[len(d.path)-1].Index = i
		element := v.Index(i)
		if s.Item.Null {
			if d.tree[one].Kind == jsontree.Null {
				continue
			}
			element.Set(reflect.New(s.Item.Type))
			element = element.Elem()
		}
		d.value(one, s.Item, element)
	}
	d.path = d.path[:len(d.path)-1]
}
