package wire

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"khatm/service/internal/codec"
)

// plan describes what a handler reads from a request, and from where.
type plan struct {
	params []param
	body   *part  // JSON body
	parts  []part // JSON parts of a form
	files  []filePart
}

// param is a parameter in the path, the query or a header.
type param struct {
	place string // "path", "query" or "header", as in OpenAPI
	codec.Field
}

// part is a JSON body or a JSON part of a form.
type part struct {
	name     string
	index    []int
	shape    codec.Shape
	optional bool
	doc      string
}

// filePart is a file in a form: one with a given name, or any other file.
type filePart struct {
	name     string // "*" for any file
	index    []int
	required bool
	maxBytes int64
	media    string // media types that the document names, separated by commas
	doc      string
}

// plans caches plans by input type.
var plans memo[plan]

// planOf returns the plan for a handler's input type. It returns an error if the
// type or its tags are declared wrongly.
func planOf(t reflect.Type) (*plan, error) { return plans.of(t, newPlan) }

func newPlan(t reflect.Type) (*plan, error) {
	p := &plan{}
	if err := p.read(t, nil); err != nil {
		return nil, err
	}
	if p.body != nil && p.isForm() {
		return nil, fmt.Errorf("%s has both a JSON body and a form", t)
	}
	return p, nil
}

func (p *plan) isForm() bool { return len(p.parts)+len(p.files) > 0 }

// readsAnything reports whether the handler reads anything from the request.
func (p *plan) readsAnything() bool { return len(p.params) > 0 || p.body != nil || p.isForm() }

func (p *plan) read(t reflect.Type, at []int) error {
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("%s is not a struct", t)
	}
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(slices.Clone(at), i)
		var err error
		if sf.Anonymous && sf.Tag == "" {
			err = p.read(sf.Type, index)
		} else {
			err = p.readField(sf, index)
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
	}
	return nil
}

func (p *plan) readField(sf reflect.StructField, index []int) error {
	for _, place := range []string{"path", "query", "header"} {
		if name, ok := sf.Tag.Lookup(place); ok {
			return p.addParam(place, name, sf, index)
		}
	}
	if name, ok := sf.Tag.Lookup("form"); ok {
		one, err := partOf(name, sf, index)
		p.parts = append(p.parts, one)
		return err
	}
	if _, ok := sf.Tag.Lookup("body"); ok {
		if p.body != nil {
			return errors.New("the struct has two fields with the tag body")
		}
		one, err := partOf("body", sf, index)
		p.body = &one
		return err
	}
	return p.addFile(sf, index)
}

func (p *plan) addParam(place, name string, sf reflect.StructField, index []int) error {
	f, err := codec.NewField(sf, index, name, "")
	if err != nil {
		return err
	}
	one := param{place, f}
	switch s := &one.Shape; {
	case s.Kind == codec.KindObject, s.Kind == codec.KindList && (place != "query" || s.Item.Kind == codec.KindObject):
		return fmt.Errorf("%s cannot be used in a %s", s.Type, place)
	case s.Sent, place == "path" && s.Null:
		return fmt.Errorf("a %s parameter cannot be null", place)
	}
	if place == "path" {
		one.Required = true
	}
	p.params = append(p.params, one)
	return one.Shape.Readable()
}

func partOf(name string, sf reflect.StructField, index []int) (part, error) {
	s, err := codec.ShapeOf(sf.Type)
	if err == nil && s.Object == nil {
		err = fmt.Errorf("%s has no fields", sf.Type)
	}
	if err != nil {
		return part{}, err
	}
	optional := sf.Tag.Get("optional") != ""
	return part{name: name, index: index, shape: s, optional: optional, doc: sf.Tag.Get("doc")}, s.Readable()
}

func (p *plan) addFile(sf reflect.StructField, index []int) error {
	one := filePart{index: index, required: sf.Tag.Get("required") != "", media: sf.Tag.Get("media"), doc: sf.Tag.Get("doc")}
	if text, ok := sf.Tag.Lookup("maxBytes"); ok {
		var err error
		if one.maxBytes, err = strconv.ParseInt(text, 10, 64); err != nil {
			return fmt.Errorf("tag maxBytes: %w", err)
		}
	}
	switch {
	case sf.Tag.Get("file") != "" && sf.Type == reflect.TypeFor[*Upload]():
		one.name = sf.Tag.Get("file")
	case sf.Tag.Get("files") == "*" && sf.Type == reflect.TypeFor[[]Upload]():
		one.name = "*"
	default:
		return errors.New("the field has no tag for path, query, header, body, form or file that fits its type")
	}
	p.files = append(p.files, one)
	return nil
}

var inBraces = regexp.MustCompile(`\{([^}]*)\}`)

// fault returns an error if the route is declared wrongly. It is called for every
// route before the first request is served.
func (r Route) fault() error {
	p, err := planOf(r.in)
	if err != nil {
		return fmt.Errorf("input of %s %s: %w", r.Method, r.Path, err)
	}
	if _, err := replyOf(r.out); err != nil {
		return fmt.Errorf("output of %s %s: %w", r.Method, r.Path, err)
	}
	if err := r.streamFault(); err != nil {
		return fmt.Errorf("%s %s: %w", r.Method, r.Path, err)
	}
	if err := r.exampleFault(p); err != nil {
		return fmt.Errorf("%s %s: %w", r.Method, r.Path, err)
	}
	var template, wanted []string
	for _, m := range inBraces.FindAllStringSubmatch(r.Path, -1) {
		template = append(template, m[1])
	}
	for i := range p.params {
		if p.params[i].place == "path" {
			wanted = append(wanted, p.params[i].Name)
		}
	}
	slices.Sort(template)
	slices.Sort(wanted)
	if r.Hidden && !p.readsAnything() {
		return nil // the response does not depend on the path
	}
	if !slices.Equal(template, wanted) {
		return fmt.Errorf("%s %s: the path has the parameters %q, but the handler reads %q", r.Method, r.Path, template, wanted)
	}
	return nil
}
