package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// A list of invoices is read in two steps: first the ids of a page and the sizes
// of its invoices, then the invoices in parts. So the memory of a list and the
// time for which it holds a connection do not depend on the sizes of invoices.
const (
	partBytes = 512 << 10 // of records; a larger record is a part by itself
	partRows  = 128
	largeRow  = 32 << 10 // average size from which rows are read with AllLarge
)

// spot is an invoice of a page that is not read yet.
type spot struct {
	id     string // as stored; empty if it cannot be read
	size   int64  // of the record, in bytes
	damage string // why the invoice cannot be read; empty otherwise
}

func (p spot) uuid() uuid.UUID {
	id, _ := uuid.Parse(p.id) // an invalid id becomes uuid.Nil
	return id
}

const recordSize = `(SELECT octet_length(d.record) FROM document d WHERE d.org_id = $1 AND d.invoice_id = p.id)`

// unknownSize is selected in place of recordSize if the table of documents may be
// unreadable. Each invoice is then a part by itself.
var unknownSize = strconv.Itoa(partBytes)

func scanSpot(row scanner) (spot, error) {
	var id sql.NullString
	var size sql.NullInt64
	err := row.Scan(&id, &size)
	return spot{id: id.String, size: size.Int64}, err
}

// spots returns the spots of the invoices of a page that match a condition,
// newest first, and of one more if there is one. constant is whether the text of
// the condition is always the same.
func (s *Store) spots(ctx context.Context, of org.Tenant, c *condition, page org.Page, constant bool) ([]spot, error) {
	paged := &condition{where: slices.Clone(c.where), args: slices.Clone(c.args)}
	paged.add("i.id < ?", before(page))
	n := len(paged.args)
	// The inner query skips rows without looking up their documents.
	query := `
		SELECT p.id, ` + recordSize + `
		FROM (SELECT i.id FROM invoice i WHERE ` + paged.text() + ` ORDER BY i.id DESC LIMIT $` + strconv.Itoa(n+1) + ` OFFSET $` + strconv.Itoa(n+2) + `) p
		ORDER BY p.id DESC`
	read := database.AllOnce[spot]
	if constant {
		read = database.All[spot]
	}
	found, err := read(ctx, s.db, query, append(paged.args, page.Size+1, page.Skip()), scanSpot)
	if database.IsUnreadable(err) {
		return s.walkSpots(ctx, of, c, page)
	}
	return found, err
}

// spotsAt returns the spots of the invoices at the given places, newest first. A
// place that cannot be read is returned as damaged, without an id.
func (s *Store) spotsAt(ctx context.Context, of org.Tenant, places []any) (found []spot, err error) {
	if len(places) == 0 {
		return nil, nil
	}
	found, err = database.AllOnce(ctx, s.db, s.spotsQuery(len(places)), append([]any{of.ID()}, places...), scanSpot)
	if !database.IsUnreadable(err) {
		return found, err
	}
	found = nil
	for _, place := range places {
		one, err := database.AllOnce(ctx, s.db, `SELECT p.id, `+unknownSize+` FROM invoice p WHERE p.org_id = $1 AND p.place = $2`, []any{of.ID(), place}, scanSpot)
		if database.IsUnreadable(err) {
			one, err = []spot{{damage: err.Error()}}, nil
		}
		if err != nil {
			return nil, err
		}
		found = append(found, one...)
	}
	return found, nil
}

// spotsQuery returns the query for a number of places. SQLite must not use an index
// on the organisation: it would prefer that one and read all rows.
func (s *Store) spotsQuery(places int) string {
	return `
		SELECT p.id, ` + recordSize + `
		FROM invoice p
		WHERE ` + s.dialect.NoIndex + `p.org_id = $1 AND p.place IN (` + numbered(2, places) + `)
		ORDER BY p.place DESC`
}

// invoiceLister reads the invoices of one list.
type invoiceLister struct {
	s      *Store
	of     org.Tenant
	filter ledger.Filter
	shares map[uuid.UUID]ledger.Share
}

// listing returns a page for spots that were read with one more than the page
// size. If the last invoice is so damaged that it has no id, the next page begins
// after the one before it.
func (l invoiceLister) listing(ctx context.Context, spots []spot, page org.Page, total int, capped bool) (org.Listing[ledger.Listed], error) {
	list := org.Listing[ledger.Listed]{List: org.List[ledger.Listed]{Total: total, Capped: capped}}
	if len(spots) > page.Size {
		spots = spots[:page.Size]
		for n := len(spots) - 1; n >= 0 && list.Next == uuid.Nil; n-- {
			list.Next = spots[n].uuid()
		}
	}
	ids := make([]uuid.UUID, len(spots))
	for n := range spots {
		ids[n] = spots[n].uuid()
	}
	var err error
	if l.shares, err = l.s.sharesOf(ctx, l.of, ids); err != nil {
		return list, err
	}
	for len(spots) > 0 {
		n, size := 1, spots[0].size
		for ; n < len(spots) && n < partRows && size+spots[n].size <= partBytes; n++ {
			size += spots[n].size
		}
		part := spots[:n]
		list.Parts = append(list.Parts, org.Part[ledger.Listed]{Size: size, Read: func(ctx context.Context, do func(ledger.Listed) error) error {
			return l.read(ctx, part, do)
		}})
		spots = spots[n:]
	}
	return list, nil
}

