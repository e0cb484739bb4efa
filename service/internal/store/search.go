package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// searchable returns a folded text in its stored form, with a space before the
// first word, so that a space precedes every word.
func searchable(folded string) string { return " " + folded }

// index adds a new row to the search index. PostgreSQL does this itself.
func (t *tx) index(in table, place int64, folded string) error {
	if !t.store.dialect.Embedded {
		return nil
	}
	return t.Exec(`INSERT INTO `+string(in)+`_search (rowid, grams) VALUES ($1, $2)`, place, gramsOf(folded))
}

// reindex updates the search index for a changed row.
func (t *tx) reindex(of org.Tenant, in table, id uuid.UUID, folded string) error {
	if !t.store.dialect.Embedded {
		return nil
	}
	var place int64
	if err := t.QueryRow(`SELECT place FROM `+string(in)+` WHERE org_id = $1 AND id = $2`, of.ID(), id).Scan(&place); err != nil {
		return err
	}
	if err := t.Exec(`DELETE FROM `+string(in)+`_search WHERE rowid = $1`, place); err != nil {
		return err
	}
	return t.index(in, place, folded)
}

// searched reads a page of the rows that contain every word of a search:
// anywhere within a word, or at its start if the searched word has fewer than
// three letters.
func searched[T any](ctx context.Context, s *Store, of org.Tenant, in table, search string, page org.Page,
	columns string, scan func(scanner) (T, error), id func(T) uuid.UUID,
) (org.List[T], error) {
	hits, err := s.hits(ctx, of, in, search, page)
	if err != nil || len(hits.page) == 0 {
		return org.List[T]{Rows: []T{}, Total: hits.total, Capped: hits.capped}, err
	}
	query := `SELECT ` + columns + ` FROM ` + string(in) + ` WHERE place IN (` + numbered(1, len(hits.page)) + `) ORDER BY place DESC`
	rows, err := database.AllOnce(ctx, s.db, query, hits.page, scan)
	if err != nil {
		return org.List[T]{}, err
	}
	list := listOf(rows, page, id)
	list.Total, list.Capped = hits.total, hits.capped
	return list, nil
}

// hits are the places found by a search.
type hits struct {
	page   []any // places of this page and, if there are more, one of the next
	total  int
	capped bool
}

// hits returns the places of a page, newest first, and counts all matches up to
// org.Found.
func (s *Store) hits(ctx context.Context, of org.Tenant, in table, search string, page org.Page) (hits, error) {
	first, last, err := s.placesOf(ctx, of, in, uuid.Nil)
	if err != nil {
		return hits{}, err
	}
	found, err := s.searchQuery(ctx, in, search, first, last)
	if err != nil {
		return hits{}, err
	}
	wanted := page.Skip() + page.Size + 1
	places, err := found.places(ctx, s, first, last, max(wanted, org.Found+1))
	if err != nil {
		return hits{}, err
	}
	h := hits{total: min(len(places), org.Found), capped: len(places) > org.Found}
	if page.After != uuid.Nil {
		_, before, err := s.placesOf(ctx, of, in, page.After)
		if err != nil {
			return hits{}, err
		}
		if places, err = found.places(ctx, s, first, before, page.Size+1); err != nil {
			return hits{}, err
		}
	}
	for _, place := range places[min(page.Skip(), len(places)):min(wanted, len(places))] {
		h.page = append(h.page, place)
	}
	return h, nil
}

// placesOf returns the range of places of an organisation's rows: all of them,
// or those before the row with the id after.
func (s *Store) placesOf(ctx context.Context, of org.Tenant, in table, after uuid.UUID) (first, last int64, err error) {
	const query = `
		SELECT o.number, coalesce(t.n, 0)
		FROM organisation o
		LEFT JOIN tally t ON t.org_id = o.id AND t.what = $2
		WHERE o.id = $1`
	var organisation, n int64
	if err := s.db.One(ctx, errNoOrganisation(), query, []any{of.ID(), string(in)}, &organisation, &n); err != nil {
		return 0, 0, err
	}
	first, last = organisation<<placeBits, organisation<<placeBits|n
	if after == uuid.Nil {
		return first, last, nil
	}
	missing := fault.Wrong(fault.Problem{Path: "cursor", Message: "must be the next_cursor of an earlier response", MessageAR: fault.CursorAR})
	err = s.db.One(ctx, missing, `SELECT place FROM `+string(in)+` WHERE org_id = $1 AND id = $2`, []any{of.ID(), after}, &last)
	return first, last - 1, err
}

// searchText is a query for matching places, newest first. Its values follow
// the two values of the range.
type searchText struct {
	text   string
	values []any
}

