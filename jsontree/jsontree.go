// Package jsontree reads JSON into a list of values that keeps what was written:
// numbers digit by digit, members in their order, and names given twice, which
// encoding/json would pass over. It bounds depth and size, and it takes valid
// UTF-8 only.
package jsontree

import (
	"fmt"
	"iter"
)

// Kind is what a JSON value is written as.
type Kind uint8

// The kinds of values.
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
	Key  string // the member's name, in an object
	Text string // a string without its escapes, or a number as it was written
	Next int32  // the index behind this value and all it holds
	Size int32  // how many values it holds directly
	Kind Kind
}

// Tree is a JSON text in one list: a value stands before those it holds. The
// first is the text as a whole.
//
// A \u escape of half a surrogate pair is JSON and no character: Key and Text
// hold it in three bytes that are not valid UTF-8.
type Tree []Node

// Inside yields the index of each value that the one at index at holds directly.
func (t Tree) Inside(at int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := at + 1; i < int(t[at].Next); i = int(t[i].Next) {
			if !yield(i) {
				return
			}
		}
	}
}

// Step is one part of a path: a member's name, or an index in a list.
type Step struct {
	Name  string
	Index int // -1 where the name counts
}

// Member returns the step to the member of a name.
func Member(name string) Step { return Step{name, -1} }

// SyntaxError says where a text stops being JSON. Line and column count from 1,
// the column in characters.
type SyntaxError struct {
	What         string
	Line, Column int
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at line %d column %d", e.What, e.Line, e.Column)
}
