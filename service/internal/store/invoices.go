package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// condition collects the WHERE conditions of a list and their values.
type condition struct {
	where []string
	args  []any
}

func (c *condition) add(sql string, values ...any) {
	for _, v := range values {
		c.args = append(c.args, v)
		sql = strings.Replace(sql, "?", "$"+strconv.Itoa(len(c.args)), 1)
	}
	c.where = append(c.where, sql)
}

func (c *condition) among(column string, values []any) {
	c.add(column+" IN ("+marks(len(values))+")", values...)
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

func (c *condition) text() string { return strings.Join(c.where, " AND ") }

// filtered returns the condition for the invoices of an organisation that match
// a filter.
func filtered(of org.Tenant, f ledger.Filter) *condition {
	c := &condition{}
	c.add("i.org_id = ?", of.ID())
	if len(f.Statuses) > 0 {
		c.statuses(f.Statuses)
	}
	for _, one := range []struct {
		sql    string
		value  any
		wanted bool
	}{
		{"i.type_code = ?", int(f.Kind), f.Kind != 0},
		{"i.transaction_code = ?", f.Transaction, f.Transaction != ""},
		{"i.device_id = ?", f.Device, f.Device != uuid.Nil},
		{"i.buyer_id = ?", f.Buyer, f.Buyer != uuid.Nil},
		{"i.issue_date >= ?", f.From, f.From != ""},
		{"i.issue_date <= ?", f.To, f.To != ""},
		{"i.payment = ?", string(f.Payment), f.Payment != ""},
	} {
		if one.wanted {
			c.add(one.sql, one.value)
		}
	}
	if f.AnsweredAfter != nil {
		c.add("i.answered_at > ?", millis(*f.AnsweredAfter))
	}
	if len(f.IDs) > 0 {
		values := make([]any, len(f.IDs))
		for i, id := range f.IDs {
			values[i] = id
		}
		c.among("i.id", values)
	}
	return c
}

func (c *condition) statuses(wanted []ledger.Status) {
	var named []any
	unanswered := false
	for _, s := range wanted {
		if s == ledger.Unanswered {
			unanswered = true
			continue
		}
		named = append(named, string(s))
	}
	switch {
	case unanswered && len(named) > 0:
		c.add("(i.status IS NULL OR i.status IN ("+marks(len(named))+"))", named...)
	case unanswered:
		c.add("i.status IS NULL")
	default:
		c.among("i.status", named)
	}
}

// Invoices returns a page of an organisation's invoices with their links,
// newest first.
func (s *Store) Invoices(ctx context.Context, of org.Tenant, f ledger.Filter, page org.Page) (org.List[ledger.Invoice], error) {
	id, known, err := s.searchedID(ctx, of, f.Search)
	if err != nil {
		return org.List[ledger.Invoice]{}, unlisted(err)
	}
	if known {
		if len(f.IDs) > 0 && !slices.Contains(f.IDs, id) {
			return org.List[ledger.Invoice]{Rows: []ledger.Invoice{}}, nil // both conditions apply
		}
		f.Search, f.IDs = "", []uuid.UUID{id}
	}
	c := filtered(of, f)
	if f.Search != "" {
		return s.foundInvoices(ctx, of, f.Search, c, page)
	}
	total := *c
	c.add("i.id < ?", before(page))
	rest := ` WHERE ` + c.text() + ` ORDER BY i.id DESC LIMIT ` + strconv.Itoa(page.Size+1) + ` OFFSET ` + strconv.Itoa(page.Skip())
	rows, err := database.AllOnce(ctx, s.db, `SELECT `+storedColumns+` FROM `+storedTables+rest, c.args, scanInvoice)
	if database.IsUnreadable(err) {
		rows, err = s.walkInvoices(ctx, of, &total, page)
	}
	if err != nil {
		return org.List[ledger.Invoice]{}, unlisted(err)
	}
	list := invoiceList(rows, page)
	if err := s.sharesOf(ctx, of, s.numbered(ctx, of, list.Rows)); err != nil {
		return list, err
	}
	if err = s.countInvoices(ctx, of, f, &total, &list); database.IsUnreadable(err) {
		list.Total, list.Capped = page.Skip()+len(rows), true // a lower bound
		return list, nil
	}
	return list, err
}

// invoiceList returns a page of invoices. If the last one is so damaged that it
// has no id, the next page begins after the one before it.
func invoiceList(rows []ledger.Invoice, page org.Page) org.List[ledger.Invoice] {
	list := listOf(rows, page, func(i ledger.Invoice) uuid.UUID { return i.ID })
	for n := len(list.Rows) - 1; n >= 0 && len(rows) > page.Size && list.Next == uuid.Nil; n-- {
		list.Next = list.Rows[n].ID
	}
	return list
}

// numbered notes the damaged invoices of a list and sets their numbers if these
// can be proven.
func (s *Store) numbered(ctx context.Context, of org.Tenant, rows []ledger.Invoice) []ledger.Invoice {
	for n := range rows {
		if d := rows[n].Damage; d != nil {
			d.Number = s.provenNumber(ctx, of, d.Invoice)
			rows[n].Number = d.Number
			s.note(of, d)
		}
	}
	return rows
}

// searchedID returns the id in a search and whether it is the id of an invoice,
// with or without dashes. An idempotency key that looks like an id is searched
// as text.
func (s *Store) searchedID(ctx context.Context, of org.Tenant, search string) (id uuid.UUID, known bool, err error) {
	id, notOne := uuid.Parse(search)
	if notOne != nil {
		return uuid.Nil, false, nil
	}
	n := 0
	err = s.db.One(ctx, nil, `SELECT count(*) FROM invoice WHERE org_id = $1 AND id = $2`, []any{of.ID(), id}, &n)
	return id, n > 0, err
}

// countInvoices sets the total of a list from stored counts, or by counting up
// to org.Counted.
func (s *Store) countInvoices(ctx context.Context, of org.Tenant, f ledger.Filter, c *condition, list *org.List[ledger.Invoice]) error {
	switch {
	case f.IsZero():
		return s.db.One(ctx, nil, `SELECT n FROM tally WHERE org_id = $1 AND what = $2`, []any{of.ID(), string(invoices)}, &list.Total)
	case f.OnlyStatuses():
		for _, status := range slices.Compact(slices.Sorted(slices.Values(f.Statuses))) {
			n := 0
			if err := s.db.One(ctx, nil, `SELECT n FROM tally WHERE org_id = $1 AND what = $2`, []any{of.ID(), statusTally(status)}, &n); err != nil {
				return err
			}
			list.Total += n
		}
		return nil
	}
	query := `SELECT count(*) FROM (SELECT 1 FROM invoice i WHERE ` + c.text() + ` LIMIT ` + strconv.Itoa(org.Counted+1) + `) counted`
	if _, err := database.AllOnce(ctx, s.db, query, c.args, func(row scanner) (int, error) { return 1, row.Scan(&list.Total) }); err != nil {
		return err
	}
	if list.Total > org.Counted {
		list.Total, list.Capped = org.Counted, true
	}
	return nil
}
