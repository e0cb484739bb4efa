package store

import (
	"context"
	"database/sql"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

const invoiceColumns = `
	i.id, i.task_id, i.device_id, i.counter, i.hash, i.previous_hash, i.ref_num, i.type_code, i.transaction_code,
	i.issue_date, i.issue_time, i.issued_at, i.idempotency_key, i.created_at,
	i.status, i.code, i.submitted_at, i.answered_at, i.payment, coalesce(i.cleared_qr, d.qr), d.record, s.state`

const invoiceTables = `
	invoice i
	JOIN document d ON d.org_id = i.org_id AND d.invoice_id = i.id
	JOIN submission s ON s.org_id = i.org_id AND s.invoice_id = i.id`

func scanInvoice(row scanner) (ledger.Invoice, error) {
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
	i.IdempotencyKey, i.Status, i.Code, i.Held = key.String, ledger.Status(status.String), int(code.Int64), state == ledger.Held
	i.SubmittedAt, i.AnsweredAt = timeOrNil(submitted), timeOrNil(answered)
	i.Transaction, err = invoice.ParseTransaction(transaction)
	return i, err
}

func errNoInvoice() error { return fault.Missing("Invoice") }

// Invoice reads one invoice, with the link it can be seen by.
func (s *Store) Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error) {
	const query = `SELECT ` + invoiceColumns + ` FROM ` + invoiceTables + ` WHERE i.org_id = $1 AND i.id = $2`
	found, err := all(ctx, s, query, []any{of.ID(), id}, scanInvoice)
	if err == nil && len(found) == 0 {
		err = errNoInvoice()
	}
	if err != nil {
		return ledger.Invoice{}, err
	}
	err = s.sharesOf(ctx, of, found)
	return found[0], err
}

// sharesOf reads the links of invoices, those that are neither over nor
// revoked. Of several the one that lives longest counts.
func (s *Store) sharesOf(ctx context.Context, of org.Tenant, rows []ledger.Invoice) error {
	if len(rows) == 0 {
		return nil
	}
	at := make(map[uuid.UUID]*ledger.Invoice, len(rows))
	args := []any{of.ID(), millis(s.now())}
	for n := range rows {
		at[rows[n].ID] = &rows[n]
		args = append(args, rows[n].ID)
	}
	query := `
		SELECT invoice_id, digest, sealed, expires_at
		FROM share
		WHERE org_id = $1 AND revoked = 0 AND expires_at > $2 AND invoice_id IN (` + numbered(3, len(rows)) + `)
		ORDER BY expires_at`
	_, err := allOf(ctx, s, query, args, func(row scanner) (struct{}, error) {
		var id uuid.UUID
		var share ledger.Share
		err := row.Scan(&id, &share.Digest, &share.Sealed, instant{&share.Expires})
		if i := at[id]; i != nil {
			i.Share = share
		}
		return struct{}{}, err
	})
	return err
}

// SignedXML reads the bytes of an invoice as they were signed.
func (s *Store) SignedXML(ctx context.Context, of org.Tenant, id uuid.UUID) ([]byte, error) {
	var xml []byte
	err := s.one(ctx, errNoInvoice(), `SELECT xml FROM document WHERE org_id = $1 AND invoice_id = $2`, []any{of.ID(), id}, &xml)
	return xml, err
}
