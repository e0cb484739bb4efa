// Package pgtest gives tests a PostgreSQL: an empty database a call, or a copy
// of one that was filled once. It knows no schema and no test but its own.
//
// The server is the one KHATM_TEST_POSTGRES names; where it names none,
// scripts/with-postgres starts one for this process. Its role is no superuser.
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
	err := onShared(address, func(ctx context.Context, conn *pgx.Conn) error {
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
		err := onShared(address, func(ctx context.Context, conn *pgx.Conn) error {
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

// idle holds connections to the shared server that nothing uses now. They stay
// open until the process ends: to connect costs the server about as much as to
// make a database.
var idle = make(chan *pgx.Conn, 4)

// onShared calls do with a connection to the shared server's first database,
// which others have used before and others use later.
func onShared(address string, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var conn *pgx.Conn
	select {
	case conn = <-idle:
	default:
		var err error
		if conn, err = pgx.Connect(ctx, address); err != nil {
			return fmt.Errorf("connect to the PostgreSQL of the tests: %w", err)
		}
	}
	err := do(ctx, conn)
	if err == nil {
		select {
		case idle <- conn:
			return nil
		default:
		}
	}
	return errors.Join(err, conn.Close(ctx))
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
