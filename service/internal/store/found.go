package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// An invoice matches a search if its buyer's text contains every word of the
// search, if its ref_num or its idempotency key begins with the search, or if
// its ref_num ends with it.
//
// The index of buyers has the invoices of each buyer in order. The lists of all
// matching buyers are merged until enough invoices are found, so that a search
// reads about as many invoices as it returns or counts, and not all matches.

// searchLimits holds the limits of a search of invoices.
type searchLimits struct {
	found  int // up to this number, matches are counted
	buyers int // if more buyers match, their lists are not merged
	newest int // number of newest invoices that are searched first for frequent matches
	few    int // number of invoices up to which all that match a filter are read
}

func defaultLimits() searchLimits {
	return searchLimits{found: org.Found, buyers: 5_000, newest: newestPart, few: 20_000}
}

// newestPart is the number of newest invoices that are searched first.
const newestPart = 20_000

// finding is the state of one search.
type finding struct {
	s      *Store
	of     org.Tenant
	search string
	filter ledger.Filter
	more   *condition // of the filter, the organisation first
	buyers []int64    // places of the matching buyer texts, at most one more than the limit
	first  int64      // range of the organisation's places
	last   int64
}

// hits returns the places of the matches on a page, newest first, and how many
// there are.
func (f *finding) hits(ctx context.Context, page org.Page) (h hits, err error) {
	if f.first, f.last, err = f.s.placesOf(ctx, f.of, invoices, uuid.Nil); err != nil {
		return h, err
	}
	upTo := f.last
	if page.After != uuid.Nil {
		if _, upTo, err = f.s.placesOf(ctx, f.of, invoices, page.After); err != nil {
			return h, err
		}
	}
	if f.buyers, err = f.buyerTexts(ctx); err != nil {
		return h, err
	}
	wanted := page.Skip() + page.Size + 1
	places, err := f.counted(ctx, wanted)
	if err != nil {
		return h, err
	}
	h = hits{total: min(len(places), f.s.limits.found), capped: len(places) > f.s.limits.found}
	// With a filter, the matches that were counted are the newest.
	if h.capped && (!f.filtered() || upTo < f.last) {
		if places, err = f.newest(ctx, upTo, wanted); err != nil {
			return hits{}, err
		}
	}
	places = upToPlace(places, upTo)
	for _, place := range places[min(page.Skip(), len(places)):min(wanted, len(places))] {
		h.page = append(h.page, place)
	}
	return h, nil
}

// counted returns the places of all matches, newest first. If there are more than
// are counted, it returns some of them; with a filter the newest, and at least as
// many as wanted.
func (f *finding) counted(ctx context.Context, wanted int) ([]int64, error) {
	most := f.s.limits.found + 1
	switch {
	case f.filtered():
		return f.newest(ctx, f.last, max(wanted, most))
	case len(f.buyers) >= most: // every buyer text belongs to at least one invoice
		return f.buyers, nil
	case len(f.buyers) > f.s.limits.buyers: // there are more of them
		return f.newest(ctx, f.last, most)
	}
	found, common, err := f.byNumbers(ctx)
	if err != nil {
		return nil, err
	}
	if len(common) > 0 {
		return make([]int64, most), nil
	}
	ofBuyers, err := f.ofBuyers(ctx, most)
	return newestFirst(append(found, ofBuyers...), most), err
}

// filtered reports whether the search has a filter.
func (f *finding) filtered() bool { return len(f.more.where) > 1 }

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
	return q.places(ctx, f.s, first, last, f.s.limits.buyers+1)
}

// term is one condition by which an invoice matches.
type term struct {
	sql    string
	values []any
	owned  bool // matches rows of the organisation only
}

