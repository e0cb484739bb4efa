package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// table is a table whose rows are listed and searched. It becomes part of SQL
// texts, so it must always be one of these constants.
type table string

const (
	clients    table = "client"
	items      table = "item"
	invoices   table = "invoice"
	buyerTexts table = "buyer_text"
)

// The place of a row combines the number of its organisation with an increasing
// number of its own. So the rows of an organisation are a range of places with
// the newest at the end.
const placeBits = 40

// nextPlaces counts new rows, so that lists need not count them, and returns the
// place of the last one.
func (t *tx) nextPlaces(of org.Tenant, in table, rows int) (int64, error) {
	const count = `
		INSERT INTO tally (org_id, what, n)
		VALUES ($1, $2, $3)
		ON CONFLICT (org_id, what) DO UPDATE SET n = tally.n + excluded.n
		RETURNING n, (SELECT number FROM organisation WHERE id = $1)`
	var n, organisation int64
	if err := t.QueryRow(count, of.ID(), string(in), rows).Scan(&n, &organisation); err != nil {
		return 0, fmt.Errorf("count the new rows of table %s: %w", in, err)
	}
	return organisation<<placeBits | n, nil
}

// pageOf reads a page of a table, newest first. Ids are ordered by time, so the
// primary key determines the order. With page.After a page is as fast at the
// end of a million rows as at the beginning.
func pageOf[T any](ctx context.Context, s *Store, of org.Tenant, in table, page org.Page,
	columns string, scan func(scanner) (T, error), id func(T) uuid.UUID,
) (org.List[T], error) {
	query := `
		SELECT ` + columns + `
		FROM ` + string(in) + `
		WHERE org_id = $1 AND id < $2
		ORDER BY id DESC
		LIMIT $3 OFFSET $4`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), before(page), page.Size + 1, page.Skip()}, scan)
	if err != nil {
		return org.List[T]{}, err
	}
	list := listOf(rows, page, id)
	err = s.db.One(ctx, nil, `SELECT n FROM tally WHERE org_id = $1 AND what = $2`, []any{of.ID(), string(in)}, &list.Total)
	return list, err
}

// before returns the upper bound of the ids of a page.
func before(page org.Page) uuid.UUID {
	if page.After == uuid.Nil {
		return uuid.Max
	}
	return page.After
}

// listOf returns the list for rows that were queried with one more than the
// page size. The additional row shows that there is a next page.
func listOf[T any](rows []T, page org.Page, id func(T) uuid.UUID) org.List[T] {
	list := org.List[T]{Rows: rows}
	if len(rows) > page.Size {
		list.Rows = rows[:page.Size]
		list.Next = id(list.Rows[page.Size-1])
	}
	return list
}

// missingIf turns sql.ErrNoRows into a NotFound fault for what. It returns
// other errors unchanged.
func missingIf(err error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing(what)
	}
	return err
}
