package org

import "github.com/google/uuid"

// Page is which part of an organisation's list is wanted, newest first: a
// number of a page, or what comes after a row.
type Page struct {
	Size   int
	Number int       // from 1
	After  uuid.UUID // the last row that was seen; zero: by number
}

// Skip is how many rows come before a page that is wanted by number.
func (p Page) Skip() int {
	if p.After != uuid.Nil {
		return 0
	}
	return (p.Number - 1) * p.Size
}

// Counted is as far as rows that match a filter are counted, Found as far as
// those that match a search: each of them is looked up, and nobody pages
// through a thousand.
const (
	Counted = 10_000
	Found   = 1_000
)

// List is the part of a list that was found.
type List[T any] struct {
	Rows   []T
	Total  int
	Capped bool      // there are more than Total
	Next   uuid.UUID // the last row, if more come after it
}
