package codec

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/money"
)

// scalars lists the scalar types besides strings, booleans and integers.
var scalars = map[reflect.Type]Kind{
	reflect.TypeFor[money.Decimal]():   KindDecimal,
	reflect.TypeFor[uuid.UUID]():       KindUUID,
	reflect.TypeFor[Date]():            KindDate,
	reflect.TypeFor[time.Time]():       KindTime,
	reflect.TypeFor[json.Number]():     KindNumber,
	reflect.TypeFor[json.RawMessage](): KindRaw,
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	patchField    = reflect.TypeFor[interface{ patchField() }]()
	eitherValue   = reflect.TypeFor[interface{ either() }]()
)

// builder derives shapes from types. It remembers the structs it has started, so
// that a type may contain itself.
type builder struct {
	made map[reflect.Type]*Object
}

func (b *builder) object(t reflect.Type) (*Object, error) {
	if known, ok := knownObject(t); ok {
		return known, nil
	}
	if begun := b.made[t]; begun != nil {
		return begun, nil
	}
	o := &Object{Type: t, byName: map[string]int{}}
	b.made[t] = o
	if err := b.fields(o, t, nil); err != nil {
		return nil, err
	}
	return o, nil
}

// fields adds the fields of a struct, including those of embedded structs.
func (b *builder) fields(o *Object, t reflect.Type, at []int) error {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(append([]int(nil), at...), i)
		if sf.Anonymous && sf.Type.Kind() == reflect.Struct && sf.Tag == "" {
			if err := b.fields(o, sf.Type, index); err != nil {
				return err
			}
			continue
		}
		name, options, named := jsonTag(sf.Tag)
		header := sf.Tag.Get("header")
		if name == "-" && header != "" {
			name = ""
		}
		if name == "-" || !sf.IsExported() && !named {
			continue
		}
		if !sf.IsExported() || !named && header == "" {
			return fmt.Errorf("%s.%s has no json tag or is not exported", t, sf.Name)
		}
		f := Field{Name: name, Index: index, Header: header, omit: strings.Contains(options, "omit")}
		if err := b.describe(&f, sf); err != nil {
			return fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
		if _, taken := o.byName[name]; taken && name != "" {
			return fmt.Errorf("%s has two fields %q", o.Type, name)
		}
		if name != "" {
			o.byName[name] = len(o.Fields)
		}
		o.Fields = append(o.Fields, f)
	}
	return nil
}

func jsonTag(tag reflect.StructTag) (name, options string, named bool) {
	text, found := tag.Lookup("json")
	name, options, _ = strings.Cut(text, ",")
	return name, options, found && name != ""
}

// NewField returns the field for a parameter or a header, derived from its type
// and tags.
func NewField(sf reflect.StructField, index []int, name, header string) (Field, error) {
	b := builder{made: map[reflect.Type]*Object{}}
	f := Field{Name: name, Index: index, Header: header}
	err := b.describe(&f, sf)
	return f, err
}

// describe sets the shape, default and documentation of a field from its type and
// tags.
func (b *builder) describe(f *Field, sf reflect.StructField) (err error) {
	if f.Shape, err = b.shape(sf.Type, sf.Tag); err != nil {
		return err
	}
	f.Doc, f.example, f.Deprecated = sf.Tag.Get("doc"), sf.Tag.Get("example"), sf.Tag.Get("deprecated") == "true"
	f.unless = sf.Tag.Get("unless")
	f.Required = sf.Tag.Get("optional") == "" && f.unless == "" && !f.Shape.Sent
	if text, ok := sf.Tag.Lookup("default"); ok {
		f.Required = false
		f.fallback = reflect.New(f.Shape.Type).Elem()
		if problem := f.Shape.setText(f.fallback, text); problem != nil {
			return fmt.Errorf("default %q: %s", text, problem)
		}
	}
	if f.example == "" {
		return nil
	}
	return f.Shape.exampleFault(f.example)
}

// exampleFault returns an error if the decoder would refuse the example. The
// example of a list is one of its values; that of an object or map is JSON.
func (s *Shape) exampleFault(text string) error {
	switch s.Kind {
	case KindList:
		return s.Item.exampleFault(text)
	case KindObject, KindTable, KindAnything, KindRaw:
		if !json.Valid([]byte(text)) {
			return fmt.Errorf("example %q is not JSON", text)
		}
		return nil
	}
	if problem := s.setText(reflect.New(s.Type).Elem(), text); problem != nil {
		return fmt.Errorf("example %q: %s", text, problem)
	}
	return nil
}

// shape returns the shape of a type. Tags of a list that constrain values and not
// their number apply to each value.
func (b *builder) shape(t reflect.Type, tag reflect.StructTag) (s Shape, err error) {
	if t.Implements(patchField) {
		s, err = b.shape(t.Field(2).Type, tag)
		s.Sent = true
		return s, err
	}
	if t.Kind() == reflect.Pointer {
		s, err = b.shape(t.Elem(), tag)
		if s.Null || s.Sent {
			return s, fmt.Errorf("%s is a pointer to a pointer or to a Sent", t)
		}
		s.Null = true
		return s, err
	}
	s.Type = t
	if s.Kind, err = kindOf(t); err != nil {
		return s, err
	}
	switch s.Kind {
	case KindObject:
		s.Object, err = b.object(t)
		return s, err
	case KindEither:
		for i := range t.NumField() {
			form, err := b.shape(t.Field(i).Type, "")
			if err != nil {
				return s, err
			}
			s.forms = append(s.forms, form)
		}
		return s, nil
	case KindList, KindTable:
		var of reflect.Type
		if stream, is := reflect.Zero(t).Interface().(streamed); is {
			s.stream, of = true, stream.item()
		} else {
			of = t.Elem()
		}
		item, err := b.shape(of, withoutCounts(tag))
		if err != nil {
			return s, err
		}
		s.Item = &item
	}
	s.rule, err = ruleOf(s.Kind, tag)
	return s, err
}

func kindOf(t reflect.Type) (Kind, error) {
	if k, ok := scalars[t]; ok {
		return k, nil
	}
	if t.Kind() == reflect.Struct && t.Implements(eitherValue) {
		return KindEither, nil
	}
	if t.Implements(streamValue) {
		return KindList, nil
	}
	if t.Kind() != reflect.Interface && (t.Implements(jsonMarshaler) || t.Implements(textMarshaler)) {
		return 0, fmt.Errorf("%s implements a marshaler, so its JSON form is unknown", t)
	}
	switch t.Kind() {
	case reflect.String:
		return KindText, nil
	case reflect.Bool:
		return KindBool, nil
	case reflect.Int, reflect.Int64:
		return KindInteger, nil
	case reflect.Slice:
		return KindList, nil
	case reflect.Struct:
		return KindObject, nil
	case reflect.Interface:
		return KindAnything, nil
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return KindTable, nil
		}
	}
	return 0, fmt.Errorf("%s has no JSON form", t)
}
