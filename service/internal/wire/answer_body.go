package wire

import (
	"cmp"
	"strconv"
	"strings"

	"khatm/service/internal/fault"
)

// problem is one element of the list errors of an error response.
type problem struct {
	Path      string     `json:"path,omitempty"` // as in the caller's body, such as form_lines[0].vat_rate
	Code      fault.Code `json:"code"`
	Message   string     `json:"message"`
	MessageAR string     `json:"message_ar"`
	Fix       string     `json:"fix"`
	FixAR     string     `json:"fix_ar"`
}

// problemsOf returns the list errors of an error response: one element for each
// invalid field, or one for the whole error. root is the prefix of paths that
// the caller's body does not have.
func problemsOf(e *fault.Error, root string) []problem {
	if e.Problems == nil {
		return []problem{wholeProblem(e, root)}
	}
	var list []problem
	for _, p := range e.Problems {
		if p.Fields == nil {
			one := problemOf(p.Code, callersPath(p.Path, root), p.Message)
			one.MessageAR, one.Fix, one.FixAR = cmp.Or(p.MessageAR, one.MessageAR), cmp.Or(p.Fix, one.Fix), cmp.Or(p.FixAR, one.FixAR)
			list = append(list, one)
		}
		for _, name := range p.Fields {
			list = append(list, problemOf(p.Code, callersPath(p.Path+"."+name, root), "Field required"))
		}
	}
	return list
}

func problemOf(code fault.Code, path, message string) problem {
	if code == "" {
		code = fault.InvalidValue
	}
	of := code.Entry()
	return problem{path, code, message, of.SaysAR, of.Fix, of.FixAR}
}

// wholeProblem describes an error without a list of problems. Its own texts have
// priority over those of its code.
func wholeProblem(e *fault.Error, root string) problem {
	path := e.Path
	if path == "" {
		path = textOf(e, "path")
	}
	message := e.Message
	if message == "" {
		message = textOf(e, "detail")
	}
	p := problemOf(e.Code(), callersPath(path, root), message)
	p.MessageAR = cmp.Or(textOf(e, "message_ar"), e.MessageAR, p.MessageAR)
	p.Fix = cmp.Or(textOf(e, "fix"), e.Fix, p.Fix)
	p.FixAR = cmp.Or(textOf(e, "fix_ar"), e.FixAR, p.FixAR)
	return p
}

func textOf(e *fault.Error, name string) string {
	text, _ := e.Fields[name].(string)
	return text
}

// callersPath returns a path as it is in the caller's body: without root, and
// with indexes in brackets. It is empty for the body as a whole.
func callersPath(path, root string) string {
	if path == root || root == "" && path == wholeBody {
		return ""
	}
	if root != "" {
		path = strings.TrimPrefix(path, root+".")
	}
	var b strings.Builder
	for name := range strings.SplitSeq(path, ".") {
		switch _, err := strconv.Atoi(name); {
		case b.Len() == 0:
			b.WriteString(name)
		case err == nil:
			b.WriteString("[" + name + "]")
		default:
			b.WriteString("." + name)
		}
	}
	return b.String()
}

// wholeBody is the path of a problem of a whole body without a root.
const wholeBody = "body"
