package codec

import (
	"fmt"
	"reflect"
	"sync"
)

// Kind is the kind of a JSON value, independent of its Go type.
type Kind int

// The kinds of values.
const (
	KindText Kind = iota
	KindBool
	KindInteger
	KindDecimal  // money.Decimal
	KindUUID     // uuid.UUID
	KindDate     // Date
	KindTime     // time.Time
	KindNumber   // json.Number, in responses
	KindList     // of one shape
	KindObject   // a struct
	KindTable    // map[string]T, in responses
	KindAnything // any, in responses
	KindRaw      // json.RawMessage: a JSON object, in responses
	KindEither   // Either, in responses
)

// Shape describes a value by the type and the tags of its field. The decoder, the
// encoder and the published document all use it.
type Shape struct {
	Kind   Kind
	Type   reflect.Type // without the pointer or the Sent around it
	Null   bool         // the field is a pointer and may be null
	Sent   bool         // the field is a Sent, which distinguishes absent, null and given
	rule   rule
	Item   *Shape  // of a list or a table
	Object *Object // of an object
	forms  []Shape // of an Either
	stream bool    // a list that is a Stream
}

// Object is the shape of a struct.
type Object struct {
	Type   reflect.Type
	Fields []Field
	byName map[string]int
}

// Field is one member of an object.
type Field struct {
	Name     string // JSON name; empty if the value is only in a header
	Index    []int  // index in the struct, as for FieldByIndex
	Header   string // in a response: also sent as this header
	Shape    Shape
	Required bool   // in a request: must be neither absent nor null
	unless   string // in a request: must be sent unless this field is sent
	omit     bool   // in a response: omitted if it is zero
	fallback reflect.Value
	Doc      string
	example  string

	Deprecated bool // marked in the document
}

// objects caches the shapes of structs by type.
var objects sync.Map

func knownObject(t reflect.Type) (*Object, bool) {
	known, _ := objects.Load(t)
	o, ok := known.(*Object)
	return o, ok
}

// ObjectOf returns the shape of a struct type. It returns an error if the type or
// its tags are declared wrongly.
func ObjectOf(t reflect.Type) (*Object, error) {
	if known, ok := knownObject(t); ok {
		return known, nil
	}
	s, err := ShapeOf(t)
	if err == nil && s.Object == nil {
		err = fmt.Errorf("%s has no fields", t)
	}
	return s.Object, err
}

// ShapeOf returns the shape of a type, without the tags of a field.
func ShapeOf(t reflect.Type) (Shape, error) {
	b := builder{made: map[reflect.Type]*Object{}}
	s, err := b.shape(t, "")
	if err != nil {
		return s, err
	}
	for t, o := range b.made {
		objects.Store(t, o)
	}
	return s, nil
}

// Readable returns an error if the shape cannot be used in a request.
func (s *Shape) Readable() error {
	return s.walk(map[*Object]bool{}, func(s *Shape) error {
		switch s.Kind {
		case KindNumber, KindTable, KindAnything, KindRaw, KindEither:
			return fmt.Errorf("%s is for responses only", s.Type)
		}
		if s.stream {
			return fmt.Errorf("%s is for responses only", s.Type)
		}
		return nil
	})
}

// Writable returns an error if the shape cannot be used in a response.
func (s *Shape) Writable() error {
	return s.walk(map[*Object]bool{}, func(s *Shape) error {
		if s.Sent {
			return fmt.Errorf("%s is for requests only", s.Type)
		}
		return nil
	})
}

// walk visits a shape and everything inside it, each struct once.
func (s *Shape) walk(seen map[*Object]bool, visit func(*Shape) error) error {
	if err := visit(s); err != nil {
		return err
	}
	if s.Item != nil {
		return s.Item.walk(seen, visit)
	}
	for i := range s.forms {
		if err := s.forms[i].walk(seen, visit); err != nil {
			return err
		}
	}
	if s.Object == nil || seen[s.Object] {
		return nil
	}
	seen[s.Object] = true
	for i := range s.Object.Fields {
		f := &s.Object.Fields[i]
		if err := f.Shape.walk(seen, visit); err != nil {
			return fmt.Errorf("%s.%s: %w", s.Type, f.Name, err)
		}
	}
	return nil
}
