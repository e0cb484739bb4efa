package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
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
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// quoted is the name of a file as a sentence has it.
func quoted(name string) string {
	const most = 60
	if name == "" {
		return "a file without a name"
	}
	if utf8.RuneCountInString(name) > most {
		name = string([]rune(name)[:most]) + "…"
	}
	return "“" + name + "”"
}
