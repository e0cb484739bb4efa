package wire

import (
	"fmt"
	"reflect"
	"sync"
)

// kind is what a value means, whatever its Go type is.
type kind int

const (
	kindText kind = iota
	kindBool
	kindInteger
	kindDecimal  // money.Decimal
	kindUUID     // uuid.UUID
	kindDate     // Date
	kindTime     // time.Time
	kindNumber   // json.Number, in answers
	kindList     // of one shape
	kindObject   // a struct
	kindTable    // map[string]T, in answers
	kindAnything // any, in answers
	kindRaw      // json.RawMessage, in answers
	kindEither   // Either, in answers
)

// shape is what the type and the tags of a field say of its value. The reader,
// the writer and the published document all go by it.
type shape struct {
	kind   kind
	goType reflect.Type // without the pointer or the Sent around it
	null   bool         // a pointer: null is a value of its own
	sent   bool         // a Sent: absent, null and given are told apart
	rule   rule
	item   *shape  // of a list or a table
	object *object // of an object
	forms  []shape // of an Either
}

// object is the shape of a struct.
type object struct {
	goType reflect.Type
	fields []field
	byName map[string]int
}

// field is one member of an object.
type field struct {
	name     string // as in JSON; empty where only a header carries it
	index    []int  // where it is in the struct
	header   string // of an answer: also a header of this name
	shape    shape
	required bool // of input: may be neither absent nor null
	omit     bool // of an answer: left out when it is zero
	fallback reflect.Value
	doc      string
	example  string

	deprecated bool // told in the document
}

// objects remembers the shapes of structs by their type. A shape follows from
// the type alone, so nobody can tell when, or how often, it was made.
var objects sync.Map

func knownObject(t reflect.Type) (*object, bool) {
	known, _ := objects.Load(t)
	o, ok := known.(*object)
	return o, ok
}

// objectOf reads the shape of a struct off its type. An error means that the
// source of the program is wrong.
func objectOf(t reflect.Type) (*object, error) {
	if known, ok := knownObject(t); ok {
		return known, nil
	}
	s, err := shapeOf(t)
	if err == nil && s.object == nil {
		err = fmt.Errorf("%s has no fields", t)
	}
	return s.object, err
}

// shapeOf gives the shape of a value that has no tags.
func shapeOf(t reflect.Type) (shape, error) {
	b := builder{made: map[reflect.Type]*object{}}
	s, err := b.shape(t, "")
	if err != nil {
		return s, err
	}
	for t, o := range b.made {
		objects.Store(t, o)
	}
	return s, nil
}

// readable says why a shape cannot be input, or nil if it can.
func (s *shape) readable() error {
	return s.walk(map[*object]bool{}, func(s *shape) error {
		switch s.kind {
		case kindNumber, kindTable, kindAnything, kindRaw, kindEither:
			return fmt.Errorf("%s is for answers only", s.goType)
		}
		return nil
	})
}

// writable says why a shape cannot be an answer, or nil if it can.
func (s *shape) writable() error {
	return s.walk(map[*object]bool{}, func(s *shape) error {
		if s.sent {
			return fmt.Errorf("%s is for input only", s.goType)
		}
		return nil
	})
}

// walk visits a shape and all inside it, each struct once.
func (s *shape) walk(seen map[*object]bool, visit func(*shape) error) error {
	if err := visit(s); err != nil {
		return err
	}
	if s.item != nil {
		return s.item.walk(seen, visit)
	}
	for i := range s.forms {
		if err := s.forms[i].walk(seen, visit); err != nil {
			return err
		}
	}
	if s.object == nil || seen[s.object] {
		return nil
	}
	seen[s.object] = true
	for i := range s.object.fields {
		f := &s.object.fields[i]
		if err := f.shape.walk(seen, visit); err != nil {
			return fmt.Errorf("%s.%s: %w", s.goType, f.name, err)
		}
	}
	return nil
}
