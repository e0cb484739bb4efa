package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// If a page of the database cannot be read, a list is built from the ids of the
// invoices, so that all readable invoices are shown.
const (
	walkChunk = 256     // invoices read at a time
	walkMost  = 100_000 // invoices checked for one list
)

// walkSpots returns the spots of the invoices of a page that match a condition,
// and of those that cannot be read. It returns one more than the page size, if
// there is one.
func (s *Store) walkSpots(ctx context.Context, of org.Tenant, c *condition, page org.Page) (found []spot, err error) {
	wanted := page.Skip() + page.Size + 1
	var last any = before(page)
	for walked := 0; len(found) < wanted; walked += walkChunk {
		if walked >= walkMost {
			return nil, errUnlisted()
		}
		ids, err := s.idsBefore(ctx, of, last)
		if err != nil {
			return nil, err
		}
		some, err := s.spotsAmong(ctx, c, ids)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
		if len(ids) < walkChunk {
			break
		}
		last = ids[len(ids)-1]
	}
	return found[min(page.Skip(), len(found)):min(wanted, len(found))], nil
}

// idsBefore returns the next ids of invoices before last, as stored, newest
// first. It reads an index. If the index of invoices cannot be read, it uses
// the index of documents, which has the same ids.
func (s *Store) idsBefore(ctx context.Context, of org.Tenant, last any) (ids []any, err error) {
	const most = ` DESC LIMIT `
	for _, query := range []string{
		`SELECT i.id FROM invoice i WHERE i.org_id = $1 AND i.id < $2 ORDER BY i.id`,
		`SELECT d.invoice_id FROM document d WHERE d.org_id = $1 AND d.invoice_id < $2 ORDER BY d.invoice_id`,
	} {
		ids, err = database.AllOnce(ctx, s.db, query+most+strconv.Itoa(walkChunk), []any{of.ID(), last}, func(row scanner) (any, error) {
			var id string
			err := row.Scan(&id)
			return id, err
		})
		if !database.IsUnreadable(err) {
			break
		}
	}
	return ids, err
}

// spotsAmong returns the spots of the given invoices that match a condition. If
// they cannot be read together, it reads them in halves. An invoice that cannot
// be read alone is returned with its damage.
func (s *Store) spotsAmong(ctx context.Context, c *condition, ids []any) ([]spot, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if len(c.where) == 1 { // all invoices are wanted, also those without a row
		found := make([]spot, len(ids))
		for n := range ids {
			found[n] = spot{id: textOf(ids[n]), size: partBytes}
		}
		return found, nil
	}
	these := &condition{where: slices.Clone(c.where), args: slices.Clone(c.args)}
	these.among("i.id", ids)
	found, err := database.AllOnce(ctx, s.db, `SELECT i.id, `+unknownSize+` FROM invoice i WHERE i.org_id = $1 AND `+these.text()+` ORDER BY i.id DESC`, these.args, scanSpot)
	switch {
	case !database.IsUnreadable(err):
		return found, err
	case len(ids) == 1:
		return []spot{{id: textOf(ids[0]), damage: err.Error()}}, nil
	}
	newer, err := s.spotsAmong(ctx, c, ids[:len(ids)/2])
	if err != nil {
		return nil, err
	}
	older, err := s.spotsAmong(ctx, c, ids[len(ids)/2:])
	return append(newer, older...), err
}

func textOf(id any) string {
	text, _ := id.(string) // idsBefore returns no other type
	return text
}

// unlisted turns the error of a database that cannot read its pages into the
// error for the caller of a list. It returns other errors unchanged.
func unlisted(err error) error {
	if !database.IsUnreadable(err) {
		return err
	}
	e := errUnlisted()
	e.Cause = err
	return e
}

func errUnlisted() *fault.Error {
	e := fault.New(fault.InvoiceDamaged, "This list is not available because some stored invoices are damaged. The operator must restore them from a backup; khatm audit --scrub names the damaged invoices.")
	e.Again = 10 * time.Minute
	return e
}
