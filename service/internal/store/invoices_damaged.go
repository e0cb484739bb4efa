package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// A list that meets a page which cannot be read is gathered along the ids of the
// invoices, so that it shows all others.
const (
	walkChunk = 256     // invoices that are read at a time
	walkMost  = 100_000 // invoices that are looked at for one list
)

// walkInvoices lists the invoices of a page that fulfil a condition, as far as
// they can be read, and those that cannot be read. It returns one more than the
// page holds, if there is one.
func (s *Store) walkInvoices(ctx context.Context, of org.Tenant, c *condition, page org.Page) (rows []ledger.Invoice, err error) {
	wanted := page.Skip() + page.Size + 1
	var last any = before(page)
	for walked := 0; len(rows) < wanted; walked += walkChunk {
		if walked >= walkMost {
			return nil, errUnlisted()
		}
		ids, err := s.idsBefore(ctx, of, last)
		if err != nil {
			return nil, err
		}
		some, err := s.invoicesAmong(ctx, c, ids)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
		if len(ids) < walkChunk {
			break
		}
		last = ids[len(ids)-1]
	}
	return rows[min(page.Skip(), len(rows)):min(wanted, len(rows))], nil
}

// idsBefore lists the ids of invoices, as the database has them, along an index.
// Where that cannot be read, documents have the same ids.
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

// invoicesAmong reads those of some invoices that fulfil a condition, in halves
// where they cannot be read together. One that cannot be read is damaged.
func (s *Store) invoicesAmong(ctx context.Context, c *condition, ids []any) ([]ledger.Invoice, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	these := &condition{where: slices.Clone(c.where), args: slices.Clone(c.args)}
	these.among("i.id", ids)
	rows, err := database.AllOnce(ctx, s.db, `SELECT `+storedColumns+` FROM `+storedTables+` WHERE i.org_id = $1 AND `+these.text()+` ORDER BY i.id DESC`, these.args, scanInvoice)
	switch {
	case !database.IsUnreadable(err):
		if err == nil && len(c.where) == 1 { // all of them are wanted
			rows = withLost(rows, ids)
		}
		return rows, err
	case len(ids) == 1:
		return []ledger.Invoice{damagedInvoice(ids[0], err.Error())}, nil
	}
	newer, err := s.invoicesAmong(ctx, c, ids[:len(ids)/2])
	if err != nil {
		return nil, err
	}
	older, err := s.invoicesAmong(ctx, c, ids[len(ids)/2:])
	return append(newer, older...), err
}

// withLost adds, as damaged, those of some invoices that were not found.
func withLost(found []ledger.Invoice, ids []any) (rows []ledger.Invoice) {
	if len(found) == len(ids) {
		return found
	}
	at := map[any]ledger.Invoice{}
	for _, i := range found {
		at[i.ID.String()] = i
	}
	for _, id := range ids {
		i, known := at[id]
		if !known {
			i = damagedInvoice(id, "the invoice row is missing")
		}
		rows = append(rows, i)
	}
	return rows
}

// damagedInvoice is shown for an invoice that cannot be read. An id that is no
// id any more is shown as the zero id.
func damagedInvoice(id any, what string) ledger.Invoice {
	var parsed uuid.UUID
	_ = parsed.Scan(id)
	return ledger.Invoice{ID: parsed, Damage: &ledger.Damage{Invoice: parsed, What: what}}
}

// invoicesAt reads the invoices of a search one by one. The id of one that cannot
// be read is not known.
func (s *Store) invoicesAt(ctx context.Context, of org.Tenant, places []any) (rows []ledger.Invoice, err error) {
	for _, place := range places {
		one, err := database.AllOnce(ctx, s.db, `SELECT `+storedColumns+` FROM `+storedTables+` WHERE i.org_id = $1 AND i.place = $2`, []any{of.ID(), place}, scanInvoice)
		if database.IsUnreadable(err) {
			one, err = []ledger.Invoice{damagedInvoice("", err.Error())}, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, one...)
	}
	return rows, nil
}

// unlisted turns the error of a database that cannot read its own pages into one
// for the caller of a list.
func unlisted(err error) error {
	if !database.IsUnreadable(err) {
		return err
	}
	e := errUnlisted()
	e.Cause = err
	return e
}

func errUnlisted() *fault.Error {
	e := fault.New(fault.Unavailable, "Some stored invoices are damaged, so that this list cannot be made. The operator must restore them from a backup; khatm audit --scrub names the damaged invoices.")
	e.Again = 10 * time.Minute
	return e
}
