package database

import (
	"context"
	"database/sql"
	"errors"
)

// writer is SQLite's one writing connection, with the statements it has run
// before: to read their text again and again would cost more than to run them.
// It belongs to the goroutine that commits.
type writer struct {
	db   *sql.DB
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

// keptStatements bounds the statements. Texts that differ by how many values
// they have are among them.
const keptStatements = 512

// begin begins a transaction. Statements that are kept run within it: they
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

// statement is a statement that is kept, or nil: what cannot be prepared is run
// as it is, and says itself what is wrong with it.
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
