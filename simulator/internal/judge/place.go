package judge

import (
	"strconv"
	"strings"

	"khatm/ubl"
)

// namespaces maps prefixes to the namespaces that the parser's messages write
// out in full.
var namespaces = map[string]string{
	"cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
	"cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
	"ext": "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2",
}

// qualified returns a name as the authority's parser writes it:
// {"namespace":local}.
func qualified(name string) string {
	prefix, local, found := strings.Cut(name, ":")
	if space := namespaces[prefix]; found && space != "" {
		return `{"` + space + `":` + local + `}`
	}
	return name
}

// stepsOf splits a path at its slashes, except those inside a namespace in
// braces. It returns at least one step.
func stepsOf(path string) []string {
	var steps []string
	start, inside := 0, false
	path = strings.TrimPrefix(path, "/")
	for i := range len(path) {
		switch path[i] {
		case '{':
			inside = true
		case '}':
			inside = false
		case '/':
			if !inside {
				steps, start = append(steps, path[start:i]), i+1
			}
		}
	}
	return append(steps, path[start:])
}

// nameIn returns the name in a step, without its index.
func nameIn(step string) string {
	name, _ := numberIn(step)
	return name
}

// numberIn splits a step into name and index. The index is 1 if the step has
// none.
func numberIn(step string) (name string, number int) {
	open := strings.LastIndexByte(step, '[')
	if open < 0 || !strings.HasSuffix(step, "]") {
		return step, 1
	}
	number, err := strconv.Atoi(step[open+1 : len(step)-1])
	if err != nil {
		return step, 1
	}
	return step[:open], number
}

// lineOf returns the line of an element, or of its nearest existing ancestor.
func lineOf(root *ubl.Node, steps []string) int {
	at := root
	for _, step := range steps[1:] {
		next := childAt(at, step)
		if next == nil {
			break
		}
		at = next
	}
	return at.Line
}

func childAt(n *ubl.Node, step string) *ubl.Node {
	name, left := numberIn(step)
	for _, c := range n.Children {
		if c.Name != name {
			continue
		}
		if left--; left == 0 {
			return c
		}
	}
	return nil
}
