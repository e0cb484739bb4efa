package invoice

import (
	"strconv"
	"strings"

	"khatm/jsontree"
)

// readJSON parses a JSON text. Unlike encoding/json, it rejects an object with a
// duplicate field, because one of the two values would be lost.
func readJSON(data []byte) (jsontree.Tree, error) {
	var problems Problems
	tree, err := jsontree.Parse(string(data), func(path []jsontree.Step, name string) {
		problems.add(nameOf(pathOf(path)), "has the field %q twice", name)
	})
	if err != nil {
		return nil, Problems{{"body", "is not JSON: " + err.Error()}}
	}
	return tree, problems.err()
}

// pathOf returns the steps joined by dots.
func pathOf(steps []jsontree.Step) string {
	var path string
	for i, s := range steps {
		if i > 0 {
			path += "."
		}
		if s.Index < 0 {
			path += strings.ToValidUTF8(s.Name, "\ufffd")
		} else {
			path += strconv.Itoa(s.Index)
		}
	}
	return path
}
