package sheet

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// scope is what applies to an element: the conditions under which it is reached
// and the variables that it may use.
type scope struct {
	conditions []string
	variables  map[string]string
	compiled   bool
}

func (s scope) with(condition string) scope {
	// SchXslt tests in this way whether an earlier rule of the pattern matched. The
	// names of the patterns differ from one compilation to the next.
	if !strings.Contains(condition, "schxslt:patterns-matched") {
		s.conditions = append(slices.Clone(s.conditions), condition)
	}
	return s
}

// collect adds the assertions in an element and its descendants.
func (k Kit) collect(e *element, s scope) {
	s = s.declare(e)
	var tests []string // of the preceding xsl:when
	for _, c := range e.children {
		inner := s
		switch c.kind() {
		case "xsl:template":
			inner.compiled = true
			inner = inner.with("context " + c.attr("match"))
		case "xsl:if", "xsl:when":
			inner = s.with("if " + c.attr("test"))
			tests = append(tests, c.attr("test"))
		case "xsl:otherwise":
			inner = s.with("unless " + strings.Join(tests, " or "))
		case "xsl:for-each":
			inner = s.with("for each " + c.attr("select"))
		case "sch:rule":
			inner = s.with("context " + c.attr("context"))
		case "sch:assert", "sch:report", "svrl:failed-assert", "svrl:successful-report":
			k.add(s.assertion(c))
			continue
		}
		k.collect(c, inner)
	}
}

// declare adds the variables that are children of an element.
func (s scope) declare(e *element) scope {
	own := map[string]string{}
	for _, c := range e.children {
		switch c.kind() {
		case "xsl:variable":
			own[c.attr("name")] = c.attr("select")
		case "sch:let":
			own[c.attr("name")] = c.attr("value")
		}
	}
	if len(own) > 0 {
		s.variables = maps.Clone(s.variables)
		maps.Copy(s.variables, own)
	}
	return s
}

func (s scope) assertion(e *element) assertion {
	a := assertion{id: e.attr("id"), flag: severity(cmp.Or(e.attr("flag"), e.attr("role"))), compiled: s.compiled}
	if strings.HasPrefix(e.kind(), "sch:") {
		a.text = e.content()
		s = s.with(strings.TrimPrefix(e.kind(), "sch:") + " " + e.attr("test"))
	}
	for _, c := range e.children {
		if c.kind() == "svrl:text" {
			a.text = c.content()
		}
	}
	a.condition = s.describe()
	return a
}

// severity returns error or warning. An assertion without a severity is an error.
func severity(flag string) string {
	switch strings.ToLower(flag) {
	case "warning", "warn", "info", "information":
		return "warning"
	}
	return "error"
}

// describe returns the conditions and the variables that they use.
func (s scope) describe() string {
	lines := slices.Clone(s.conditions)
	used := map[string]bool{}
	for i := 0; i < len(lines); i++ { // variables may use others
		for _, name := range slices.Sorted(maps.Keys(s.variables)) {
			if !used[name] && uses(lines[i], name) {
				used[name] = true
				lines = append(lines, "$"+name+" is "+s.variables[name])
			}
		}
	}
	return strings.Join(lines, "; ")
}

// uses reports whether an expression contains the variable.
func uses(expression, name string) bool {
	for {
		_, after, found := strings.Cut(expression, "$"+name)
		if !found {
			return false
		}
		if after == "" || !strings.ContainsAny(after[:1], "-_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
			return true
		}
		expression = after
	}
}
