package codec

import (
	"fmt"
	"reflect"
	"sync"
)

// Kind is what a value means, whatever its Go type is.
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
	KindNumber   // json.Number, in answers
	KindList     // of one shape
	KindObject   // a struct
	KindTable    // map[string]T, in answers
	KindAnything // any, in answers
	KindRaw      // json.RawMessage, in answers
	KindEither   // Either, in answers
)

// Shape is what the type and the tags of a field say of its value. The reader,
// the writer and the published document all go by it.
type Shape struct {
	Kind   Kind
	Type   reflect.Type // without the pointer or the Sent around it
	Null   bool         // a pointer: null is a value of its own
	Sent   bool         // a Sent: absent, null and given are told apart
	rule   rule
	Item   *Shape  // of a list or a table
	Object *Object // of an object
	forms  []Shape // of an Either
}

// Object is the shape of a struct.
type Object struct {
	Type   reflect.Type
	Fields []Field
	byName map[string]int
}

// Field is one member of an object.
type Field struct {
	Name     string // as in JSON; empty where only a header carries it
	Index    []int  // where it is in the struct
	Header   string // of an answer: also a header of this name
	Shape    Shape
	Required bool // of input: may be neither absent nor null
	omit     bool // of an answer: left out when it is zero
	fallback reflect.Value
	Doc      string
	example  string

	deprecated bool // told in the document
}

// objects remembers the shapes of structs by their type. A shape follows from
// the type alone, so nobody can tell when, or how often, it was made.
var objects sync.Map

func knownObject(t reflect.Type) (*Object, bool) {
	known, _ := objects.Load(t)
	o, ok := known.(*Object)
	return o, ok
}

// ObjectOf reads the shape of a struct off its type. An error means that the
// source of the program is wrong.
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

// ShapeOf gives the shape of a value that has no tags.
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

// Readable says why a shape cannot be input, or nil if it can.
func (s *Shape) Readable() error {
	return s.walk(map[*Object]bool{}, func(s *Shape) error {
		switch s.Kind {
		case KindNumber, KindTable, KindAnything, KindRaw, KindEither:
			return fmt.Errorf("%s is for answers only", s.Type)
		}
		return nil
	})
}

// Writable says why a shape cannot be an answer, or nil if it can.
func (s *Shape) Writable() error {
	return s.walk(map[*Object]bool{}, func(s *Shape) error {
		if s.Sent {
			return fmt.Errorf("%s is for input only", s.Type)
		}
		return nil
	})
}

// walk visits a shape and all inside it, each struct once.
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
