package wiretest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Violation is a call that breaks one bound of the document.
type Violation struct {
	Call
	Path  string // what the refusal must name
	Bound string // as "maxLength"
	Says  string // what the refusal must say of it; empty: whatever it likes
}

// String names the violation, for the name of a test.
func (v Violation) String() string { return v.Operation + " " + v.Path + " " + v.Bound }

// Told says whether the body of a 400 names the path, and no other: nil if so.
func (v Violation) Told(body []byte) error {
	var refusal struct {
		Message []string `json:"message"`
	}
	if err := json.Unmarshal(body, &refusal); err != nil {
		return fmt.Errorf("%s: the refusal lists no problems: %.200s", v, body)
	}
	for _, line := range refusal.Message {
		if !strings.HasPrefix(line, v.Path+": ") {
			return fmt.Errorf("%s: the refusal also says %q", v, line)
		}
		if v.Says != "" && line != v.Path+": "+v.Says {
			return fmt.Errorf("%s: the refusal says %q, want %q", v, line, v.Says)
		}
	}
	if len(refusal.Message) == 0 {
		return fmt.Errorf("%s: the refusal says nothing", v)
	}
	return nil
}

// Calls makes one call of each operation that the document allows. It may still
// be refused for what no document says: an id that is nobody's, a rule.
func (c *Contract) Calls() ([]Call, error) {
	var all []Call
	for _, op := range c.operations {
		cb, err := c.newCall(op)
		if err != nil {
			return nil, err
		}
		call, err := cb.call()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.name, err)
		}
		all = append(all, call)
	}
	return all, nil
}

// Violations makes, for each bound of each parameter and body, a call that breaks
// it and keeps to all others.
func (c *Contract) Violations() ([]Violation, error) {
	var all []Violation
	for _, op := range c.operations {
		for _, broken := range []func(operation) ([]Violation, error){c.brokenParams, c.brokenBody, c.brokenForm} {
			some, err := broken(op)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", op.name, err)
			}
			all = append(all, some...)
		}
	}
	return all, nil
}

// violate finishes a draft that was spoilt.
func (cb *callBuilder) violate(path []string, bound string) (Violation, error) {
	call, err := cb.call()
	return Violation{Call: call, Path: strings.Join(path, "."), Bound: bound}, err
}

func (c *Contract) brokenParams(op operation) ([]Violation, error) {
	var all []Violation
	for _, value := range list(op.object["parameters"]) {
		p := object(value)
		key, name := text(p["in"])+" "+text(p["name"]), text(p["name"])
		breaches, err := c.breaches(p["schema"], 0)
		if err != nil {
			return nil, err
		}
		if p["required"] == true && p["in"] != "path" {
			breaches = append(breaches, breach{nil, "required", nil})
		}
		for _, b := range breaches {
			if !asParameter(c.schema(p["schema"]), b) {
				continue
			}
			cb, err := c.newCall(op)
			if err != nil {
				return nil, err
			}
			cb.params[key] = asText(b.value)
			if b.bound == "required" {
				delete(cb.params, key)
			}
			v, err := cb.violate(append([]string{name}, b.path...), b.bound)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
	}
	return all, nil
}

// asParameter says whether a breach can be sent as text: null cannot, a number
// is a text, and nothing in a list is no list.
func asParameter(s schema, b breach) bool {
	wrong := b.bound == "type" && (s.kind == "string" || s.kind == "array" && (len(b.path) == 0 || b.value == nil))
	if values, is := b.value.([]any); is && b.bound == "type" && len(values) > 0 {
		_, isNumber := values[0].(json.Number)
		wrong = wrong || isNumber
	}
	return !wrong && b.bound != "null" && !strings.HasSuffix(b.bound, " as text")
}

func (c *Contract) brokenBody(op operation) ([]Violation, error) {
	body := object(op.object["requestBody"])
	content, is := object(body["content"])["application/json"]
	if !is {
		return nil, nil
	}
	root := text(body["x-path-root"])
	whole := []string{root}
	if root == "" {
		root, whole = "", []string{"body"}
	}
	together, required := body["x-missing-together"] == true, list(c.schema(object(content)["schema"]).words["required"])
	breaches, err := c.breaches(object(content)["schema"], 0)
	if err != nil {
		return nil, err
	}
	var all []Violation
	add := func(path []string, bound string, value any, raw []byte) error {
		cb, err := c.newCall(op)
		if err != nil {
			return err
		}
		cb.body, cb.raw = value, raw
		v, err := cb.violate(path, bound)
		if name := strings.Join(path[1:], "."); together && isMissing(required, value, name) {
			v.Path, v.Says = root, "Value error, Missing required fields: "+name
		}
		all = append(all, v)
		return err
	}
	if err := add(whole, "syntax", nil, []byte("{")); err != nil {
		return nil, err
	}
	if body["required"] == true {
		if err := add(whole, "required", nil, []byte{}); err != nil {
			return nil, err
		}
	}
	for _, b := range breaches {
		path := b.path
		if root != "" {
			path = append([]string{root}, b.path...)
		}
		if len(b.path) == 0 {
			path = whole
		}
		if err := add(path, b.bound, b.value, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// isMissing says whether a body lacks a required field, or has null or an empty
// text in its place.
func isMissing(required []any, body any, name string) bool {
	value := object(body)[name]
	return slices.Contains(required, any(name)) && (value == nil || value == "")
}

// brokenForm breaks the JSON of a form's parts. What is wrong with a file, no
// schema says.
func (c *Contract) brokenForm(op operation) ([]Violation, error) {
	content, is := object(object(op.object["requestBody"])["content"])["multipart/form-data"]
	if !is {
		return nil, nil
	}
	form := c.schema(object(content)["schema"])
	breaches, err := c.breakObject(form, 0)
	if err != nil {
		return nil, err
	}
	var all []Violation
	for _, b := range breaches {
		cb, err := c.newCall(op)
		if err != nil {
			return nil, err
		}
		kind := c.schema(object(form.words["properties"])[b.path[0]]).kind
		if b.bound != "required" && kind != "object" {
			continue
		}
		cb.parts = object(b.value)
		v, err := cb.violate(b.path, b.bound)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}
