package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// An invoice matches a search if its buyer's text contains every word of the
// search, if its ref_num or its idempotency key begins with the search, or if
// its ref_num ends with it.
//
// A search with few matches uses the indexes and sorts the result here. A
// search with many matches first looks at the newest invoices, which usually
// suffice.

const (
	fewBuyers  = 32     // up to this number of buyers, the newest invoices of each are read
	newestPart = 20_000 // number of newest invoices that are searched first
)

// finding is the state of one search.
type finding struct {
	s      *Store
	of     org.Tenant
	search string
	more   *condition // further conditions on the invoices
	buyers []int64    // places of the matching buyer texts, at most org.Found+1
	first  int64      // range of the organisation's places
	last   int64
}

// hits returns the places of the matches on a page, newest first, and how many
// there are.
func (f *finding) hits(ctx context.Context, page org.Page) (h hits, err error) {
	if f.first, f.last, err = f.s.placesOf(ctx, f.of, invoices, page.After); err != nil {
		return h, err
	}
	if f.buyers, err = f.buyerTexts(ctx); err != nil {
		return h, err
	}
	var places []int64
	// Every buyer text belongs to at least one invoice.
	h = hits{total: org.Found, capped: len(f.buyers) > org.Found && len(f.more.where) == 1}
	if !h.capped {
		if places, err = f.few(ctx); err != nil {
			return hits{}, err
		}
		h = hits{total: min(len(places), org.Found), capped: len(places) > org.Found}
	}
	wanted := page.Skip() + page.Size + 1
	switch {
	case h.capped:
		places, err = f.newest(ctx, f.last, wanted)
	case page.After != uuid.Nil:
		places = slices.DeleteFunc(places, func(place int64) bool { return place > f.last })
	}
	for _, place := range places[min(page.Skip(), len(places)):min(wanted, len(places))] {
		h.page = append(h.page, place)
	}
	return h, err
}

// buyerTexts returns the places of the buyer texts that contain every word.
func (f *finding) buyerTexts(ctx context.Context) ([]int64, error) {
	first, last, err := f.s.placesOf(ctx, f.of, buyerTexts, uuid.Nil)
	if err != nil {
		return nil, err
	}
	q, err := f.s.searchQuery(ctx, buyerTexts, f.search, first, last)
	if err != nil {
		return nil, err
	}
	return q.places(ctx, f.s, first, last, org.Found+1)
}

// term is one condition by which an invoice matches.
type term struct {
	sql    string
	values []any
	owned  bool // matches rows of the organisation only
}

// with returns the conditions of the search and a term. For a term that matches
// rows of the organisation only, SQLite must not use an index on the
// organisation: it would prefer that one and read all rows.
func (f *finding) with(t term) *condition {
	c := &condition{where: slices.Clone(f.more.where), args: slices.Clone(f.more.args)}
	if t.owned {
		c.where[0] = f.s.dialect.NoIndex + c.where[0]
	}
	c.add(t.sql, t.values...)
	return c
}

// byNumber returns the terms that do not concern the buyer.
func (f *finding) byNumber() []term {
	past := f.search + string(utf8.MaxRune)
	terms := []term{
		{"(i.ref_key >= ? AND i.ref_key < ?)", []any{f.search, past}, false},
		{"(i.key_folded >= ? AND i.key_folded < ?)", []any{f.search, past}, false},
	}
	for _, tail := range tailsOf(f.search) {
		terms = append(terms, term{"(i.tail = ? AND i.ref_key LIKE ?)", []any{tail, "%" + f.search}, false})
	}
	return terms
}

// few returns the places of all matches, newest first. If there are more than
// org.Found, the result may be incomplete but is longer than org.Found.
func (f *finding) few(ctx context.Context) ([]int64, error) {
	if len(f.buyers) > org.Found {
		_, last, err := f.s.placesOf(ctx, f.of, invoices, uuid.Nil)
		if err != nil {
			return nil, err
		}
		return f.newest(ctx, last, org.Found+1)
	}
	terms := f.byNumber()
	if len(f.buyers) > 0 {
		terms = append(terms, f.byBuyers())
	}
	return f.gather(terms, func(t term) ([]int64, error) {
		return f.places(ctx, `invoice i`, f.with(t), ``, org.Found+1)
	})
}

