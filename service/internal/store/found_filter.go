package store

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
)

// ofFilter returns the places of all matches, newest first, if one condition of
// the filter has an index and matches few invoices. The number of invoices of the
// matching buyers is a further limit: if it is lower, their lists are read.
func (f *finding) ofFilter(ctx context.Context, ofBuyers int) (places []int64, few bool, err error) {
	least := min(ofBuyers, f.s.limits.few+1)
	var narrowest func(*condition)
	for _, narrow := range indexed(f.filter) {
		n, err := f.countUpTo(ctx, narrow, least)
		if err != nil {
			return nil, false, err
		}
		if n < least {
			least, narrowest = n, narrow
		}
	}
	if narrowest == nil {
		return nil, false, nil
	}
	c := f.with(f.either())
	c.add("i.place = few.place")
	inner := f.narrowed(narrowest, c.args)
	query := `
		SELECT i.place
		FROM (SELECT i.place FROM invoice i WHERE ` + inner.text() + ` LIMIT ` + strconv.Itoa(2*f.s.limits.few) + `) few
		CROSS JOIN invoice i
		LEFT JOIN buyer_text b ON b.place = i.buyer_text
		WHERE ` + c.text()
	places, err = database.AllOnce(ctx, f.s.db, query, inner.args, scanPlace)
	return newestFirst(places, len(places)), true, err
}

// indexed returns the conditions of a filter that have an index.
func indexed(f ledger.Filter) (all []func(*condition)) {
	if len(f.IDs) > 0 {
		all = append(all, func(c *condition) { c.among("i.id", anyOf(f.IDs)) })
	}
	if len(f.Statuses) > 0 {
		all = append(all, func(c *condition) { c.statuses(f.Statuses) })
	}
	if f.Device != uuid.Nil {
		all = append(all, func(c *condition) { c.add("i.device_id = ?", f.Device) })
	}
	if f.From != "" || f.To != "" {
		all = append(all, func(c *condition) {
			if f.From != "" {
				c.add(dayOf+" >= ?", f.From)
			}
			if f.To != "" {
				c.add(dayOf+" <= ?", f.To)
			}
		})
	}
	return all
}

// narrowed returns one condition of the filter, for the organisation. Its values
// follow args.
func (f *finding) narrowed(narrow func(*condition), args []any) *condition {
	c := &condition{args: args}
	c.add("i.org_id = ?", f.of.ID())
	narrow(c)
	return c
}

// countUpTo returns the number of invoices that match one condition of the
// filter, at most as many as stated.
func (f *finding) countUpTo(ctx context.Context, narrow func(*condition), most int) (n int, err error) {
	c := f.narrowed(narrow, nil)
	query := `SELECT count(*) FROM (SELECT 1 FROM invoice i WHERE ` + c.text() + ` LIMIT ` + strconv.Itoa(most) + `) counted`
	_, err = database.AllOnce(ctx, f.s.db, query, c.args, func(row scanner) (struct{}, error) { return struct{}{}, row.Scan(&n) })
	return n, err
}