// with returns the conditions of the filter and a term. SQLite must not
// use an index of the filter, nor, for a term that matches rows of the organisation
// only, an index on the organisation: it would prefer those and read all their
// rows.
func (f *finding) with(t term) *condition {
	c := &condition{where: slices.Clone(f.more.where), args: slices.Clone(f.more.args)}
	for n := range c.where {
		if n > 0 || t.owned {
			c.where[n] = f.s.dialect.NoIndex + c.where[n]
		}
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

// newest returns the places of the newest matches up to a place: as many as
// wanted, or more.
func (f *finding) newest(ctx context.Context, upTo int64, wanted int) ([]int64, error) {
	if len(f.buyers) > f.s.limits.buyers && !f.filtered() {
		return f.walk(ctx, f.first, upTo, wanted)
	}
	frequent := false
	if f.filtered() {
		ofBuyers, err := f.countBuyers(ctx)
		if err != nil {
			return nil, err
		}
		places, few, err := f.ofFilter(ctx, ofBuyers)
		if err != nil || few {
			return upToPlace(places, upTo), err
		}
		frequent = ofBuyers > f.s.limits.few
	}
	found, common, err := f.byNumbers(ctx)
	if err != nil {
		return nil, err
	}
	part := 0
	switch {
	case len(f.buyers) > f.s.limits.buyers:
		part = int(upTo - f.first)
	case frequent || len(common) > 0:
		part = f.s.limits.newest
	case len(f.buyers) > f.s.limits.found || len(f.buyers) > wanted:
		part = max(f.s.limits.found, 2*wanted)
	}
	if part > 0 {
		places, err := f.walk(ctx, max(f.first, upTo-int64(part)), upTo, wanted)
		if err != nil || len(places) == wanted || len(f.buyers) > f.s.limits.buyers {
			return places, err
		}
	}
	for _, t := range common {
		c := f.with(t)
		c.add("i.place <= ?", upTo)
		places, err := f.places(ctx, `invoice i`, c, ` ORDER BY i.place DESC`, wanted)
		if err != nil {
			return nil, err
		}
		found = append(found, places...)
	}
	return f.merge(ctx, upToPlace(found, upTo), upTo, wanted)
}

// byNumbers returns the places of the matches by number, in any order, and the
// terms with more matches than are counted, which are left out.
func (f *finding) byNumbers(ctx context.Context) (found []int64, common []term, err error) {
	for _, t := range f.byNumber() {
		places, err := f.places(ctx, `invoice i`, f.with(t), ``, f.s.limits.found+1)
		if err != nil {
			return nil, nil, err
		}
		if len(places) > f.s.limits.found {
			common = append(common, t)
			continue
		}
		found = append(found, places...)
	}
	return found, common, nil
}

// walk checks every invoice of a range, newest first.
func (f *finding) walk(ctx context.Context, first, last int64, wanted int) ([]int64, error) {
	c := f.with(f.either())
	c.add("i.place BETWEEN ? AND ?", first, last)
	return f.places(ctx, `invoice i LEFT JOIN buyer_text b ON b.place = i.buyer_text`, c, ` ORDER BY i.place DESC`, wanted)
}

// either returns the term for all matches, in a query that joins the buyer text
// as b to invoices of the organisation.
func (f *finding) either() term {
	buyer := term{sql: "i.buyer_text IS NOT NULL"}
	for word := range strings.FieldsSeq(f.search) {
		if utf8.RuneCountInString(word) < gramSizes[0] {
			word = " " + word
		}
		buyer.sql += ` AND ` + f.s.dialect.Position + `(b.folded, ?) > 0`
		buyer.values = append(buyer.values, word)
	}
	either := term{owned: true}
	for _, t := range append(f.byNumber(), buyer) {
		either.sql += " OR (" + t.sql + ")"
		either.values = append(either.values, t.values...)
	}
	either.sql = "(" + strings.TrimPrefix(either.sql, " OR ") + ")"
	return either
}

func (f *finding) places(ctx context.Context, from string, c *condition, order string, most int) ([]int64, error) {
	query := `SELECT i.place FROM ` + from + ` WHERE ` + c.text() + order + ` LIMIT ` + strconv.Itoa(most)
	return database.AllOnce(ctx, f.s.db, query, c.args, scanPlace)
}

func scanPlace(row scanner) (place int64, err error) {
	err = row.Scan(&place)
	return place, err
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

// upToPlace returns the places up to a place.
func upToPlace(places []int64, last int64) []int64 {
	return slices.DeleteFunc(places, func(place int64) bool { return place > last })
}

func anyOf[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
