package wire

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

// scalars are the types that stand for one value, besides strings, booleans and
// integers of any name.
var scalars = map[reflect.Type]kind{
	reflect.TypeFor[money.Decimal]():   kindDecimal,
	reflect.TypeFor[uuid.UUID]():       kindUUID,
	reflect.TypeFor[Date]():            kindDate,
	reflect.TypeFor[time.Time]():       kindTime,
	reflect.TypeFor[json.Number]():     kindNumber,
	reflect.TypeFor[json.RawMessage](): kindRaw,
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	patchField    = reflect.TypeFor[interface{ patchField() }]()
	eitherValue   = reflect.TypeFor[interface{ either() }]()
)

// builder reads shapes off types. It knows the structs it has begun, so a type
// may hold itself.
type builder struct {
	made map[reflect.Type]*object
}

func (b *builder) object(t reflect.Type) (*object, error) {
	if known, ok := knownObject(t); ok {
		return known, nil
	}
	if begun := b.made[t]; begun != nil {
		return begun, nil
	}
	o := &object{goType: t, byName: map[string]int{}}
	b.made[t] = o
	if err := b.fields(o, t, nil); err != nil {
		return nil, err
	}
	return o, nil
}

// fields adds the fields of a struct; those of an embedded one count as its own.
func (b *builder) fields(o *object, t reflect.Type, at []int) error {
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
			return fmt.Errorf("%s.%s has no json tag, or cannot be set", t, sf.Name)
		}
		f := field{name: name, index: index, header: header, omit: strings.Contains(options, "omit")}
		if err := b.describe(&f, sf); err != nil {
			return fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
		if _, taken := o.byName[name]; taken && name != "" {
			return fmt.Errorf("%s has two fields %q", o.goType, name)
		}
		if name != "" {
			o.byName[name] = len(o.fields)
		}
		o.fields = append(o.fields, f)
	}
	return nil
}

func jsonTag(tag reflect.StructTag) (name, options string, named bool) {
	text, found := tag.Lookup("json")
	name, options, _ = strings.Cut(text, ",")
	return name, options, found && name != ""
}

// newField reads a field off its type and its tags, for what is no member of an
// object: a parameter or a header.
func newField(sf reflect.StructField, index []int, name, header string) (field, error) {
	b := builder{made: map[reflect.Type]*object{}}
	f := field{name: name, index: index, header: header}
	err := b.describe(&f, sf)
	return f, err
}

// describe completes a field by its type and its tags.
func (b *builder) describe(f *field, sf reflect.StructField) (err error) {
	if f.shape, err = b.shape(sf.Type, sf.Tag); err != nil {
		return err
	}
	f.doc, f.example, f.deprecated = sf.Tag.Get("doc"), sf.Tag.Get("example"), sf.Tag.Get("deprecated") == "true"
	f.required = sf.Tag.Get("optional") == "" && !f.shape.sent
	if text, ok := sf.Tag.Lookup("default"); ok {
		f.required = false
		f.fallback = reflect.New(f.shape.goType).Elem()
		if problem := f.shape.setText(f.fallback, text); problem != "" {
			return fmt.Errorf("default %q: %s", text, problem)
		}
	}
	if f.example == "" {
		return nil
	}
	return f.shape.exampleFault(f.example)
}

// exampleFault refuses an example that the reader would refuse. That of a list
// is one of its values; that of a value with parts is JSON.
func (s *shape) exampleFault(text string) error {
	switch s.kind {
	case kindList:
		return s.item.exampleFault(text)
	case kindObject, kindTable, kindAnything, kindRaw:
		if !json.Valid([]byte(text)) {
			return fmt.Errorf("example %q is not JSON", text)
		}
		return nil
	}
	if problem := s.setText(reflect.New(s.goType).Elem(), text); problem != "" {
		return fmt.Errorf("example %q: %s", text, problem)
	}
	return nil
}

// shape reads one type. Bounds of a list that speak of its values and not of
// their number hold for each of them.
func (b *builder) shape(t reflect.Type, tag reflect.StructTag) (s shape, err error) {
	if t.Implements(patchField) {
		s, err = b.shape(t.Field(2).Type, tag)
		s.sent = true
		return s, err
	}
	if t.Kind() == reflect.Pointer {
		s, err = b.shape(t.Elem(), tag)
		if s.null || s.sent {
			return s, fmt.Errorf("%s points too far", t)
		}
		s.null = true
		return s, err
	}
	s.goType = t
	if s.kind, err = kindOf(t); err != nil {
		return s, err
	}
	switch s.kind {
	case kindObject:
		s.object, err = b.object(t)
		return s, err
	case kindEither:
		for i := range t.NumField() {
			form, err := b.shape(t.Field(i).Type, "")
			if err != nil {
				return s, err
			}
			s.forms = append(s.forms, form)
		}
		return s, nil
	case kindList, kindTable:
		item, err := b.shape(t.Elem(), withoutCounts(tag))
		if err != nil {
			return s, err
		}
		s.item = &item
	}
	s.rule, err = ruleOf(s.kind, tag)
	return s, err
}

func kindOf(t reflect.Type) (kind, error) {
	if k, ok := scalars[t]; ok {
		return k, nil
	}
	if t.Kind() == reflect.Struct && t.Implements(eitherValue) {
		return kindEither, nil
	}
	if t.Kind() != reflect.Interface && (t.Implements(jsonMarshaler) || t.Implements(textMarshaler)) {
		return 0, fmt.Errorf("%s writes itself, in a form that is not known here", t)
	}
	switch t.Kind() {
	case reflect.String:
		return kindText, nil
	case reflect.Bool:
		return kindBool, nil
	case reflect.Int, reflect.Int64:
		return kindInteger, nil
	case reflect.Slice:
		return kindList, nil
	case reflect.Struct:
		return kindObject, nil
	case reflect.Interface:
		return kindAnything, nil
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return kindTable, nil
		}
	}
	return 0, fmt.Errorf("%s has no form in JSON here", t)
}
