package store

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// entriesOf returns the condition for the entries of an organisation that match a
// filter. An entry's id is never older than its time.
func entriesOf(of org.Tenant, f org.EventFilter) *condition {
	c := &condition{}
	c.add("org_id = ?", of.ID())
	if f.Action != "" {
		c.add("action = ?", f.Action)
	}
	if f.Actor != "" {
		c.add("actor = ?", f.Actor)
	}
	if f.Subject != "" {
		c.add("subject = ?", f.Subject)
	}
	if !f.From.IsZero() {
		c.add("id >= ?", firstID(f.From))
		c.add("at >= ?", millis(f.From))
	}
	if !f.Until.IsZero() {
		c.add("at < ?", millis(f.Until))
	}
	return c
}

// EventPage returns a page of an organisation's audit trail, newest first.
func (s *Store) EventPage(ctx context.Context, of org.Tenant, f org.EventFilter, page org.Page) (org.List[org.Event], error) {
	rows, err := s.entries(ctx, entriesOf(of, f), page)
	if err != nil {
		return org.List[org.Event]{}, err
	}
	list := listOf(rows, page, func(e org.Event) uuid.UUID { return e.ID })
	c := entriesOf(of, f)
	counted := `SELECT count(*) FROM (SELECT 1 FROM event WHERE ` + c.text() + ` LIMIT ` + strconv.Itoa(org.Counted+1) + `) counted`
	if _, err := database.AllOnce(ctx, s.db, counted, c.args, func(row scanner) (int, error) { return 1, row.Scan(&list.Total) }); err != nil {
		return list, err
	}
	if list.Total > org.Counted {
		list.Total, list.Capped = org.Counted, true
	}
	return list, nil
}

// entries returns the entries of a page and one more.
func (s *Store) entries(ctx context.Context, c *condition, page org.Page) ([]org.Event, error) {
	c.add("id < ?", before(page))
	query := `SELECT ` + eventColumns + ` FROM event WHERE ` + c.text() + ` ORDER BY id DESC LIMIT ` +
		strconv.Itoa(page.Size+1) + ` OFFSET ` + strconv.Itoa(page.Skip())
	return database.AllOnce(ctx, s.db, query, c.args, func(row scanner) (org.Event, error) { return scanEvent(row) })
}

// WalkEvents calls see with the entries of an organisation's audit trail, newest
// first. It reads them in chunks, so that other calls are not held up.
func (s *Store) WalkEvents(ctx context.Context, of org.Tenant, f org.EventFilter, see func(org.Event) error) error {
	const chunk = 500
	page := org.Page{Size: chunk, Number: 1}
	for {
		rows, err := s.entries(ctx, entriesOf(of, f), page)
		if err != nil {
			return err
		}
		for _, e := range rows[:min(chunk, len(rows))] {
			if err := see(e); err != nil {
				return err
			}
		}
		if len(rows) <= chunk {
			return nil
		}
		page.After = rows[chunk-1].ID
	}
}
