package store

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// AddEarlier registers invoices of a previous system, so that notes can refer to
// them. They are never issued, counted or sent. If one has a number that is already
// registered, it registers none.
func (s *Store) AddEarlier(ctx context.Context, by org.Actor, all ...issue.Earlier) error {
	err := s.write(ctx, func(t *tx) error {
		rows := &rowsOf{
			t:      t,
			insert: `INSERT INTO earlier_invoice (org_id, id, number, issue_date, simplified, buyer_id, currency, with_vat, vat_rows, created_at)`,
		}
		events := t.events()
		for _, e := range all {
			totals, err := documentOf(e.Breakdown)
			if err != nil {
				return err
			}
			buyer := uuid.NullUUID{UUID: e.Buyer, Valid: e.Buyer != uuid.Nil}
			if err := rows.add(by.Tenant.ID(), e.ID, e.Number, e.IssueDate, bit(e.Simple), buyer, e.Currency, e.WithVAT.Fixed2(), totals, millis(s.now())); err != nil {
				return err
			}
			if err := events.addEvent(by, "earlier.create", e.ID.String(), map[string]any{"number": e.Number}); err != nil {
				return err
			}
		}
		if err := rows.flush(); err != nil {
			return err
		}
		return events.flush()
	})
	if database.IsDuplicate(err) {
		return fault.New(fault.AlreadyExists, "An earlier invoice with this number is already registered.").Arabic("سُجّلت فاتورة سابقة بهذا الرقم.")
	}
	return err
}

// BuyersAmong returns the clients of an organisation that have one of some ids, VAT
// numbers, or names in either language.
func (s *Store) BuyersAmong(ctx context.Context, of org.Tenant, ids []uuid.UUID, vatNumbers, names []string) ([]trade.Client, error) {
	const clients = `SELECT ` + clientColumns + ` FROM client WHERE org_id = $1`
	q := &knownQueries{ctx: ctx, s: s}
	found := readKnown(q, clients+` AND id IN (`, `) ORDER BY id`, anyOf(ids), scanClient, of.ID())
	found = append(found, readKnown(q, clients+` AND vat_number <> '' AND vat_number IN (`, `) ORDER BY id`, anyOf(vatNumbers), scanClient, of.ID())...)
	found = append(found, readKnown(q, clients+` AND name IN (`, `) ORDER BY id`, anyOf(names), scanClient, of.ID())...)
	found = append(found, readKnown(q, clients+` AND name_arabic IN (`, `) ORDER BY id`, anyOf(names), scanClient, of.ID())...)
	return found, q.err
}

// EarlierPage returns a page of the registered invoices of an organisation, by
// number, or the one with a number.
func (s *Store) EarlierPage(ctx context.Context, of org.Tenant, number string, page org.Page) (org.List[issue.Earlier], error) {
	c := &condition{}
	c.add("org_id = ?", of.ID())
	if number != "" {
		c.add("number = ?", number)
	}
	var found org.List[issue.Earlier]
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM earlier_invoice WHERE `+c.text(), c.args, &found.Total); err != nil {
		return found, err
	}
	if page.After != uuid.Nil {
		c.add("number > (SELECT e.number FROM earlier_invoice e WHERE e.org_id = ? AND e.id = ?)", of.ID(), page.After)
	}
	query := `SELECT id FROM earlier_invoice WHERE ` + c.text() + ` ORDER BY number LIMIT ` + strconv.Itoa(page.Size+1) + ` OFFSET ` + strconv.Itoa(page.Skip())
	ids, err := database.All(ctx, s.db, query, c.args, func(row scanner) (id uuid.UUID, err error) {
		err = row.Scan(&id)
		return id, err
	})
	if err != nil {
		return found, err
	}
	list := listOf(ids, page, func(id uuid.UUID) uuid.UUID { return id })
	found.Next = list.Next
	known, err := s.Earlier(ctx, of, list.Rows)
	for _, id := range list.Rows {
		found.Rows = append(found.Rows, known[id])
	}
	return found, err
}
