package rules

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// schemaText is the schema in rows of text; the file begins with an explanation.
//
//go:embed schema.txt
var schemaText string

// schemaElement is the definition of an element in the schema.
type schemaElement struct {
	local      bool // valid only within the elements that list it
	attributes []schemaAttribute
	anyAttr    bool
	value      *schemaKind // of a leaf
	mixed      bool        // text is allowed between children
	parts      []schemaPart
	pattern    *regexp.Regexp // in place of parts: their names, each followed by a comma
	written    string         // the pattern as written in the table
	wild       wildcard       // of a pattern
}

// schemaAttribute is an attribute that an element may have.
type schemaAttribute struct {
	name     string
	value    *schemaKind
	required bool
}

// schemaPart is a child that an element may have.
type schemaPart struct {
	name           string
	required, many bool
	element        *schemaElement
}

// wildcard is the part of a pattern that accepts children it does not list.
type wildcard struct {
	accepted bool
	other    string // prefix that the children must not have
	strict   bool   // the children must be defined in the schema
}

// schema returns the table of all elements by name.
var schema = sync.OnceValue(func() map[string]*schemaElement {
	table := make(map[string]*schemaElement)
	for row := range strings.Lines(schemaText) {
		names, content, found := strings.Cut(row, " = ")
		if found && !strings.HasPrefix(row, "#") {
			addSchemaRow(table, names, strings.TrimSpace(content))
		}
	}
	for _, e := range table {
		for i := range e.parts {
			e.parts[i].element = table[e.parts[i].name]
		}
	}
	return table
})

func addSchemaRow(table map[string]*schemaElement, names, content string) {
	for name := range strings.FieldsSeq(names) {
		name, local := strings.CutPrefix(name, "-")
		e := newSchemaElement(name, content)
		e.local = local
		table[name] = e
	}
}

func newSchemaElement(name, content string) *schemaElement {
	e := new(schemaElement)
	content, expression, isExpression := strings.Cut(content, "(")
	for word := range strings.FieldsSeq(content) {
		switch {
		case word == "mixed":
			e.mixed = true
		case word == "@any":
			e.anyAttr = true
		case word[0] == '@':
			e.attributes = append(e.attributes, newSchemaAttribute(word[1:]))
		case schemaKinds[word] != nil:
			e.value = schemaKinds[word]
		default:
			e.parts = append(e.parts, newSchemaPart(word))
		}
	}
	if isExpression {
		e.setPattern(name, "("+expression)
	}
	return e
}

func newSchemaAttribute(word string) schemaAttribute {
	word, required := strings.CutSuffix(word, "!")
	name, of, typed := strings.Cut(word, ":")
	if !typed {
		of = "string"
	}
	return schemaAttribute{name: name, value: schemaKinds[of], required: required}
}

func newSchemaPart(word string) schemaPart {
	name := strings.TrimRight(word, "?*+")
	mark := word[len(name):]
	return schemaPart{name: name, required: mark == "" || mark == "+", many: mark == "*" || mark == "+"}
}

var expressionName = regexp.MustCompile(`[\w:]+`)

// setPattern compiles an expression of element names. A child that a wildcard
// accepts is called "any".
func (e *schemaElement) setPattern(name, expression string) {
	prefix, _, _ := strings.Cut(name, ":")
	for _, word := range expressionName.FindAllString(expression, -1) {
		space, strict := strings.CutPrefix(word, "strict")
		switch space {
		case "any":
			e.wild = wildcard{accepted: true, strict: strict}
		case "other":
			e.wild = wildcard{accepted: true, strict: strict, other: prefix + ":"}
		default:
			e.parts = append(e.parts, schemaPart{name: word, many: true})
		}
	}
	e.written = expression
	expression = expressionName.ReplaceAllStringFunc(expression, func(word string) string {
		if space := strings.TrimPrefix(word, "strict"); space == "any" || space == "other" {
			word = "any"
		}
		return "(?:" + word + ",)"
	})
	e.pattern = regexp.MustCompile("^" + strings.ReplaceAll(expression, " ", "") + "$")
}

// find returns the index of the part with that name, or -1. Children are mostly
// in order, so the search begins at the part found last.
func (e *schemaElement) find(name string, from int) int {
	from = max(from, 0)
	for i := from; i < len(e.parts); i++ {
		if e.parts[i].name == name {
			return i
		}
	}
	for i := range from {
		if e.parts[i].name == name {
			return i
		}
	}
	return -1
}

// refusesText reports whether a text is not allowed in an element without a
// value. An element with no content at all must not even have white space.
func (e *schemaElement) refusesText(text string) bool {
	if len(e.parts) == 0 && e.pattern == nil {
		return text != ""
	}
	return strings.Trim(text, blanks) != ""
}

// admits reports whether the wildcard accepts a child. A name without a
// namespace does not count as "other".
func (w wildcard) admits(name string) bool {
	if !w.accepted || w.other == "" {
		return w.accepted
	}
	return !strings.HasPrefix(name, w.other) && !strings.HasPrefix(name, "{}")
}
