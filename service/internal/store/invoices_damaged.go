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

// If a page of the database cannot be read, a list is built from the ids of the
// invoices, so that all readable invoices are shown.
const (
	walkChunk = 256     // invoices read at a time
	walkMost  = 100_000 // invoices checked for one list
)

// walkInvoices returns the invoices of a page that match a condition, and those
// that cannot be read. It returns one more than the page size, if there is one.
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

// invoicesAmong reads the given invoices that match a condition. If they cannot
// be read together, it reads them in halves. An invoice that cannot be read
// alone is returned as damaged.
func (s *Store) invoicesAmong(ctx context.Context, c *condition, ids []any) ([]ledger.Invoice, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	these := &condition{where: slices.Clone(c.where), args: slices.Clone(c.args)}
	these.among("i.id", ids)
	rows, err := database.AllOnce(ctx, s.db, `SELECT `+storedColumns+` FROM `+storedTables+` WHERE i.org_id = $1 AND `+these.text()+` ORDER BY i.id DESC`, these.args, scanInvoice)
	switch {
	case !database.IsUnreadable(err):
		if err == nil && len(c.where) == 1 { // all invoices are wanted
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

// withLost adds the invoices that were not found, as damaged.
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

// damagedInvoice returns the invoice shown in place of one that cannot be read.
// An invalid id becomes uuid.Nil.
func damagedInvoice(id any, what string) ledger.Invoice {
	var parsed uuid.UUID
	_ = parsed.Scan(id)
	return ledger.Invoice{ID: parsed, Damage: &ledger.Damage{Invoice: parsed, What: what}}
}

// invoicesAt reads the matches of a search one by one. A match that cannot be
// read is returned as damaged, without its id.
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
