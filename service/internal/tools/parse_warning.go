package tools

import (
	"fmt"
	"strings"
)

// warnings are the sentences of a warning.
type warnings []string

func (p *parser) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

// text is the warning; nil if nothing is to be warned of.
func (w warnings) text() *string {
	if len(w) == 0 {
		return nil
	}
	text := strings.Join(w, " ")
	return &text
}

// some tells the first of a list and counts the others.
func some[T any](list []T, tell func(T) string) string {
	const most = 10
	var told []string
	for _, one := range list[:min(len(list), most)] {
		told = append(told, short(tell(one)))
	}
	if more := len(list) - most; more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(told, "; ")
}

// short keeps to a bound what a file made of a text.
func short(text string) string {
	const most = 300
	return cut(text, most)
}

// quoted is the name of a file as a sentence has it.
func quoted(name string) string {
	if name == "" {
		return "a file without a name"
	}
	return inQuotes(name)
}

// inQuotes is the beginning of a text, in quotation marks.
func inQuotes(text string) string {
	const most = 60
	return "“" + cut(text, most) + "”"
}

// cut is the beginning of a text, of so many characters.
func cut(text string, most int) string {
	for at := range text {
		if most--; most < 0 {
			return text[:at] + "…"
		}
	}
	return text
}
