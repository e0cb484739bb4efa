package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// receiptColumns are the columns of receiptTables that scanReceipt reads.
const receiptColumns = `
	r.id, r.kind, r.number, r.client_id, r.currency, r.amount, r.sar, r.means, r.received_on, r.note, r.created_by, r.created_at,
	v.number, v.reason, v.created_by, v.created_at`

// receiptTables contains each receipt with its reversal.
const receiptTables = `
	receipt r
	LEFT JOIN receipt v ON v.org_id = r.org_id AND v.reverses = r.id`

func scanReceipt(row scanner) (payment.Recorded, error) {
	var r payment.Recorded
	var client uuid.NullUUID
	var sar sql.NullInt64
	var u undoColumns
	err := row.Scan(append([]any{
		&r.ID, &r.Kind, &r.Number, &client, &r.Currency, hundredths{&r.Amount}, &sar, &r.Means, &r.Date, &r.Note, &r.By, instant{&r.At},
	}, u.into()...)...)
	r.Client, r.SAR, r.Undone = client.UUID, hundredthsOrNil(sar), u.undo()
	return r, err
}

// undoColumns are the columns of a reversal, which may be missing.
type undoColumns struct {
	number, reason, by sql.NullString
	at                 sql.NullInt64
}

func (u *undoColumns) into() []any { return []any{&u.number, &u.reason, &u.by, &u.at} }

func (u *undoColumns) undo() *payment.Undo {
	if !u.number.Valid {
		return nil
	}
	return &payment.Undo{Number: u.number.String, Reason: u.reason.String, By: u.by.String, At: timeOf(u.at.Int64)}
}

func hundredthsOrNil(n sql.NullInt64) *money.Decimal {
	if !n.Valid {
		return nil
	}
	amount := ofHundredths(n.Int64)
	return &amount
}

// receipt reads a receipt in the transaction.
func (p *payments) receipt(id uuid.UUID) (payment.Recorded, error) { return readReceipt(p.rd, id) }

// Receipt returns a receipt.
func (s *Store) Receipt(ctx context.Context, of org.Tenant, id uuid.UUID) (payment.Recorded, error) {
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return payment.Recorded{}, err
	}
	defer end()
	r, err := readReceipt(reader{ctx: ctx, db: s.db, of: of}, id)
	return r, database.Outage(err)
}

// readReceipt reads a receipt that is not a reversal.
func readReceipt(rd reader, id uuid.UUID) (payment.Recorded, error) {
	var found []payment.Recorded
	const query = `SELECT ` + receiptColumns + ` FROM ` + receiptTables + ` WHERE r.org_id = $1 AND r.id = $2 AND r.kind <> 'reversal'`
	err := rd.rows(query, []any{rd.of.ID(), id}, func(row scanner) error {
		r, err := scanReceipt(row)
		found = append(found, r)
		return err
	})
	if err != nil {
		return payment.Recorded{}, fmt.Errorf("read receipt %s: %w", id, err)
	}
	if len(found) == 0 {
		return payment.Recorded{}, fault.Missing("Receipt")
	}
	err = rd.allocations(found)
	return found[0], err
}

// allocations adds the allocations of receipts.
func (rd reader) allocations(receipts []payment.Recorded) error {
	at := map[uuid.UUID]*payment.Recorded{}
	var ids []uuid.UUID
	for n := range receipts {
		at[receipts[n].ID] = &receipts[n]
		ids = append(ids, receipts[n].ID)
	}
	return rd.among(ids, func(places string, args []any) error {
		query := `
			SELECT id, receipt_id, invoice_id, amount, reverses, cause
			FROM allocation
			WHERE org_id = $1 AND receipt_id IN (` + places + `)
			ORDER BY id`
		return rd.rows(query, args, func(row scanner) error {
			a, err := scanAllocation(row)
			if r := at[a.Receipt]; r != nil {
				r.Allocations = append(r.Allocations, a)
			}
			return err
		})
	})
}

