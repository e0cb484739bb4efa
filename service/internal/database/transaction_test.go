package database_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/store/pgtest"
)

// onPostgres opens an empty database of PostgreSQL with a table of numbers, in which
// a number may not be another one's double at the end of a transaction.
func onPostgres(t *testing.T) (db *database.DB, url string) {
	t.Helper()
	url = pgtest.URL(t)
	db, err := database.Open(t.Context(), database.Config{URL: url, Now: time.Now, Log: slog.New(slog.DiscardHandler)}, database.Command)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	const table = `CREATE TABLE number (n INT PRIMARY KEY, twice INT UNIQUE DEFERRABLE INITIALLY DEFERRED)`
	if _, err := db.ExecContext(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	return db, url
}

// TestBatchIsSentWithCommit checks that an open batch is committed with its
// transaction, and that nothing is if one of its statements does not do what it
// must, although PostgreSQL receives the COMMIT with it.
func TestBatchIsSentWithCommit(t *testing.T) {
	t.Parallel()
	db, _ := onPostgres(t)
	missing := errors.New("the row is missing")
	const insert, double = `INSERT INTO number (n) VALUES ($1)`, `UPDATE number SET twice = 2 * n WHERE n BETWEEN $1 AND $2`
	type step = func(t *database.Tx) error
	add := func(n int) step { return func(t *database.Tx) error { return t.Exec(insert, n) } }
	change := func(from, to int) step {
		return func(t *database.Tx) error { return t.ExecOne(missing, double, from, to) }
	}
	for _, test := range []struct {
		name  string
		steps []step
		fails error // nil if it is committed, or errAny
	}{
		{"rows", []step{add(1), add(2)}, nil},
		{"a changed row", []step{add(1), change(1, 1)}, nil},
		{"a batch that was sent", []step{add(1), (*database.Tx).SendBatch, add(2)}, nil},
		{"no row to change", []step{add(1), change(7, 7), add(2)}, missing},
		{"two rows to change", []step{add(1), add(2), change(1, 2)}, missing},
		{"no row to change in the first batch", []step{add(1), change(7, 7), (*database.Tx).SendBatch}, missing},
		{"a duplicate", []step{add(1), add(1)}, errAny},
		{"a constraint that is checked at the end", []step{add(1), add(2), change(1, 1), func(t *database.Tx) error {
			return t.Exec(`UPDATE number SET twice = 2 WHERE n = 2`)
		}}, errAny},
		{"an ignored error", []step{(*database.Tx).SendBatch, func(t *database.Tx) error {
			_ = t.Exec(`INSERT INTO number (n) VALUES (NULL)`)
			return nil
		}}, errAny},
		{"an error of the function", []step{add(1), func(*database.Tx) error { return missing }}, missing},
	} {
		if _, err := db.ExecContext(t.Context(), `TRUNCATE number`); err != nil {
			t.Fatal(err)
		}
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			tx.BeginBatch()
			for _, do := range test.steps {
				if err := do(tx); err != nil {
					return err
				}
			}
			return nil
		})
		var rows int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM number`).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		switch {
		case test.fails == nil && (err != nil || rows == 0):
			t.Errorf("%s: %d rows are committed, error %v", test.name, rows, err)
		case test.fails != nil && (err == nil || rows != 0):
			t.Errorf("%s: %d rows are committed, error %v, want none and an error", test.name, rows, err)
		case test.fails != nil && test.fails != errAny && !errors.Is(err, test.fails):
			t.Errorf("%s: error %v, want %v", test.name, err, test.fails)
		case database.OutcomeUnknown(err) && !errors.Is(err, pgx.ErrTxCommitRollback):
			t.Errorf("%s: the outcome is unknown: %v", test.name, err)
		}
	}
}

// errAny stands for any error.
var errAny = errors.New("any error")

// TestConnectionEndsBeforeBegin checks that no statement runs outside a transaction
// if BEGIN fails, and that the error is that of the connection.
func TestConnectionEndsBeforeBegin(t *testing.T) {
	t.Parallel()
	db, url := onPostgres(t)
	other, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(context.WithoutCancel(t.Context())) }()
	const end = `SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
	one := database.Query{Text: `INSERT INTO number (n) VALUES (1)`}
	for name, do := range map[string]func(*database.Tx) error{
		"Exec":     func(tx *database.Tx) error { return tx.Exec(one.Text) },
		"QueryRow": func(tx *database.Tx) error { n := 0; return tx.QueryRow(one.Text + ` RETURNING n`).Scan(&n) },
		"Query": func(tx *database.Tx) error {
			rows, err := tx.Query(one.Text + ` RETURNING n`)
			if err == nil {
				err = rows.Close()
			}
			return err
		},
		"ReadAll": func(tx *database.Tx) error { return tx.ReadAll([]database.Query{one}) },
		"ignored": func(tx *database.Tx) error { _ = tx.Exec(one.Text); return nil },
	} {
		if err := db.Write(t.Context(), func(tx *database.Tx) error { return tx.Exec(`TRUNCATE number`) }); err != nil {
			t.Fatal(err)
		}
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			if _, err := other.Exec(t.Context(), end); err != nil {
				return err
			}
			return do(tx)
		})
		if fault.KindOf(err) != fault.Unavailable || errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that the database is unavailable", name, err)
		}
		var rows int
		if err := other.QueryRow(t.Context(), `SELECT count(*) FROM number`).Scan(&rows); err != nil || rows != 0 {
			t.Errorf("%s: %d rows were written outside a transaction, error %v", name, rows, err)
		}
	}
}
