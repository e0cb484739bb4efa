package api

import (
	"context"
	"encoding/base64"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// PageQuery holds the paging parameters of every list.
type PageQuery struct {
	Number int    `query:"page" default:"1" minimum:"1" maximum:"1000000000" doc:"Number of the page, from 1. Use cursor for rows beyond the first 10,000."`
	Size   int    `query:"page_size" default:"20" minimum:"1" maximum:"100" doc:"Number of rows per page."`
	Cursor string `query:"cursor" optional:"true" maxLength:"40" doc:"next_cursor of the previous page. Replaces page and works for any number of rows."`
}

// deepest is the number of rows that can be read by page number. The limit exists
// because the database has to read the rows it skips.
const deepest = 10_000

// Page returns the part of a list that the query selects.
func (q PageQuery) Page() (org.Page, error) {
	p := org.Page{Size: q.Size, Number: q.Number}
	if q.Cursor != "" {
		var known bool
		if p.After, known = parseCursor(q.Cursor); !known {
			return p, fault.Wrong(fault.Problem{Path: "cursor", Message: "must be the next_cursor of an earlier response", MessageAR: fault.CursorAR})
		}
		return p, nil
	}
	if p.Skip()+p.Size > deepest {
		return p, fault.Wrong(fault.Problem{Path: "page", Message: "must be within the first 10,000 rows; use cursor with the next_cursor of the previous page", MessageAR: "لا تُقرأ بأرقام الصفحات إلا أول 10,000 صف. استخدم cursor بقيمة next_cursor من الصفحة السابقة."})
	}
	return p, nil
}

// Envelope holds the paging information of every list.
type Envelope struct {
	Total      int     `json:"total" doc:"Total number of rows: exact up to 1,000 in a search and up to 10,000 with other filters."`
	Capped     bool    `json:"total_capped" doc:"Whether there are more rows than total."`
	Pages      int     `json:"num_pages" doc:"Number of pages for total at this page size."`
	Page       *int    `json:"current_page" doc:"Number of this page; null if it was requested with cursor."`
	NextCursor *string `json:"next_cursor" doc:"Send it as cursor to get the next page; null on the last page."`
}

// Records reads the page of a list that a query selects, and converts its rows.
func Records[Row, Out any](
	ctx context.Context, of org.Tenant, q PageQuery,
	read func(context.Context, org.Tenant, org.Page) (org.List[Row], error), convert func(Row) Out,
) (records []Out, e Envelope, err error) {
	page, err := q.Page()
	if err != nil {
		return nil, e, err
	}
	found, err := read(ctx, of, page)
	if err != nil {
		return nil, e, err
	}
	for _, one := range found.Rows {
		records = append(records, convert(one))
	}
	return records, EnvelopeOf(found, page), nil
}

// EnvelopeOf returns the paging information for a page of a list.
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

// parseCursor decodes the result of cursorOf. It refuses other encodings of the
// same id, and the zero id, which no row has.
func parseCursor(text string) (uuid.UUID, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != len(uuid.UUID{}) {
		return uuid.Nil, false
	}
	id := uuid.UUID(raw)
	return id, id != uuid.Nil && cursorOf(id) == text
}

// partMemory is how many bytes of memory a stored byte of a listed row needs.
const partMemory = 12

// briefPart is the size in stored bytes of rows that are read and encoded in about
// ten milliseconds.
const briefPart = 256 << 10

// streamOf returns the rows of a listing as a stream. convert returns the response
// value of a row. Capacity is used while a part is read and encoded, not while it
// is sent.
func streamOf[Row, Out any](ctx context.Context, l org.Listing[Row], limits *capacity.Limits, convert func(Row) Out) codec.Stream[Out] {
	parts := l.Parts
	return codec.Stream[Out]{Next: func(add func(*Out) error) (more bool, err error) {
		if len(parts) == 0 {
			return false, nil
		}
		part := parts[0]
		parts = parts[1:]
		begin := limits.Process
		if part.Size <= briefPart {
			begin = limits.ProcessBriefly
		}
		job, err := begin(ctx, partMemory*part.Size)
		if err != nil {
			return false, err
		}
		defer job.End()
		err = part.Read(job.Context(ctx), func(row Row) error {
			out := convert(row)
			return add(&out)
		})
		ctx = capacity.Patient(ctx) // a response that has begun should be completed
		return len(parts) > 0, err
	}}
}
