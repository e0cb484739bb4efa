package judge

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"khatm/rules"
	"khatm/ubl"
	"khatm/witness"
)

// fault is a syntax error or a violation of the schema, with its position.
type fault struct {
	line, column int
	text         string // in the wording of the authority's parser
}

// unreadable adds the error for a document that cannot be parsed.
func (ev *evaluation) unreadable(f fault) {
	ev.rejectSchema(f, why{f.text, fmt.Sprintf("line %d", max(f.line, 1)), "Send the XML of one UBL invoice, in UTF-8, encoded in base64 on one line."})
}

// departs adds the error for a violation of the schema.
func (ev *evaluation) departs(f fault, found *rules.Finding) {
	ev.rejectSchema(f, atPlace(found.Says, found.Fix, found.Place))
}

// rejectSchema adds the error for a fault, formatted as an exception of the
// authority's parser.
func (ev *evaluation) rejectSchema(f fault, w why) {
	text := fmt.Sprintf("org.xml.sax.SAXParseException; lineNumber: %d; columnNumber: %d; %s",
		max(f.line, 1), max(f.column, 1), f.text)
	e := xsdInvalid
	e.says.EN += text
	e.says.AR += text
	ev.say(&e, w)
}

// placeOf returns the position and the reason of a parse error.
func placeOf(err error, document []byte) fault {
	var f fault
	var syntax *ubl.SyntaxError
	var unreadable *witness.Unreadable
	switch {
	case errors.As(err, &syntax):
		f = fault{line: syntax.Line, text: syntax.Reason}
	case errors.As(err, &unreadable):
		f = fault{unreadable.Line, unreadable.Column, unreadable.Reason}
	default:
		f.text = err.Error()
	}
	if known := parserText(document); known != "" {
		f.text = known
	}
	return f
}

// parserText returns the text of the authority's parser for documents that are
// empty, do not begin like XML or have a DOCTYPE, and "" for others.
func parserText(document []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(document, []byte("\xEF\xBB\xBF")), " \t\r\n")
	switch {
	case len(text) == 0:
		return "Premature end of file."
	case text[0] != '<':
		return "Content is not allowed in prolog."
	case bytes.Contains(text, []byte("<!DOCTYPE")):
		return `DOCTYPE is disallowed when the feature "http://apache.org/xml/features/disallow-doctype-decl" set to true.`
	}
	return ""
}

// departure converts a finding of the schema to the wording of the authority's
// parser.
func departure(root *ubl.Node, f *rules.Finding) fault {
	steps := stepsOf(f.Path)
	attribute := ""
	if last := steps[len(steps)-1]; strings.HasPrefix(last, "@") {
		attribute, steps = last[1:], steps[:len(steps)-1]
	}
	place := words{
		id: f.ID, got: f.Got, want: f.Want, attribute: attribute,
		name: nameIn(steps[len(steps)-1]), within: nameIn(steps[max(len(steps)-2, 0)]),
	}
	return fault{line: lineOf(root, steps), text: place.parser()}
}

// words are the parts of a finding of the schema.
type words struct {
	id, got, want           string
	name, within, attribute string // the element, its parent, and the attribute or ""
}

func (w words) parser() string {
	switch {
	case w.attribute != "" && w.id == "UBL-ATTRIBUTE" && w.want != "":
		return fmt.Sprintf("cvc-complex-type.4: Attribute '%s' must appear on element '%s'.", w.attribute, w.name)
	case w.id == "UBL-ATTRIBUTE":
		return fmt.Sprintf("cvc-complex-type.3.2.2: Attribute '%s' is not allowed to appear in element '%s'.", w.attribute, w.name)
	case w.id == "UBL-TYPE":
		return fmt.Sprintf("cvc-datatype-valid.1.2.1: '%s' is not a valid value for '%s'.", w.got, typeOf(w.name))
	case w.id == "UBL-CONTENT" && strings.HasPrefix(w.name, "cbc:"):
		return fmt.Sprintf("cvc-complex-type.2.2: Element '%s' must have no element [children], and the value must be valid.", w.name)
	case w.id == "UBL-CONTENT":
		return fmt.Sprintf("cvc-complex-type.2.3: Element '%s' cannot have character [children], because the type's content type is element-only.", w.name)
	case w.id == "UBL-REQUIRED":
		return fmt.Sprintf("cvc-complex-type.2.4.b: The content of element '%s' is not complete. One of '%s' is expected.", w.within, qualified(w.name))
	case w.id == "UBL-UNKNOWN" && w.name == w.within:
		return fmt.Sprintf("cvc-elt.1.a: Cannot find the declaration of element '%s'.", w.name)
	case w.id == "UBL-ORDER":
		return fmt.Sprintf("cvc-complex-type.2.4.a: Invalid content was found starting with element '%s'.", qualified(w.name))
	}
	return fmt.Sprintf("cvc-complex-type.2.4.d: Invalid content was found starting with element '%s'. No child element is expected at this point.", qualified(w.name))
}

// typeOf returns the type of a leaf element, which is the end of its name in
// UBL.
func typeOf(element string) string {
	for _, t := range []struct{ end, name string }{
		{"SerialNumber", "integer"}, {"Indicator", "boolean"}, {"Date", "date"}, {"Time", "time"},
		{"BinaryObject", "base64Binary"}, {"DigestValue", "base64Binary"}, {"URI", "anyURI"}, {"Numeric", "decimal"},
		{"Amount", "decimal"}, {"Percent", "decimal"}, {"Quantity", "decimal"}, {"Rate", "decimal"}, {"Measure", "decimal"},
	} {
		if strings.HasSuffix(element, t.end) {
			return t.name
		}
	}
	return "anySimpleType"
}
