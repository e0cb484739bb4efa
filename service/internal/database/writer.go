package database

import (
	"context"
	"database/sql"
	"errors"
)

// writer is the only writing connection to SQLite, with its prepared
// statements: parsing their texts again would take longer than running them.
// Only the committing goroutine uses it.
type writer struct {
	db   *sql.DB
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

// keptStatements limits the number of prepared statements, because some texts
// depend on the number of values.
const keptStatements = 512

// begin begins a transaction. Prepared statements run in it, because they
// belong to the same connection.
func (w *writer) begin(ctx context.Context) (*sql.Tx, error) {
	if w.conn == nil {
		conn, err := w.db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := conn.ExecContext(ctx, ownCheckpoints); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		w.conn, w.kept = conn, map[string]*sql.Stmt{}
	}
	return w.conn.BeginTx(ctx, nil)
}

// statement returns a prepared statement, or nil if the text cannot be prepared
// or the limit is reached. The caller then runs the text directly and gets the
// error.
func (w *writer) statement(ctx context.Context, query string) *sql.Stmt {
	if w == nil {
		return nil
	}
	if kept := w.kept[query]; kept != nil || len(w.kept) >= keptStatements {
		return kept
	}
	made, err := w.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	w.kept[query] = made
	return made
}

func (w *writer) close() {
	for _, statement := range w.kept {
		_ = statement.Close()
	}
	if w.conn != nil {
		_ = w.conn.Close()
	}
}
