package store_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store/storetest"
)

// waiting returns when a transaction of the store waits for a lock of this
// connection.
func waiting(t *testing.T, by *sql.Conn) {
	t.Helper()
	const blocked = `SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		var n int
		ok(t, by.QueryRowContext(t.Context(), blocked).Scan(&n))
		if n > 0 {
			return
		}
	}
	t.Fatal("no transaction waits for a lock")
}

// beside runs a statement in a transaction on another connection, and starts
// blocked, which must wait for a lock of that transaction. Then it runs next in the
// transaction and commits it.
func (s *fixture) beside(t *testing.T, statement string, args []any, blocked func() error, next string, nextArgs ...any) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := s.raw.Conn(ctx)
	ok(t, err)
	defer func() { _ = conn.Close() }()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := conn.ExecContext(ctx, query, args...); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	exec(`BEGIN`)
	exec(statement, args...)
	done := make(chan error, 1)
	go func() { done <- blocked() }()
	waiting(t, conn)
	exec(next, nextArgs...)
	exec(`COMMIT`)
	ok(t, <-done)
}

// An append that finds no book does not lock a device before the book. Otherwise it
// could deadlock with an append that locks both in the usual order.
func TestAppendLocksTheBookBeforeDevices(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	till := s.seller(s.by)
	s.beside(t, `INSERT INTO book (org_id, documents) VALUES ($1, 0)`, []any{s.by.Tenant.ID()},
		func() error { _, err := till.append(asIs); return err },
		`SELECT id FROM device WHERE org_id = $1 FOR NO KEY UPDATE NOWAIT`, s.by.Tenant.ID())
	s.tallied()
}

// A credit note locks its original before the counts, as recording an answer does.
func TestAppendLocksOriginalsBeforeCounts(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	till := s.till()
	original := till.sells("115.00")
	note := func(e *issue.Entry) {
		e.Invoice.Kind, e.Invoice.Transaction, e.Invoice.Payment = invoice.CreditNote, invoice.Transaction{Simplified: true}, ledger.Pending
		e.Invoice.Record.Buyer.ID = till.client
		e.Credits = []issue.Credit{{Original: original, Amount: decimalOf("1.15"), Rows: sampleRows}}
	}
	s.beside(t, `SELECT id FROM invoice WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`, []any{s.by.Tenant.ID(), original},
		func() error { _, err := till.append(note); return err },
		`SELECT n FROM tally WHERE org_id = $1 AND what = $2 FOR NO KEY UPDATE NOWAIT`, s.by.Tenant.ID(), "invoice "+string(ledger.Unanswered))
	s.tallied()
}
