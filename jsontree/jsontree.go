// Package jsontree parses JSON without losing information. It keeps the digits
// of numbers and the order of members as written, and reports duplicate member
// names, which encoding/json ignores. It limits the nesting depth and the number
// of values, and accepts valid UTF-8 only.
package jsontree

import (
	"fmt"
	"iter"
)

// Kind is the type of a JSON value.
type Kind uint8

// The types of JSON values.
const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
)

// Node is one value of a JSON text.
type Node struct {
	Key  string // member name; empty outside of an object
	Text string // an unescaped string, or a number as written
	Next int32  // index of the first node after this value and its descendants
	Size int32  // number of direct children
	Kind Kind
}

// Tree is a JSON text as a list of nodes in document order: a value precedes
// its children. Index 0 is the root.
//
// A \u escape of an unpaired surrogate is valid JSON but not a character. Key
// and Text hold it as three bytes that are not valid UTF-8.
type Tree []Node

// Inside yields the indexes of the direct children of the node at index at.
func (t Tree) Inside(at int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := at + 1; i < int(t[at].Next); i = int(t[i].Next) {
			if !yield(i) {
				return
			}
		}
	}
}

// Step is one element of a path: a member name or an array index.
type Step struct {
	Name  string
	Index int // -1 if the step is a member name
}

// Member returns the step to the member with the given name.
func Member(name string) Step { return Step{name, -1} }

// SyntaxError describes why and where a text is not valid JSON. Line and Column
// start at 1; Column counts characters.
type SyntaxError struct {
	What         string
	Line, Column int
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at line %d column %d", e.What, e.Line, e.Column)
}
