package store

import (
	"context"
	"database/sql"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// The following functions read invoices without checking digests, to measure
// the cost of the checks.

const unverifiedColumns = `
	i.id, i.task_id, i.device_id, i.counter, i.hash, i.previous_hash, i.ref_num, i.type_code, i.transaction_code,
	i.issue_date, i.issue_time, i.issued_at, i.idempotency_key, i.created_at,
	i.status, i.code, i.submitted_at, i.answered_at, i.payment, coalesce(i.cleared_qr, d.qr), d.record, s.state`

const unverifiedTables = `
	invoice i
	JOIN document d ON d.org_id = i.org_id AND d.invoice_id = i.id
	JOIN submission s ON s.org_id = i.org_id AND s.invoice_id = i.id`

func scanUnverified(row scanner) (ledger.Invoice, error) {
	var i ledger.Invoice
	var transaction string
	var key, status sql.NullString
	var code, submitted, answered sql.NullInt64
	var state ledger.SubmissionState
	err := row.Scan(&i.ID, &i.Task, &i.Device, &i.Counter, &i.Hash, &i.PreviousHash, &i.Number, &i.Kind, &transaction,
		&i.IssueDate, &i.IssueTime, instant{&i.IssuedAt}, &key, instant{&i.CreatedAt},
		&status, &code, &submitted, &answered, &i.Payment, &i.QR, document{&i.Record}, &state)
	if err != nil {
		return i, err
	}
	i.Transaction, err = invoice.ParseTransaction(transaction)
	return i, err
}

// UnverifiedList reads a page of invoices.
func UnverifiedList(ctx context.Context, s *Store, of org.Tenant, n int) ([]ledger.Invoice, error) {
	const query = `SELECT ` + unverifiedColumns + ` FROM ` + unverifiedTables + ` WHERE i.org_id = $1 AND i.id < $2 ORDER BY i.id DESC LIMIT $3 OFFSET 0`
	rows, err := database.AllOnce(ctx, s.db, query, []any{of.ID(), uuid.Max, n + 1}, scanUnverified)
	if err != nil {
		return nil, err
	}
	total := 0
	if err := s.db.One(ctx, nil, `SELECT n FROM tally WHERE org_id = $1 AND what = $2`, []any{of.ID(), string(invoices)}, &total); err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for _, row := range rows[:min(n, len(rows))] {
		ids = append(ids, row.ID)
	}
	_, err = s.sharesOf(ctx, of, ids)
	return rows, err
}

// UnverifiedGet reads an invoice, its verdict and its document.
func UnverifiedGet(ctx context.Context, s *Store, of org.Tenant, id uuid.UUID) error {
	const one = `SELECT ` + unverifiedColumns + ` FROM ` + unverifiedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	found, err := database.All(ctx, s.db, one, []any{of.ID(), id}, scanUnverified)
	if err != nil {
		return err
	}
	if _, err := s.sharesOf(ctx, of, []uuid.UUID{found[0].ID}); err != nil {
		return err
	}
	var a ledger.Answer
	const verdict = `SELECT attempt, route, status, code, result, infos, warnings, errors, stamped, suspect, flag, answered_at FROM verdict WHERE org_id = $1 AND invoice_id = $2`
	return s.db.One(ctx, errNoInvoice(), verdict, []any{of.ID(), id},
		&a.Attempt, &a.Route, &a.Status, &a.Code, &a.Result, document{&a.Infos}, document{&a.Warnings}, document{&a.Errors},
		&a.Stamped, &a.Suspect, &a.Flag, instant{&a.At})
}
