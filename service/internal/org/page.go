package org

import (
	"context"

	"github.com/google/uuid"
)

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

// Listing is a page of a list whose rows are read later, in parts, so that large
// rows are not in memory together. Rows is empty.
type Listing[T any] struct {
	List[T]
	Parts []Part[T]
}

// Part is a number of consecutive rows of a page.
type Part[T any] struct {
	Size int64 // stored bytes of the rows, approximately
	// Read reads the rows and calls do for each. It holds no connection to the
	// database while do runs.
	Read func(ctx context.Context, do func(T) error) error
}

// Collect reads all rows of a listing.
func (l Listing[T]) Collect(ctx context.Context) (List[T], error) {
	list := l.List
	list.Rows = []T{}
	for _, p := range l.Parts {
		err := p.Read(ctx, func(row T) error {
			list.Rows = append(list.Rows, row)
			return nil
		})
		if err != nil {
			return List[T]{}, err
		}
	}
	return list, nil
}