func scanAllocation(row scanner) (payment.Allocation, error) {
	var a payment.Allocation
	var reverses uuid.NullUUID
	err := row.Scan(&a.ID, &a.Receipt, &a.Document, hundredths{&a.Amount}, &reverses, &a.Cause)
	a.Reverses = reverses.UUID
	return a, err
}

// Receipts returns a page of receipts, newest first. Reversals are part of the
// receipts that they take back.
func (s *Store) Receipts(ctx context.Context, of org.Tenant, f payment.Filter, page org.Page) (org.List[payment.Recorded], error) {
	c := &condition{args: []any{of.ID()}}
	c.add("r.kind <> ?", string(payment.Reversal))
	if f.Client != uuid.Nil {
		c.add("r.client_id = ?", f.Client)
	}
	if f.Invoice != uuid.Nil {
		c.add("r.id IN (SELECT a.receipt_id FROM allocation a WHERE a.org_id = r.org_id AND a.invoice_id = ?)", f.Invoice)
	}
	return s.receipts(ctx, of, c, page)
}

func (s *Store) receipts(ctx context.Context, of org.Tenant, c *condition, page org.Page) (org.List[payment.Recorded], error) {
	var list org.List[payment.Recorded]
	ctx, end, err := s.db.Begin(ctx)
	if err != nil {
		return list, err
	}
	defer end()
	rd := reader{ctx: ctx, db: s.db, of: of}
	n := len(c.args)
	count := `SELECT count(*) FROM (SELECT 1 FROM receipt r WHERE r.org_id = $1 AND ` + c.text() + ` LIMIT $` + strconv.Itoa(n+1) + `) counted`
	err = rd.rows(count, append(slices.Clone(c.args), org.Counted+1), func(row scanner) error { return row.Scan(&list.Total) })
	if err != nil {
		return list, database.Outage(err)
	}
	total := min(list.Total, org.Counted)
	capped := list.Total > total

	c.add("r.id < ?", before(page))
	n = len(c.args)
	query := `
		SELECT ` + receiptColumns + `
		FROM ` + receiptTables + `
		WHERE r.org_id = $1 AND ` + c.text() + `
		ORDER BY r.id DESC
		LIMIT $` + strconv.Itoa(n+1) + ` OFFSET $` + strconv.Itoa(n+2)
	var rows []payment.Recorded
	err = rd.rows(query, append(c.args, page.Size+1, page.Skip()), func(row scanner) error {
		r, err := scanReceipt(row)
		rows = append(rows, r)
		return err
	})
	if err == nil {
		err = rd.allocations(rows)
	}
	list = listOf(rows, page, func(r payment.Recorded) uuid.UUID { return r.ID })
	list.Total, list.Capped = total, capped
	return list, database.Outage(err)
}

// ClientCredit returns what a client has paid and no invoice uses, by currency.
// Sums of 0 are left out.
func (s *Store) ClientCredit(ctx context.Context, of org.Tenant, client uuid.UUID) (map[string]money.Decimal, error) {
	const query = `
		SELECT c.currency, CAST(sum(c.amount) AS BIGINT)
		FROM (
			SELECT r.currency, r.amount
			FROM receipt r
			WHERE r.org_id = $1 AND r.client_id = $2
			UNION ALL
			SELECT r.currency, -a.amount
			FROM receipt r
			JOIN allocation a ON a.org_id = r.org_id AND a.receipt_id = r.id
			WHERE r.org_id = $1 AND r.client_id = $2
		) c
		GROUP BY c.currency`
	type sum struct {
		currency string
		amount   money.Decimal
	}
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), client}, func(row scanner) (sum, error) {
		var one sum
		err := row.Scan(&one.currency, hundredths{&one.amount})
		return one, err
	})
	credit := map[string]money.Decimal{}
	for _, one := range rows {
		if !one.amount.IsZero() {
			credit[one.currency] = one.amount
		}
	}
	return credit, err
}
