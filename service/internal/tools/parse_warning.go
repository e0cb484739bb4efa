package tools

import (
	"fmt"
	"strings"
)

// warnings holds the sentences of the warning.
type warnings []string

func (p *parser) warn(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

// text returns the warning, or nil if there is none.
func (w warnings) text() *string {
	if len(w) == 0 {
		return nil
	}
	text := strings.Join(w, " ")
	return &text
}

// some describes the first elements of a list and counts the others.
func some[T any](list []T, describe func(T) string) string {
	const most = 10
	var parts []string
	for _, one := range list[:min(len(list), most)] {
		parts = append(parts, short(describe(one)))
	}
	if more := len(list) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// short truncates a text that comes from a file.
func short(text string) string {
	const most = 300
	return cut(text, most)
}

// quoted returns the name of a file for use in a sentence.
func quoted(name string) string {
	if name == "" {
		return "a file without a name"
	}
	return inQuotes(name)
}

// inQuotes returns the beginning of a text in quotation marks.
func inQuotes(text string) string {
	const most = 60
	return "“" + cut(text, most) + "”"
}

// cut truncates a text to the given number of characters.
func cut(text string, most int) string {
	for at := range text {
		if most--; most < 0 {
			return text[:at] + "…"
		}
	}
	return text
}
