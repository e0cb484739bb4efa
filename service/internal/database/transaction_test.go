package database_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/store/pgtest"
)

// onPostgres opens an empty database of PostgreSQL with a table of numbers, in which
// a number may not be another one's double at the end of a transaction.
func onPostgres(t *testing.T) (db *database.DB, address string) {
	t.Helper()
	address = pgtest.URL(t)
	db = open(t, address)
	const table = `CREATE TABLE number (n INT PRIMARY KEY, twice INT UNIQUE DEFERRABLE INITIALLY DEFERRED)`
	if _, err := db.ExecContext(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	return db, address
}

func open(t *testing.T, address string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), database.Config{URL: address, Now: time.Now, Log: slog.New(slog.DiscardHandler)}, database.Command)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
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
		{"a value of another type", []step{add(1), func(t *database.Tx) error { return t.Exec(insert, "one") }}, errAny},
		{"a table that does not exist", []step{add(1), func(t *database.Tx) error { return t.Exec(`INSERT INTO letter (n) VALUES (1)`) }}, errAny},
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
		case test.fails != nil && !errors.Is(test.fails, errAny) && !errors.Is(err, test.fails):
			t.Errorf("%s: error %v, want %v", test.name, err, test.fails)
		case database.OutcomeUnknown(err):
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
	db, address := onPostgres(t)
	other, err := pgx.Connect(t.Context(), address)
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
		"batch":   func(tx *database.Tx) error { tx.BeginBatch(); return tx.Exec(one.Text) },
		"ignored": func(tx *database.Tx) error { _ = tx.Exec(one.Text); return nil },
		"ignored, then a batch": func(tx *database.Tx) error {
			_ = tx.ReadAll([]database.Query{one})
			tx.BeginBatch()
			return tx.Exec(one.Text)
		},
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

// TestFirstStatementsFail checks that nothing runs outside a transaction if the
// statements that are sent with BEGIN cannot be prepared and the error is ignored.
func TestFirstStatementsFail(t *testing.T) {
	t.Parallel()
	_, address := onPostgres(t)
	for _, mode := range []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"} {
		db := open(t, address+"&default_query_exec_mode="+mode)
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			_ = tx.ReadAll([]database.Query{{Text: `SELECT 1 FROM letter`}})
			_ = tx.Exec(`INSERT INTO number (n) VALUES (1)`)
			return nil
		})
		var rows int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM number`).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		if err == nil || database.OutcomeUnknown(err) || rows != 0 {
			t.Errorf("%s: %d rows are written, error %v, want none and a known outcome", mode, rows, err)
		}
	}
}

// TestOutcomeOfCommit checks what is reported if the answer to COMMIT does not arrive,
// or arrives with an error behind it. The transaction is committed each time.
func TestOutcomeOfCommit(t *testing.T) {
	t.Parallel()
	direct, address := onPostgres(t)
	answer := []byte("C\x00\x00\x00\x0bCOMMIT\x00")
	for n, c := range []struct {
		name    string
		instead []byte // sent to the client instead of the answer
		ends    bool   // the connection ends then
		unknown bool
	}{
		{"connection lost", nil, true, true},
		{"connection lost behind the answer", answer, true, false},
		{"error of a pooler", message("SFATAL", "C08P01", "Mserver conn crashed?"), true, true},
		{"server is stopped", message("SFATAL", "VFATAL", "C57P01", "Mterminating connection"), true, true},
		{"cancelled behind the answer", slices.Concat(answer, message("SERROR", "VERROR", "C57014", "Mcanceling statement")), false, false},
	} {
		db := open(t, through(t, address, answer, c.instead, c.ends))
		err := db.Write(t.Context(), func(tx *database.Tx) error {
			tx.BeginBatch()
			return tx.Exec(`INSERT INTO number (n) VALUES ($1)`, n)
		})
		if database.OutcomeUnknown(err) != c.unknown || (err != nil) != c.unknown {
			t.Errorf("%s: error %v, unknown outcome %t, want %t", c.name, err, database.OutcomeUnknown(err), c.unknown)
		}
		var rows int
		if err := direct.QueryRowContext(t.Context(), `SELECT count(*) FROM number WHERE n = $1`, n).Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%s: %d rows are committed, error %v, want one", c.name, rows, err)
		}
	}
}

// message returns an error message of PostgreSQL with these fields.
func message(fields ...string) []byte {
	body := append([]byte(strings.Join(fields, "\x00")), 0, 0)
	return append(binary.BigEndian.AppendUint32([]byte{'E'}, uint32(len(body)+4)), body...)
}

// through returns the address of a proxy to a server, which replaces an answer.
func through(t *testing.T, address string, answer, instead []byte, ends bool) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	target := to.Host
	to.Host = listener.Addr().String()
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				_ = client.Close()
				t.Error(err)
				return
			}
			running.Go(func() {
				_, _ = io.Copy(server, client)
				_ = server.Close()
			})
			running.Go(func() {
				defer func() { _ = client.Close() }()
				for buffer := make([]byte, 1<<16); ; {
					n, err := server.Read(buffer)
					if err != nil {
						return
					}
					before, behind, found := bytes.Cut(buffer[:n], answer)
					if found {
						behind = slices.Concat(instead, behind)
						if ends {
							behind = instead
						}
					}
					if _, err := client.Write(slices.Concat(before, behind)); err != nil || found && ends {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		running.Wait()
	})
	return to.String()
}
