package codec

import (
	"fmt"
	"reflect"
)

// Stream is a list in a response whose values are produced while the response is
// encoded.
type Stream[T any] struct {
	// Next produces the next part of the list. It calls add for each value and
	// reports whether more parts follow. It keeps nothing locked or open when it
	// returns, because the caller may wait a long time before the next call. The
	// value may be changed after add returns. A nil Next is an empty list.
	Next func(add func(*T) error) (more bool, err error)
}

// streamed is implemented by every Stream.
type streamed interface {
	item() reflect.Type
	next(add func(reflect.Value) error) (more bool, err error)
}

var streamValue = reflect.TypeFor[streamed]()

func (Stream[T]) item() reflect.Type { return reflect.TypeFor[T]() }

func (s Stream[T]) next(add func(reflect.Value) error) (more bool, err error) {
	if s.Next == nil {
		return false, nil
	}
	return s.Next(func(value *T) error { return add(reflect.ValueOf(value).Elem()) })
}

// stream appends a whole stream.
func (e encoder) stream(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	w := streamWriter{encoder: e, out: append(out, '['), item: s.Item}
	for more := true; more; {
		var err error
		if more, err = w.take(v); err != nil {
			return out, err
		}
	}
	return append(w.out, ']'), nil
}

// streamWriter appends the values of a stream.
type streamWriter struct {
	encoder
	out   []byte
	item  *Shape
	count int
}

// take appends the next part of the stream v.
func (w *streamWriter) take(v reflect.Value) (more bool, err error) {
	stream, is := v.Interface().(streamed)
	if !is {
		return false, fmt.Errorf("%s is not a stream", v.Type())
	}
	return stream.next(func(value reflect.Value) error {
		if w.count > 0 {
			w.out = append(w.out, ',')
		}
		var err error
		if w.out, err = w.append(w.out, w.item, value); err != nil {
			return fmt.Errorf("%d: %w", w.count, err)
		}
		w.count++
		if w.after == nil {
			return nil
		}
		w.out, err = w.after(w.out)
		return err
	})
}

// HasStream reports whether the shape is an object with a stream as a member.
func (s *Shape) HasStream() bool {
	if s.Object == nil {
		return false
	}
	for i := range s.Object.Fields {
		if s.Object.Fields[i].Shape.stream {
			return true
		}
	}
	return false
}

// Parts encodes an object that has streams as members, one part of a stream at a
// time.
type Parts struct {
	// After is called after each value of a stream, also of a stream within a value,
	// before the stream produces the next one. It returns the buffer for what
	// follows: the given one, or an empty one if it has used what the given one
	// contains. May be nil.
	After func([]byte) ([]byte, error)

	object *Object
	value  reflect.Value
	field  int  // next field
	begun  bool // a member was written
	open   bool // inside the stream of the next field
	count  int  // values written of that stream
	ended  bool
}

// NewParts returns the parts of an object.
func NewParts(s *Shape, v reflect.Value) *Parts { return &Parts{object: s.Object, value: v} }

// Append appends the object up to the end of the next part, and reports whether
// more follows.
func (p *Parts) Append(out []byte) (_ []byte, more bool, err error) {
	if p.ended {
		return out, false, nil
	}
	for ; p.field < len(p.object.Fields); p.field++ {
		f := &p.object.Fields[p.field]
		field := FieldAt(p.value, f.Index)
		if f.Name == "" || f.omit && isEmpty(field) {
			continue
		}
		if !p.open {
			out = p.name(out, f)
		}
		if !f.Shape.stream {
			if out, err = (encoder{p.After}).append(out, &f.Shape, field); err != nil {
				return out, false, fmt.Errorf("%s: %w", f.Name, err)
			}
			continue
		}
		if out, more, err = p.stream(out, f, field); err != nil || more {
			return out, more, err
		}
	}
	p.ended = true
	if !p.begun {
		out = append(out, '{')
	}
	return append(out, '}'), false, nil
}

// name appends the name of a member and what comes before it.
func (p *Parts) name(out []byte, f *Field) []byte {
	between := byte(',')
	if !p.begun {
		p.begun, between = true, '{'
	}
	return append(appendString(append(out, between), f.Name), ':')
}

// stream appends the next part of a stream.
func (p *Parts) stream(out []byte, f *Field, v reflect.Value) (_ []byte, more bool, err error) {
	if !p.open {
		p.open, p.count = true, 0
		out = append(out, '[')
	}
	taken := streamWriter{encoder: encoder{p.After}, out: out, item: f.Shape.Item, count: p.count}
	if more, err = taken.take(v); err != nil {
		return taken.out, false, fmt.Errorf("%s: %w", f.Name, err)
	}
	p.count = taken.count
	if more {
		return taken.out, true, nil
	}
	p.open = false
	return append(taken.out, ']'), false, nil
}
