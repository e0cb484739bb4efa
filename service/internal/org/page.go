package org

import "github.com/google/uuid"

// Page selects part of a list, newest first: by page number, or by the row to
// continue after.
type Page struct {
	Size   int
	Number int       // from 1
	After  uuid.UUID // last row already seen; if zero, Number applies
}

// Skip returns the number of rows before a page selected by number.
func (p Page) Skip() int {
	if p.After != uuid.Nil {
		return 0
	}
	return (p.Number - 1) * p.Size
}

// Counted is the maximum Total of a filtered list, and Found the maximum Total of a
// search. Further rows are not counted, because each would have to be looked up.
const (
	Counted = 10_000
	Found   = 1_000
)

// List is one page of a list.
type List[T any] struct {
	Rows   []T
	Total  int
	Capped bool      // there are more rows than Total
	Next   uuid.UUID // last row of this page, if more follow
}
