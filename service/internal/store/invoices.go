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
// newest first. Unlike ListInvoices, it reads them all into memory.
func (s *Store) Invoices(ctx context.Context, of org.Tenant, f ledger.Filter, page org.Page) (org.List[ledger.Invoice], error) {
	listing, err := s.ListInvoices(ctx, of, f, page)
	if err != nil {
		return org.List[ledger.Invoice]{}, err
	}
	listed, err := listing.Collect(ctx)
	list := org.List[ledger.Invoice]{Rows: []ledger.Invoice{}, Total: listed.Total, Capped: listed.Capped, Next: listed.Next}
	for _, row := range listed.Rows {
		whole, err := row.Whole()
		if err != nil {
			return org.List[ledger.Invoice]{}, err
		}
		list.Rows = append(list.Rows, whole)
	}
	return list, err
}

// ListInvoices finds a page of an organisation's invoices with their links,
// newest first. The invoices themselves are read with the parts of the listing.
func (s *Store) ListInvoices(ctx context.Context, of org.Tenant, f ledger.Filter, page org.Page) (org.Listing[ledger.Listed], error) {
	none := org.Listing[ledger.Listed]{}
	id, known, err := s.searchedID(ctx, of, f.Search)
	if err != nil {
		return none, unlisted(err)
	}
	if known {
		if len(f.IDs) > 0 && !slices.Contains(f.IDs, id) {
			return none, nil // both conditions apply
		}
		f.Search, f.IDs = "", []uuid.UUID{id}
	}
	c := filtered(of, f)
	l := invoiceLister{s: s, of: of, filter: f}
	if f.Search != "" {
		f := finding{s: s, of: of, search: f.Search, filter: f, more: c}
		hits, err := f.hits(ctx, page)
		if err != nil {
			return none, unlisted(err)
		}
		spots, err := s.spotsAt(ctx, of, hits.page)
		if err != nil {
			return none, unlisted(err)
		}
		return l.listing(ctx, spots, page, hits.total, hits.capped)
	}
	spots, err := s.spots(ctx, of, c, page, f.IsZero())
	if err != nil {
		return none, unlisted(err)
	}
	total, capped, err := s.countInvoices(ctx, of, f, c)
	if database.IsUnreadable(err) {
		total, capped, err = page.Skip()+len(spots), true, nil // a lower bound
	}
	if err != nil {
		return none, err
	}
	return l.listing(ctx, spots, page, total, capped)
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

// countInvoices returns the number of invoices that match a filter, from stored
// counts, or by counting up to org.Counted.
func (s *Store) countInvoices(ctx context.Context, of org.Tenant, f ledger.Filter, c *condition) (total int, capped bool, err error) {
	switch {
	case f.IsZero():
		err = s.db.One(ctx, nil, `SELECT n FROM tally WHERE org_id = $1 AND what = $2`, []any{of.ID(), string(invoices)}, &total)
		return total, false, err
	case f.OnlyStatuses():
		for _, status := range slices.Compact(slices.Sorted(slices.Values(f.Statuses))) {
			n := 0
			if err := s.db.One(ctx, nil, `SELECT n FROM tally WHERE org_id = $1 AND what = $2`, []any{of.ID(), statusTally(status)}, &n); err != nil {
				return 0, false, err
			}
			total += n
		}
		return total, false, nil
	}
	query := `SELECT count(*) FROM (SELECT 1 FROM invoice i WHERE ` + c.text() + ` LIMIT ` + strconv.Itoa(org.Counted+1) + `) counted`
	if _, err := database.AllOnce(ctx, s.db, query, c.args, func(row scanner) (int, error) { return 1, row.Scan(&total) }); err != nil {
		return 0, false, err
	}
	return min(total, org.Counted), total > org.Counted, nil
}
