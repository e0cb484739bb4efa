package api

import (
	"encoding/base64"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// PageQuery is how every list is paged.
type PageQuery struct {
	Number int    `query:"page" default:"1" minimum:"1" maximum:"1000000000" doc:"Number of the page, from 1. Pages beyond 10,000 rows are reached with cursor."`
	Size   int    `query:"page_size" default:"20" minimum:"1" maximum:"100" doc:"Rows on a page."`
	Cursor string `query:"cursor" optional:"true" maxLength:"40" doc:"The next_cursor of the page before. It stands instead of page, and goes as far as there are rows."`
}

// deepest is how many rows are skipped at most: a database skips by reading.
const deepest = 10_000

// Page is the part of a list that the query asks for.
func (q PageQuery) Page() (org.Page, error) {
	p := org.Page{Size: q.Size, Number: q.Number}
	if q.Cursor != "" {
		var known bool
		if p.After, known = parseCursor(q.Cursor); !known {
			return p, fault.Wrong(fault.Problem{Path: "cursor", Message: "must be the next_cursor of an earlier response"})
		}
		return p, nil
	}
	if p.Skip()+p.Size > deepest {
		return p, fault.Wrong(fault.Problem{Path: "page", Message: "Pages end at 10,000 rows; go on with cursor, the next_cursor of the page before"})
	}
	return p, nil
}

// Envelope is what every list says of itself.
type Envelope struct {
	Total      int     `json:"total" doc:"Rows in all. Exact to 1,000 in a search, to 10,000 with other filters."`
	Capped     bool    `json:"total_capped" doc:"There are more rows than total says."`
	Pages      int     `json:"num_pages" doc:"Pages of this size that total makes."`
	Page       *int    `json:"current_page" doc:"Number of this page; null when it was asked for by cursor."`
	NextCursor *string `json:"next_cursor" doc:"For the next page; null on the last one."`
}

// EnvelopeOf tells of a part of a list, as it was asked for and found.
func EnvelopeOf[T any](l org.List[T], p org.Page) Envelope {
	e := Envelope{Total: l.Total, Capped: l.Capped, Pages: (l.Total + p.Size - 1) / p.Size}
	if p.After == uuid.Nil {
		e.Page = &p.Number
	}
	if l.Next != uuid.Nil {
		cursor := cursorOf(l.Next)
		e.NextCursor = &cursor
	}
	return e
}

func cursorOf(id uuid.UUID) string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// parseCursor reads what cursorOf writes, and nothing else that would decode to
// an id. No row has the id of zeros.
func parseCursor(text string) (uuid.UUID, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(uuid.UUID{}) {
		return uuid.Nil, false
	}
	id := uuid.UUID(raw)
	return id, id != uuid.Nil && cursorOf(id) == text
}
