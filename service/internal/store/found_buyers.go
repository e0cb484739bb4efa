package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"khatm/service/internal/database"
)

// buyerList is the list of a buyer's invoices, newest first, that is read in
// parts.
type buyerList struct {
	buyer int64 // place of the buyer text
	upTo  int64 // place from which it is read on
}

// MarshalJSON implements [json.Marshaler]. It returns the parameter of listParts.
func (l buyerList) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%d]", l.buyer, l.upTo), nil
}

// merge merges the lists of all matching buyers with other matches. It returns
// the newest places, as many as wanted.
//
// It reads the first places of all lists, and then more of those that may have
// some of the wanted places: the lists whose last place read is among the newest.
// There are the fewer of them, the more places are read of each.
func (f *finding) merge(ctx context.Context, found []int64, upTo int64, wanted int) ([]int64, error) {
	const factor = 4
	lists := make([]buyerList, len(f.buyers))
	for n, buyer := range f.buyers {
		lists[n] = buyerList{buyer, upTo}
	}
	found = newestFirst(found, wanted)
	for size := max(1, wanted/max(1, len(lists))); len(lists) > 0; size *= factor {
		parts, err := f.listParts(ctx, lists, size)
		if err != nil {
			return nil, err
		}
		lists = lists[:0]
		for _, p := range parts {
			found = append(found, p.places...)
			if len(p.places) == size {
				lists = append(lists, buyerList{p.buyer, slices.Min(p.places) - 1})
			}
		}
		if found = newestFirst(found, wanted); len(found) == wanted {
			lists = slices.DeleteFunc(lists, func(l buyerList) bool { return l.upTo < found[wanted-1] })
		}
	}
	return found, nil
}

// newestFirst sorts places and returns the newest ones, each once.
func newestFirst(places []int64, wanted int) []int64 {
	slices.SortFunc(places, func(a, b int64) int { return cmp.Compare(b, a) })
	places = slices.Compact(places)
	return places[:min(wanted, len(places))]
}

// listPart is a part of a list.
type listPart struct {
	buyer  int64
	places []int64
}

// listParts reads the next part of each list. The buyer texts belong to the
// organisation, so without a filter only the index is read.
func (f *finding) listParts(ctx context.Context, lists []buyerList, size int) ([]listPart, error) {
	c := &condition{}
	if f.filtered() {
		c = f.with(term{"i.buyer_text IS NOT NULL", nil, true})
	}
	c.add("i.buyer_text = w.buyer AND i.place <= w.up_to")
	wanted, err := json.Marshal(lists)
	if err != nil {
		return nil, err
	}
	query := `
		SELECT w.buyer, (
			SELECT string_agg(CAST(p.place AS TEXT), ',')
			FROM (SELECT i.place FROM invoice i WHERE ` + c.text() + ` ORDER BY i.place DESC LIMIT ` + strconv.Itoa(size) + `) p)
		FROM (SELECT CAST(value ->> 0 AS BIGINT) AS buyer, CAST(value ->> 1 AS BIGINT) AS up_to FROM ` + f.s.dialect.Elements + `($` + strconv.Itoa(len(c.args)+1) + `)) w`
	return database.AllOnce(ctx, f.s.db, query, append(c.args, string(wanted)), scanListPart)
}

func scanListPart(row scanner) (p listPart, err error) {
	var places sql.NullString
	if err := row.Scan(&p.buyer, &places); err != nil || !places.Valid {
		return p, err
	}
	for text := range strings.SplitSeq(places.String, ",") {
		place, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return p, err
		}
		p.places = append(p.places, place)
	}
	return p, nil
}

// countBuyers returns the number of invoices of all matching buyers, or
// one more than the limit if there are more.
func (f *finding) countBuyers(ctx context.Context) (n int, err error) {
	if len(f.buyers) > f.s.limits.buyers {
		return f.s.limits.few + 1, nil
	}
	counts, err := database.AllOnce(ctx, f.s.db, `SELECT count(*) FROM (`+f.buyersQuery(f.s.limits.few+1)+`) counted`, []any{arrayOf(f.buyers)}, scanPlace)
	if err != nil {
		return 0, err
	}
	return int(counts[0]), nil
}

// ofBuyers returns the places of invoices of all matching buyers, in any order, at
// most as many as stated.
func (f *finding) ofBuyers(ctx context.Context, most int) ([]int64, error) {
	return database.AllOnce(ctx, f.s.db, f.buyersQuery(most), []any{arrayOf(f.buyers)}, scanPlace)
}

// buyersQuery returns the query for invoices of buyers, which are its parameter.
func (f *finding) buyersQuery(most int) string {
	return `
		SELECT i.place
		FROM (SELECT CAST(value ->> 0 AS BIGINT) AS buyer FROM ` + f.s.dialect.Elements + `($1)) w
		CROSS JOIN invoice i
		WHERE i.buyer_text = w.buyer
		LIMIT ` + strconv.Itoa(most)
}

// arrayOf returns buyers as a JSON array of arrays.
func arrayOf(buyers []int64) string {
	var b strings.Builder
	for n, buyer := range buyers {
		b.WriteString([]string{"[[", "],["}[min(n, 1)] + strconv.FormatInt(buyer, 10))
	}
	if len(buyers) == 0 {
		return "[]"
	}
	return b.String() + "]]"
}