// byBuyers returns the term for the invoices of all matching buyers.
func (f *finding) byBuyers() term {
	return term{"i.buyer_text IN (" + marks(len(f.buyers)) + ")", anyOf(f.buyers), true}
}

// newest returns the places of the newest matches up to the place last, at most
// wanted.
func (f *finding) newest(ctx context.Context, last int64, wanted int) ([]int64, error) {
	const newest = ` ORDER BY i.place DESC`
	upTo := func(t term) ([]int64, error) {
		c := f.with(t)
		c.add("i.place <= ?", last)
		return f.places(ctx, `invoice i`, c, newest, wanted)
	}
	if len(f.buyers) <= fewBuyers {
		terms := f.byNumber()
		for _, buyer := range f.buyers {
			terms = append(terms, term{"i.buyer_text = ?", []any{buyer}, true})
		}
		return f.gather(terms, upTo)
	}
	if len(f.buyers) > org.Found {
		return f.walk(ctx, f.first, last, wanted)
	}
	places, err := f.walk(ctx, max(f.first, last-newestPart), last, wanted)
	if err != nil || len(places) == wanted {
		return places, err
	}
	return f.gather(append(f.byNumber(), f.byBuyers()), upTo)
}

// walk checks every invoice of a range, newest first.
func (f *finding) walk(ctx context.Context, first, last int64, wanted int) ([]int64, error) {
	buyer := term{sql: "i.buyer_text IS NOT NULL"}
	for word := range strings.FieldsSeq(f.search) {
		if utf8.RuneCountInString(word) < gramSizes[0] {
			word = " " + word
		}
		buyer.sql += ` AND ` + f.s.dialect.Position + `(b.folded, ?) > 0`
		buyer.values = append(buyer.values, word)
	}
	var either term
	for _, t := range append(f.byNumber(), buyer) {
		either.sql += " OR (" + t.sql + ")"
		either.values = append(either.values, t.values...)
	}
	either.sql, either.owned = "("+strings.TrimPrefix(either.sql, " OR ")+")", true // the range belongs to the organisation too
	c := f.with(either)
	c.add("i.place BETWEEN ? AND ?", first, last)
	return f.places(ctx, `invoice i LEFT JOIN buyer_text b ON b.place = i.buyer_text`, c, ` ORDER BY i.place DESC`, wanted)
}

// gather runs query for each term and returns all places, newest first.
func (f *finding) gather(terms []term, query func(term) ([]int64, error)) ([]int64, error) {
	found := map[int64]bool{}
	for _, t := range terms {
		places, err := query(t)
		if err != nil {
			return nil, err
		}
		for _, place := range places {
			found[place] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b int64) int { return cmp.Compare(b, a) }), nil
}

func (f *finding) places(ctx context.Context, from string, c *condition, order string, most int) ([]int64, error) {
	query := `SELECT i.place FROM ` + from + ` WHERE ` + c.text() + order + ` LIMIT ` + strconv.Itoa(most)
	return database.AllOnce(ctx, f.s.db, query, c.args, func(row scanner) (place int64, err error) {
		err = row.Scan(&place)
		return place, err
	})
}

// tailsOf returns the running numbers that a search may end with: the search as
// a number, and without its first four digits. For 2026000007 these are
// 2026000007 and 7.
func tailsOf(search string) []int64 {
	var tails []int64
	for _, digits := range []string{search, search[min(len("2026"), len(search)):]} {
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n >= 0 {
			tails = append(tails, n)
		}
	}
	return tails
}

// tailOf returns the running number at the end of a document's number, or 0 if
// there is none.
func tailOf(number string) int64 {
	digits := number[strings.LastIndexByte(number, '-')+1:]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func anyOf[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
