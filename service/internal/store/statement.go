package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// Conditions of indexes. A query must repeat them to use the index.
const (
	validDocument = `(status IN ('CLEARED', 'REPORTED') OR transaction_code = '0200000' AND coalesce(status, '') NOT IN ('NOT_CLEARED', 'NOT_REPORTED'))`
	owedDocument  = `buyer_id IS NOT NULL AND type_code <> 381 AND payment <> 'Paid' AND ` + validDocument
)

// hundredthsOf is the payable amount of an invoice in hundredths.
const hundredthsOf = `CAST(replace(payable, '.', '') AS BIGINT)`

// clientEvents selects everything that changes what client $2 owes: valid
// documents, money received and money paid back. A note counts with what it takes
// off documents that count themselves. What the client keeps as credit has no
// means of payment.
const clientEvents = `
	SELECT
		CASE type_code WHEN 383 THEN 'debit_note' WHEN 386 THEN 'advance_payment' ELSE 'invoice' END AS entry,
		id, ref_num AS number, currency, issue_date AS day, created_at AS place, due_date AS due, ` + hundredthsOf + ` AS amount
	FROM invoice
	WHERE org_id = $1 AND buyer_id = $2 AND type_code <> 381 AND ` + validDocument + `
	UNION ALL
	SELECT 'credit_note', n.id, n.ref_num, n.currency, n.issue_date, n.created_at, NULL, ` + creditedByNote + `
	FROM (SELECT org_id, id, ref_num, currency, issue_date, created_at FROM invoice WHERE org_id = $1 AND buyer_id = $2 AND type_code = 381 AND ` + validDocument + `) n
	UNION ALL
	SELECT CASE kind WHEN 'reversal' THEN 'payment_reversal' ELSE 'payment' END, coalesce(reverses, id), number, currency, received_on, created_at, NULL, abs(amount)
	FROM receipt
	WHERE org_id = $1 AND client_id = $2 AND means <> ''
	UNION ALL
	SELECT CASE WHEN f.amount < 0 THEN 'refund_reversal' ELSE 'refund' END, coalesce(f.reverses, f.id), f.number, f.currency, f.paid_on, f.created_at, NULL, abs(f.amount)
	FROM (
		SELECT org_id, id FROM invoice WHERE org_id = $1 AND buyer_id = $2 AND type_code = 381 AND ` + validDocument + `
		UNION ALL
		SELECT org_id, id FROM invoice WHERE org_id = $1 AND buyer_id = $2 AND type_code = 381 AND status IN ('NOT_CLEARED', 'NOT_REPORTED')
	) n
	JOIN refund f ON f.org_id = n.org_id AND f.note_id = n.id
	WHERE f.means <> ''`

const creditedByNote = `(
		SELECT CAST(coalesce(sum(CAST(replace(c.amount, '.', '') AS BIGINT)), 0) AS BIGINT)
		FROM credit c
		JOIN invoice o ON o.org_id = c.org_id AND o.id = c.original_id
		WHERE c.org_id = n.org_id AND c.note_id = n.id AND c.released = 0
			AND (o.status IN ('CLEARED', 'REPORTED') OR o.transaction_code = '0200000' AND coalesce(o.status, '') NOT IN ('NOT_CLEARED', 'NOT_REPORTED')))`

// The events of a period in their order, and the sums of those before it.
const (
	statementLines = `
		SELECT entry, id, number, currency, day, place, due, amount
		FROM (` + clientEvents + `) e
		WHERE day >= $3 AND day <= $4 AND ($5 = '' OR currency = $5) AND amount <> 0
		ORDER BY day, place, number
		LIMIT $6`
	statementOpening = `
		SELECT entry, currency, CAST(sum(amount) AS BIGINT)
		FROM (` + clientEvents + `) e
		WHERE day < $3 AND ($4 = '' OR currency = $4)
		GROUP BY entry, currency`
)

// Statements returns the account of a client, one statement for each currency.
func (s *Store) Statements(ctx context.Context, of org.Tenant, client uuid.UUID, p payment.Period) ([]payment.Statement, error) {
	to := p.To
	if to == "" {
		to = "9999-12-31"
	}
	events, err := database.All(ctx, s.db, statementLines, []any{of.ID(), client, p.From, to, p.Currency, payment.MaxLines + 1}, scanEntry)
	if err != nil {
		return nil, fmt.Errorf("read the account of client %s: %w", client, err)
	}
	if len(events) > payment.MaxLines {
		return nil, fault.New(fault.ExportTooLarge, "The statement would have more than %d lines. Choose a shorter period.", payment.MaxLines).
			Arabic("سيزيد عدد القيود في الكشف على %d.", payment.MaxLines)
	}
	if p.From != "" {
		before, err := database.All(ctx, s.db, statementOpening, []any{of.ID(), client, p.From, p.Currency}, func(row scanner) (payment.Event, error) {
			var e payment.Event
			return e, row.Scan(&e.Entry, &e.Currency, hundredths{&e.Amount})
		})
		if err != nil {
			return nil, fmt.Errorf("read the opening balance of client %s: %w", client, err)
		}
		events = append(before, events...)
	}
	return payment.Statements(events, p.From, p.To), nil
}

func scanEntry(row scanner) (payment.Event, error) {
	var e payment.Event
	var due sql.NullString
	err := row.Scan(&e.Entry, &e.ID, &e.Number, &e.Currency, &e.Date, &e.Place, &due, hundredths{&e.Amount})
	e.Due = due.String
	return e, err
}
