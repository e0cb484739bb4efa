package wire

import (
	"reflect"
	"slices"
	"strings"

	"khatm/jsontree"
)

// The sentences of a value that is not what its place asks for.
const (
	fieldRequired = "Field required"
	keyTwice      = "Key given twice"
	extraInput    = "Extra inputs are not permitted"
	wantText      = "Input should be a valid string"
	wantBool      = "Input should be a valid boolean"
	wantInteger   = "Input should be a valid integer"
	wantDecimal   = "Input should be a valid decimal"
	wantUUID      = "Input should be a valid UUID"
	wantDate      = "Input should be a valid date in the form YYYY-MM-DD"
	wantTime      = "Input should be a valid datetime in the form 2006-01-02T15:04:05+03:00"
	wantList      = "Input should be a valid list"
	wantObject    = "Input should be a valid dictionary"
)

// options say how a JSON object is read.
type options struct {
	root   string // what paths of problems begin with
	strict bool   // names that the struct does not have are refused
	gather bool   // missing fields of the outermost object are told in one sentence
}

// decoder puts the values of a tree where a shape says they belong.
type decoder struct {
	*complaints
	options
	tree  jsontree.Tree
	path  []jsontree.Step
	slots []int32 // where the fields of the objects being read are in the tree; 0: absent
}

// decode reads a JSON object into a struct of the shape o and notes every
// problem. What v holds after a problem means nothing.
func decode(c *complaints, data []byte, v reflect.Value, o *object, how options) {
	d := decoder{complaints: c, options: how}
	root, whole := d.root, d.root
	if whole == "" {
		whole = "body"
	}
	if len(data) == 0 {
		c.add(whole, fieldRequired)
		return
	}
	var err error
	d.tree, err = jsontree.Parse(string(data), func(path []jsontree.Step, name string) {
		c.addAt(root, append(slices.Clone(path), jsontree.Member(name)), keyTwice)
	})
	if err != nil {
		c.add(whole, "Invalid JSON: "+err.Error())
		return
	}
	if d.tree[0].Kind != jsontree.Object {
		c.add(whole, wantObject)
		return
	}
	d.object(0, o, v)
}

// wrong notes a problem of the value being read.
func (d *decoder) wrong(message string) {
	if message != "" {
		d.addAt(d.root, d.path, message)
	}
}

// object reads the members of an object, in the order of the struct's fields.
func (d *decoder) object(at int, o *object, v reflect.Value) {
	base := len(d.slots)
	d.slots = slices.Grow(d.slots, len(o.fields))[:base+len(o.fields)]
	clear(d.slots[base:])
	var extra []string
	for i := at + 1; i < int(d.tree[at].Next); i = int(d.tree[i].Next) {
		key := d.tree[i].Key
		if f, known := o.byName[key]; known {
			d.slots[base+f] = int32(i)
		} else if d.strict {
			extra = append(extra, key)
		}
	}
	skip := d.gathered(o, base)
	for i := range o.fields {
		f := &o.fields[i]
		if f.name == "" || skip[f.name] {
			continue
		}
		d.path = append(d.path, jsontree.Member(f.name))
		d.field(int(d.slots[base+i]), f, fieldOf(v, f.index))
		d.path = d.path[:len(d.path)-1]
	}
	d.slots = d.slots[:base]
	slices.Sort(extra)
	for _, name := range slices.Compact(extra) {
		d.addAt(d.root, append(d.path, jsontree.Member(name)), extraInput)
	}
}

// gathered tells all required fields of the outermost object that are absent,
// null or an empty text in one sentence, and says which they are.
func (d *decoder) gathered(o *object, base int) map[string]bool {
	if !d.gather || len(d.path) > 0 {
		return nil
	}
	var names []string
	missing := map[string]bool{}
	for i := range o.fields {
		f := &o.fields[i]
		at := d.slots[base+i]
		if f.required && (at == 0 || d.tree[at].Kind == jsontree.Null || d.tree[at].Kind == jsontree.String && d.tree[at].Text == "") {
			names = append(names, f.name)
			missing[f.name] = true
		}
	}
	if names != nil {
		d.add(d.root, "Value error, Missing required fields: "+strings.Join(names, ", "))
	}
	return missing
}

// fieldOf is FieldByIndex, quicker for the usual index.
func fieldOf(v reflect.Value, index []int) reflect.Value {
	if len(index) == 1 {
		return v.Field(index[0])
	}
	return v.FieldByIndex(index)
}

// field reads one member; at is 0 where it is absent.
func (d *decoder) field(at int, f *field, v reflect.Value) {
	absent := at == 0
	null := !absent && d.tree[at].Kind == jsontree.Null
	switch {
	case f.shape.sent:
		if !absent {
			v.Field(0).SetBool(true)
			v.Field(1).SetBool(null)
		}
		if !absent && !null {
			d.value(at, &f.shape, v.Field(2))
		}
	case absent && f.required:
		d.wrong(fieldRequired)
	case absent || null && !f.required:
		if f.fallback.IsValid() {
			d.set(&f.shape, v, f.fallback)
		}
	case null && f.shape.null:
	case f.shape.null:
		v.Set(reflect.New(f.shape.goType))
		d.value(at, &f.shape, v.Elem())
	default:
		d.value(at, &f.shape, v)
	}
}

// set puts a fallback into a field.
func (d *decoder) set(s *shape, v, fallback reflect.Value) {
	s.target(v).Set(fallback)
}

// value reads a value that is there.
func (d *decoder) value(at int, s *shape, v reflect.Value) {
	n := &d.tree[at]
	switch s.kind {
	case kindObject:
		if n.Kind != jsontree.Object {
			d.wrong(wantObject)
			return
		}
		d.object(at, s.object, v)
	case kindList:
		if n.Kind != jsontree.Array {
			d.wrong(wantList)
			return
		}
		d.list(at, s, v)
	default:
		d.wrong(s.setNode(v, n))
	}
}

func (d *decoder) list(at int, s *shape, v reflect.Value) {
	size := int(d.tree[at].Size)
	if problem := s.rule.items(size); problem != "" {
		d.wrong(problem)
		return
	}
	v.Set(reflect.MakeSlice(s.goType, size, size))
	d.path = append(d.path, jsontree.Step{})
	for i, one := 0, at+1; i < size; i, one = i+1, int(d.tree[one].Next) {
		d.path[len(d.path)-1].Index = i
		element := v.Index(i)
		if s.item.null {
			if d.tree[one].Kind == jsontree.Null {
				continue
			}
			element.Set(reflect.New(s.item.goType))
			element = element.Elem()
		}
		d.value(one, s.item, element)
	}
	d.path = d.path[:len(d.path)-1]
}
