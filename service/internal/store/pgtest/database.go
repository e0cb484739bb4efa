// Package pgtest provides PostgreSQL databases for tests: an empty database for
// each call, or a copy of a template that is built once. It knows nothing of
// the schema. Templates and the databases of Pooled stay on the server for the
// next process.
//
// It uses the server at KHATM_TEST_POSTGRES. If this is not set,
// scripts/with-postgres starts a server for the process. The role of the tests
// is not a superuser.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience limits every step. A server that takes longer is considered stuck.
const patience = time.Minute

// URL returns the address of a new, empty database. It is dropped at the end of
// the test, even if connections are still open.
func URL(t testing.TB) string {
	t.Helper()
	return create(t, "template1")
}

// create creates a database for one test. template1 is PostgreSQL's own empty
// template.
func create(t testing.TB, template string) string {
	t.Helper()
	address := address(t)
	var name string
	err := onShared(address, func(ctx context.Context, conn *pgx.Conn) error {
		// The server generates the name, because many processes share it.
		const draw = `SELECT 'test_' || replace(gen_random_uuid()::text, '-', '')`
		if err := conn.QueryRow(ctx, draw).Scan(&name); err != nil {
			return fmt.Errorf("name a database: %w", err)
		}
		return execute(ctx, conn, `CREATE DATABASE %s TEMPLATE %s`, name, template)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := onShared(address, func(ctx context.Context, conn *pgx.Conn) error {
			return execute(ctx, conn, `DROP DATABASE %s WITH (FORCE)`, name)
		})
		if err != nil {
			t.Error(err)
		}
	})
	return inDatabase(address, name)
}

// onServer calls do with a new connection to the server's first database.
func onServer(address string, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connect to the PostgreSQL of the tests: %w", err)
	}
	// Deferred, because a failing test leaves do by runtime.Goexit and would
	// keep its locks. The error does not matter any more.
	defer func() { _ = conn.Close(ctx) }()
	return do(ctx, conn)
}

// idle holds unused connections to the shared server. They stay open until the
// process ends, because a connection costs the server some milliseconds.
var idle = make(chan *pgx.Conn, 8)

// take returns a connection to the shared server's first database.
func take(ctx context.Context, address string) (*pgx.Conn, error) {
	select {
	case conn := <-idle:
		return conn, nil
	default:
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("connect to the PostgreSQL of the tests: %w", err)
	}
	return conn, nil
}

// giveBack keeps a connection for the next take. After an error it closes the
// connection. It returns err, joined with its own error.
func giveBack(ctx context.Context, conn *pgx.Conn, err error) error {
	if err == nil {
		select {
		case idle <- conn:
			return nil
		default:
		}
	}
	return errors.Join(err, conn.Close(ctx))
}

// onShared calls do with a connection of take.
func onShared(address string, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := take(ctx, address)
	if err != nil {
		return err
	}
	return giveBack(ctx, conn, do(ctx, conn))
}

// execute runs a statement that contains names of databases, which cannot be
// passed as parameters.
func execute(ctx context.Context, conn *pgx.Conn, format string, names ...string) error {
	var quoted []any
	for _, name := range names {
		quoted = append(quoted, pgx.Identifier{name}.Sanitize())
	}
	statement := fmt.Sprintf(format, quoted...)
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// inDatabase returns the server's address with another database name.
func inDatabase(address, name string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // pgx has already parsed it
	}
	u.Path = "/" + name
	return u.String()
}