// places returns the newest matching places within a range.
func (q searchText) places(ctx context.Context, s *Store, first, last int64, most int) ([]int64, error) {
	args := append([]any{first, last}, q.values...)
	return database.AllOnce(ctx, s.db, q.text+` LIMIT `+strconv.Itoa(most), args, func(row scanner) (place int64, err error) {
		err = row.Scan(&place)
		return place, err
	})
}

// searchQuery returns the query for a search.
func (s *Store) searchQuery(ctx context.Context, in table, search string, first, last int64) (searchText, error) {
	if s.dialect.Embedded {
		return gramSearch(in, search), nil
	}
	sample, err := s.sampleTexts(ctx, in, first, last)
	return trigramSearch(in, search, sample), err
}

// sampleSize is the number of texts from which rare pieces of words are
// estimated.
const sampleSize = 256

// sampleTexts returns the texts of some rows of a range, spread evenly from old
// to new.
func (s *Store) sampleTexts(ctx context.Context, in table, first, last int64) ([]string, error) {
	args := make([]any, sampleSize)
	for i := range args {
		args[i] = last - (last-first-1)*int64(i)/sampleSize
	}
	query := `SELECT folded FROM ` + string(in) + ` WHERE place IN (` + numbered(1, sampleSize) + `)`
	return database.All(ctx, s.db, query, args, func(row scanner) (text string, err error) {
		err = row.Scan(&text)
		return text, err
	})
}

// gramSearch returns the query of SQLite's index, which is ordered by place.
func gramSearch(in table, search string) searchText {
	match, prove := gramQuery(search)
	name := string(in)
	q := searchText{values: []any{match}}
	from := name + `_search s`
	where := `s.` + name + `_search MATCH $3 AND s.rowid BETWEEN $1 AND $2`
	if len(prove) > 0 {
		from += ` CROSS JOIN ` + name + ` i ON i.place = s.rowid`
	}
	for _, word := range prove {
		q.values = append(q.values, word)
		where += fmt.Sprintf(` AND instr(i.folded, $%d) > 0`, len(q.values)+2)
	}
	q.text = `SELECT s.rowid FROM ` + from + ` WHERE ` + where + ` ORDER BY s.rowid DESC`
	return q
}

// blockBits is the binary logarithm of the number of places in a block of the
// trigram index. It must match the index.
const blockBits = 14

// trigramSearch returns the query of PostgreSQL's index. It reads the index
// block by block, newest first, because the index has no order and a block has
// few rows to sort. For each word it uses only the rarest pieces: the lists of
// common ones are long, and the row is checked for the whole word anyway.
func trigramSearch(in table, search string, sample []string) searchText {
	var q searchText
	where := ""
	for word := range strings.FieldsSeq(search) {
		pieces := []string{" " + word}
		if utf8.RuneCountInString(word) >= gramSizes[0] {
			pieces = rarest(word, sample)
		}
		for _, piece := range pieces {
			q.values = append(q.values, "%"+likeText.Replace(piece)+"%")
			where += fmt.Sprintf(` AND i.folded LIKE $%d`, len(q.values)+2)
		}
		if pieces[0] != word && pieces[0] != " "+word {
			q.values = append(q.values, word)
			where += fmt.Sprintf(` AND strpos(i.folded, $%d) > 0`, len(q.values)+2)
		}
	}
	q.text = fmt.Sprintf(`
		SELECT found.place
		FROM generate_series($2::bigint >> %[1]d, $1::bigint >> %[1]d, -1) AS block
		CROSS JOIN LATERAL (
			SELECT i.place
			FROM %[2]s i
			WHERE i.place >> %[1]d = block AND i.place BETWEEN $1 AND $2%[3]s
			ORDER BY i.place DESC
			OFFSET 0
		) AS found`, blockBits, in, where)
	return q
}

// rarest returns the three-letter piece of a word that occurs in the fewest
// texts. In names the other pieces usually occur with it. In numbers they do
// not, so for a number the second rarest piece is returned too, unless the
// first is rare.
func rarest(word string, texts []string) []string {
	letters := []rune(word)
	counts := map[string]int{}
	for i := 0; i+gramSizes[0] <= len(letters); i++ {
		piece := string(letters[i : i+gramSizes[0]])
		if _, seen := counts[piece]; seen {
			continue
		}
		counts[piece] = 0
		for _, text := range texts {
			if strings.Contains(text, piece) {
				counts[piece]++
			}
		}
	}
	pieces := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[a], counts[b]), strings.Compare(a, b))
	})
	number := strings.Trim(word, "0123456789") == ""
	if number && len(pieces) > 1 && counts[pieces[0]] > len(texts)/100 {
		return pieces[:2]
	}
	return pieces[:1]
}

var likeText = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