// read reads the invoices of a part and calls do for each. The rows are read
// before the first is decoded, so that no connection is held meanwhile.
func (l invoiceLister) read(ctx context.Context, part []spot, do func(ledger.Listed) error) error {
	rows, err := l.s.storedAmong(ctx, l.of, part)
	if err != nil {
		return unlisted(err)
	}
	for n, p := range part {
		i, err := rows[n].listed(p)
		rows[n] = nil // the next rows may be large too
		if err != nil {
			return err
		}
		switch d := i.Damage; {
		case d != nil:
			d.Number = l.s.provenNumber(ctx, l.of, d.Invoice)
			i.Number = d.Number
			l.s.note(l.of, d)
		case l.filter.Excludes(i.Invoice):
			continue // it has changed since the page was found
		default:
			i.Share = l.shares[i.ID]
		}
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// storedRow is a row of storedColumns, or its damage.
type storedRow struct {
	stored
	unread *ledger.Damage
}

func (r *storedRow) invoiceID() uuid.UUID {
	if r.unread != nil {
		return r.unread.Invoice
	}
	return r.id
}

// listed checks the row of a spot and returns its invoice, which may be damaged.
func (r *storedRow) listed(p spot) (ledger.Listed, error) {
	switch {
	case p.damage != "":
		return damagedInvoice(p.id, p.damage), nil
	case r == nil:
		return damagedInvoice(p.id, "the invoice row is missing"), nil
	case r.unread != nil:
		return damagedInvoice(p.id, r.unread.What), nil
	}
	if what := r.damage(); what != "" {
		return damagedInvoice(p.id, what), nil
	}
	i, err := r.head()
	if err != nil {
		return ledger.Listed{}, err
	}
	l := ledger.Listed{Invoice: i}
	if l.Record, l.Lines, err = ledger.ParseRecord(r.record.String); err != nil {
		return l, fmt.Errorf("read the record of invoice %s: %w", r.id, err)
	}
	return l, nil
}

// damagedInvoice returns the invoice shown in place of one that cannot be read.
// An invalid id becomes uuid.Nil.
func damagedInvoice(id, what string) ledger.Listed {
	parsed, _ := uuid.Parse(id)
	return ledger.Listed{Invoice: ledger.Invoice{ID: parsed, Damage: &ledger.Damage{Invoice: parsed, What: what}}}
}

// storedAmong reads the rows of spots, in the same order. The row of a spot that
// was not found is nil. If the rows cannot be read together, it reads them in
// halves.
func (s *Store) storedAmong(ctx context.Context, of org.Tenant, part []spot) ([]*storedRow, error) {
	args := []any{of.ID()}
	at := make(map[string]int, len(part))
	size := 0
	for n, p := range part {
		if p.damage == "" {
			at[p.id] = n
			args = append(args, p.id)
			size += int(p.size)
		}
	}
	rows := make([]*storedRow, len(part))
	if len(args) == 1 {
		return rows, nil
	}
	read := database.All[struct{}]
	if size/len(part) >= largeRow {
		read = database.AllLarge[struct{}]
	}
	args = padded(args, 1)
	query := `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id IN (` + numbered(2, len(args)-1) + `)`
	_, err := read(ctx, s.db, query, args, func(row scanner) (struct{}, error) {
		r := &storedRow{}
		var err error
		r.unread, err = scanConverted(row, &r.stored)
		if n, known := at[r.invoiceID().String()]; known {
			rows[n] = r
		}
		return struct{}{}, err
	})
	switch {
	case !database.IsUnreadable(err):
		return rows, err
	case len(part) == 1:
		part[0].damage = err.Error()
		return rows[:1], nil
	}
	newer, err := s.storedAmong(ctx, of, part[:len(part)/2])
	if err != nil {
		return nil, err
	}
	older, err := s.storedAmong(ctx, of, part[len(part)/2:])
	return append(newer, older...), err
}

// padded repeats the last value until the number of values after the first ones
// is a power of two, so that there are few texts of a query with a list.
func padded(args []any, first int) []any {
	for n := len(args) - first; n&(n-1) != 0; n++ {
		args = append(args, args[len(args)-1])
	}
	return args
}
