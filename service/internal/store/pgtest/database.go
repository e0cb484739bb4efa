// Package pgtest gives tests a PostgreSQL: an empty database a call, or a copy
// of one that was filled once. It knows no schema and no test but its own.
//
// The server is the one KHATM_TEST_POSTGRES names; where it names none,
// scripts/with-postgres starts one for this process. Its role is no superuser.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience bounds every step here; a server that takes longer is stuck.
const patience = time.Minute

// URL gives the address of a new and empty database, which is dropped at the
// end of the test, with whoever is still connected.
func URL(t testing.TB) string {
	t.Helper()
	return create(t, "template1")
}

// create makes a database for one test; template1 is PostgreSQL's own and empty.
func create(t testing.TB, template string) string {
	t.Helper()
	address := address(t)
	var name string
	err := onServer(address, func(ctx context.Context, conn *pgx.Conn) error {
		// The server draws the name: tests of many processes share it.
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
		err := onServer(address, func(ctx context.Context, conn *pgx.Conn) error {
			return execute(ctx, conn, `DROP DATABASE %s WITH (FORCE)`, name)
		})
		if err != nil {
			t.Error(err)
		}
	})
	return inDatabase(address, name)
}

// onServer calls do with a connection of its own to the server's first database.
func onServer(address string, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connect to the PostgreSQL of the tests: %w", err)
	}
	// Deferred, because a failing test leaves do by runtime.Goexit, and a lock
	// would stay. What it says no longer matters.
	defer func() { _ = conn.Close(ctx) }()
	return do(ctx, conn)
}

// execute runs a statement that takes names of databases, which cannot be
// given as parameters.
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

// inDatabase is the server's address with another database in it.
func inDatabase(address, name string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // pgx has connected with it
	}
	u.Path = "/" + name
	return u.String()
}
