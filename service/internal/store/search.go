package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// searchable is a folded text as it is kept: with a blank before its first
// word, so that every word begins after one.
func searchable(folded string) string { return " " + folded }

// index makes a new row findable. PostgreSQL does it by itself.
func (t *tx) index(in table, place int64, folded string) error {
	if t.store.locks == nil {
		return nil
	}
	return t.exec(`INSERT INTO `+string(in)+`_search (rowid, grams) VALUES ($1, $2)`, place, gramsOf(folded))
}

// reindex makes a changed row findable by what it says now.
func (t *tx) reindex(of org.Tenant, in table, id uuid.UUID, folded string) error {
	if t.store.locks == nil {
		return nil
	}
	var place int64
	if err := t.row(`SELECT place FROM `+string(in)+` WHERE org_id = $1 AND id = $2`, of.ID(), id).Scan(&place); err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM `+string(in)+`_search WHERE rowid = $1`, place); err != nil {
		return err
	}
	return t.index(in, place, folded)
}

// searched reads a page of the rows in which every word of a search is found:
// anywhere in a word, or at its beginning if it has fewer than three letters.
func searched[T any](ctx context.Context, s *Store, of org.Tenant, in table, search string, page org.Page,
	columns string, scan func(scanner) (T, error), id func(T) uuid.UUID,
) (org.List[T], error) {
	first, last, err := s.placesOf(ctx, of, in, page.After)
	if err != nil {
		return org.List[T]{}, err
	}
	found := s.searchQuery(in, search)
	query := `
		SELECT ` + columns + `
		FROM ` + string(in) + `
		WHERE place IN (` + found.text + ` LIMIT ` + strconv.Itoa(page.Size+1) + ` OFFSET ` + strconv.Itoa(page.Skip()) + `)
		ORDER BY place DESC`
	rows, err := allOf(ctx, s, query, found.args(first, last), scan)
	if err != nil {
		return org.List[T]{}, err
	}
	list := listOf(rows, page, id)
	err = countFound(ctx, s, of, in, found, page, &list)
	return list, err
}

// countFound counts what was found, as far as org.Found. A page that ends the
// list has counted already.
func countFound[T any](ctx context.Context, s *Store, of org.Tenant, in table, found searchText, page org.Page, list *org.List[T]) error {
	if page.After == uuid.Nil && list.Next == uuid.Nil && (len(list.Rows) > 0 || page.Skip() == 0) {
		list.Total = page.Skip() + len(list.Rows)
		return nil
	}
	first, last, err := s.placesOf(ctx, of, in, uuid.Nil)
	if err != nil {
		return err
	}
	query := `SELECT count(*) FROM (` + found.text + ` LIMIT ` + strconv.Itoa(org.Found+1) + `) AS counted`
	counts, err := allOf(ctx, s, query, found.args(first, last), func(row scanner) (int, error) { return 1, row.Scan(&list.Total) })
	if err != nil || len(counts) == 0 {
		return err
	}
	if list.Total > org.Found {
		list.Total, list.Capped = org.Found, true
	}
	return nil
}

// placesOf is the range of places that an organisation's rows have: all, or
// those before a row.
func (s *Store) placesOf(ctx context.Context, of org.Tenant, in table, after uuid.UUID) (first, last int64, err error) {
	const query = `
		SELECT o.number, coalesce(t.n, 0)
		FROM organisation o
		LEFT JOIN tally t ON t.org_id = o.id AND t.what = $2
		WHERE o.id = $1`
	var organisation, n int64
	if err := s.one(ctx, errNoOrganisation(), query, []any{of.ID(), string(in)}, &organisation, &n); err != nil {
		return 0, 0, err
	}
	first, last = organisation<<placeBits, organisation<<placeBits|n
	if after == uuid.Nil {
		return first, last, nil
	}
	missing := fault.Wrong(fault.Problem{Path: "cursor", Message: "Input should be the next_cursor of an earlier answer"})
	err = s.one(ctx, missing, `SELECT place FROM `+string(in)+` WHERE org_id = $1 AND id = $2`, []any{of.ID(), after}, &last)
	return first, last - 1, err
}

// searchText is a query for the places of what is found, the newest first, and
// its values behind the range.
type searchText struct {
	text   string
	values []any
}

func (q searchText) args(first, last int64) []any { return append([]any{first, last}, q.values...) }

func (s *Store) searchQuery(in table, search string) searchText {
	if s.locks == nil {
		return trigramSearch(in, search)
	}
	return gramSearch(in, search)
}

// gramSearch asks SQLite's index, which keeps rows in the order of their places.
func gramSearch(in table, search string) searchText {
	match, prove := gramQuery(search)
	name := string(in)
	q := searchText{values: []any{match}}
	from := name + `_search s`
	where := `s.` + name + `_search MATCH $3 AND s.rowid BETWEEN $1 AND $2`
	if len(prove) > 0 {
		from += ` CROSS JOIN ` + name + ` c ON c.place = s.rowid`
	}
	for _, word := range prove {
		q.values = append(q.values, word)
		where += fmt.Sprintf(` AND instr(c.folded, $%d) > 0`, len(q.values)+2)
	}
	q.text = `SELECT s.rowid FROM ` + from + ` WHERE ` + where + ` ORDER BY s.rowid DESC`
	return q
}

// blockBits is how many places a block of the trigram index has, as a power of
// two. It is that of the index.
const blockBits = 14

// trigramSearch asks PostgreSQL's index block by block, the newest first: the
// index knows no order, and within a block there is little to sort.
func trigramSearch(in table, search string) searchText {
	q := searchText{}
	where := ""
	for word := range strings.FieldsSeq(search) {
		pattern := likeText.Replace(word)
		if utf8.RuneCountInString(word) < gramSizes[0] {
			pattern = " " + pattern
		}
		q.values = append(q.values, "%"+pattern+"%")
		where += fmt.Sprintf(` AND folded LIKE $%d`, len(q.values)+2)
	}
	q.text = fmt.Sprintf(`
		SELECT found.place
		FROM generate_series($2::bigint >> %[1]d, $1::bigint >> %[1]d, -1) AS block
		CROSS JOIN LATERAL (
			SELECT place
			FROM %[2]s
			WHERE place >> %[1]d = block AND place BETWEEN $1 AND $2%[3]s
			ORDER BY place DESC
			OFFSET 0
		) AS found`, blockBits, in, where)
	return q
}

var likeText = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
