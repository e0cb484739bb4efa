package wiretest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Violation is a call that breaks one constraint of the document.
type Violation struct {
	Call
	Path  string // path that the error must name
	Bound string // such as "maxLength"
	Says  string // expected message; empty if any is accepted
}

// String returns a name for the violation, for use as a test name.
func (v Violation) String() string { return v.Operation + " " + v.Path + " " + v.Bound }

// Told returns nil if the body of a 400 response reports the path and no other,
// with the expected message.
func (v Violation) Told(body []byte) error {
	var refusal struct {
		Message []string `json:"message"`
	}
	if err := json.Unmarshal(body, &refusal); err != nil {
		return fmt.Errorf("%s: the 400 response lists no problems: %.200s", v, body)
	}
	for _, line := range refusal.Message {
		if !strings.HasPrefix(line, v.Path+": ") {
			return fmt.Errorf("%s: the 400 response reports %q, which is about another path", v, line)
		}
		if v.Says != "" && line != v.Path+": "+v.Says {
			return fmt.Errorf("%s: the 400 response reports %q, want %q", v, line, v.Says)
		}
	}
	if len(refusal.Message) == 0 {
		return fmt.Errorf("%s: the 400 response has an empty list of problems", v)
	}
	return nil
}

// Calls returns one valid call for each operation. The service may still refuse it
// for reasons that a schema cannot express, such as an unknown id.
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

// Violations returns, for each constraint of each parameter and body, a call that
// breaks only that constraint.
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

// violate finishes a call that breaks a constraint.
func (cb *callBuilder) violate(path []string, bound string) (Violation, error) {
	call, err := cb.call()
	return Violation{Call: call, Path: strings.Join(path, "."), Bound: bound}, err
}

func (c *Contract) brokenParams(op operation) ([]Violation, error) {
	var all []Violation
	for _, value := range list(op.object["parameters"]) {
		p := c.resolve(value)
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

// asParameter reports whether a breach can be sent as a parameter. A parameter
// cannot be null, and any text is a valid string or list.
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

// isMissing reports whether a required field of the body is absent, null or an
// empty string.
func isMissing(required []any, body any, name string) bool {
	value := object(body)[name]
	return slices.Contains(required, any(name)) && (value == nil || value == "")
}

// brokenForm breaks constraints of the JSON parts of a form. Schemas have no
// constraints on files.
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
