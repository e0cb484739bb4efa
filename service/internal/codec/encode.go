package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/money"
)

// riyadh is the time zone of times in responses. It has been UTC+3 without
// daylight saving time for as long as UTC exists.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// Append appends a value as JSON. It differs from encoding/json in that it does
// not escape HTML, writes a nil list as [], and writes times in Riyadh time.
func Append(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	return encoder{}.append(out, s, v)
}

// encoder encodes values.
type encoder struct {
	after func([]byte) ([]byte, error) // as Parts.After; may be nil
}

func (e encoder) append(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	if s.Null {
		if v.IsNil() {
			return append(out, "null"...), nil
		}
		v = v.Elem()
	}
	return e.present(out, s, v)
}

// present appends a value that is not a pointer.
func (e encoder) present(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	switch s.Kind {
	case KindText:
		return appendString(out, v.String()), nil
	case KindBool:
		return strconv.AppendBool(out, v.Bool()), nil
	case KindInteger:
		return strconv.AppendInt(out, v.Int(), 10), nil
	case KindList:
		if s.stream {
			return e.stream(out, s, v)
		}
		return e.list(out, s, v)
	case KindObject:
		return e.object(out, s.Object, v)
	case KindTable:
		return e.table(out, s, v)
	case KindEither:
		return e.either(out, s, v)
	}
	return e.special(out, s, v)
}

// special appends values whose Go types have their own text form. Of the
// frequent types it takes the address, if it can: Interface would copy them to
// the heap.
func (e encoder) special(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	value := v
	if v.CanAddr() && (s.Kind == KindDecimal || s.Kind == KindUUID) {
		value = v.Addr()
	}
	switch x := value.Interface().(type) {
	case *money.Decimal:
		return appendDecimal(out, s, *x), nil
	case money.Decimal:
		return appendDecimal(out, s, x), nil
	case *uuid.UUID:
		return appendUUID(out, *x), nil
	case uuid.UUID:
		return appendUUID(out, x), nil
	case Date:
		return append(append(append(out, '"'), x.String()...), '"'), nil
	case time.Time:
		return append(x.In(riyadh).AppendFormat(append(out, '"'), time.RFC3339), '"'), nil
	case json.Number:
		if _, err := money.ParseNumber(x.String()); err != nil {
			return out, fmt.Errorf("number %q: %w", x, err)
		}
		return append(out, x...), nil
	case json.RawMessage:
		return appendRaw(out, x)
	case nil:
		return append(out, "null"...), nil
	default:
		inner, err := ShapeOf(v.Elem().Type())
		if err != nil || s.Kind != KindAnything {
			return out, errors.Join(err, fmt.Errorf("type %s cannot be encoded", v.Type()))
		}
		return e.append(out, &inner, v.Elem())
	}
}

func appendDecimal(out []byte, s *Shape, d money.Decimal) []byte {
	text := d.String
	if s.rule.cents && d.Places() <= 2 {
		text = d.Fixed2
	}
	return append(append(append(out, '"'), text()...), '"')
}

// appendUUID appends an id without allocating its text.
func appendUUID(out []byte, id uuid.UUID) []byte {
	out = append(out, '"')
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out = append(out, '-')
		}
		out = append(out, hexDigits[b>>4], hexDigits[b&0xF])
	}
	return append(out, '"')
}

// appendRaw appends existing JSON without line breaks and spaces.
func appendRaw(out []byte, raw json.RawMessage) ([]byte, error) {
	if len(raw) == 0 {
		return append(out, "null"...), nil
	}
	b := bytes.NewBuffer(out)
	if err := json.Compact(b, raw); err != nil {
		return out, fmt.Errorf("raw JSON: %w", err)
	}
	return b.Bytes(), nil
}

func (e encoder) list(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	out = append(out, '[')
	var err error
	for i := range v.Len() {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = e.append(out, s.Item, v.Index(i)); err != nil {
			return out, fmt.Errorf("%d: %w", i, err)
		}
	}
	return append(out, ']'), nil
}

func (e encoder) object(out []byte, o *Object, v reflect.Value) ([]byte, error) {
	out = append(out, '{')
	first := true
	for i := range o.Fields {
		f := &o.Fields[i]
		field := FieldAt(v, f.Index)
		if f.Name == "" || f.omit && isEmpty(field) {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(appendString(out, f.Name), ':')
		var err error
		if out, err = e.append(out, &f.Shape, field); err != nil {
			return out, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return append(out, '}'), nil
}

// either appends the form that is set.
func (e encoder) either(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	for i := range s.forms {
		if form := v.Field(i); !form.IsNil() {
			return e.append(out, &s.forms[i], form)
		}
	}
	return out, fmt.Errorf("no form of %s is set", s.Type)
}

// isEmpty reports whether a field with omitempty is left out: it is a zero value
// or an empty list or map.
func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// table appends a map with its keys sorted.
func (e encoder) table(out []byte, s *Shape, v reflect.Value) ([]byte, error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return bytes.Compare([]byte(a.String()), []byte(b.String())) })
	out = append(out, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, key.String()), ':')
		if out, err = e.append(out, s.Item, v.MapIndex(key)); err != nil {
			return out, fmt.Errorf("%s: %w", key, err)
		}
	}
	return append(out, '}'), nil
}

// HeaderText returns a value in the form used in headers: JSON without quotes.
func HeaderText(s *Shape, v reflect.Value) (string, error) {
	if s.Null {
		v = v.Elem()
	}
	if s.Kind == KindText {
		return v.String(), nil
	}
	data, err := encoder{}.present(nil, s, v)
	return strings.Trim(string(data), `"`), err
}
