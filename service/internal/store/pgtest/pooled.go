package pgtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Pooled returns the address of a database that is a copy of a template, as
// Template does, but an earlier test may have used it: its rows are then
// replaced by those of the template, which costs the server much less than a new
// database. A database in which a test has changed more than rows, or left many
// of them, is dropped instead. No other test, of any process, uses the database
// at the same time.
//
// A role that may not turn off triggers gets a new database for each test.
func Pooled(t testing.TB, name string, build func(url string) error) string {
	t.Helper()
	template := ready(t, name, build)
	p := pool{address: address(t), template: template, prefix: "pooled_" + name + "_"}
	if excess := len(p.prefix) + randomDigits - longestName; excess > 0 {
		t.Fatalf("template name %s is %d bytes too long", name, excess)
	}
	allowed, err := mayReplaceRows()
	if err != nil {
		t.Fatal(err)
	}
	if !allowed {
		return create(t, template)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := take(ctx, p.address)
	if err != nil {
		t.Fatal(err)
	}
	claimed, err := p.claim(ctx, conn)
	if err != nil {
		t.Fatal(errors.Join(err, conn.Close(ctx)))
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err := conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`)
		if err := giveBack(ctx, conn, err); err != nil {
			t.Errorf("release database %s: %v", claimed, err)
		}
	})
	return inDatabase(p.address, claimed)
}

// pool is the set of databases with the same template. A connection that uses
// one of them holds an advisory lock on its name.
type pool struct {
	address, template string
	prefix            string // of the names of its databases
}

// randomDigits is the number of digits after the prefix of a name.
const randomDigits = 12

// claim locks a database of the pool on conn, with the rows of the template. If
// no database is free, it creates one.
func (p pool) claim(ctx context.Context, conn *pgx.Conn) (name string, err error) {
	for {
		name, err := p.lockFree(ctx, conn)
		if err != nil {
			return "", err
		}
		if name == "" {
			return p.create(ctx, conn)
		}
		origin, err := p.origin()
		if err != nil {
			return "", err
		}
		err = origin.restore(ctx, inDatabase(p.address, name))
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, errNotRestorable) {
			return "", err
		}
		if err := execute(ctx, conn, `DROP DATABASE IF EXISTS %s WITH (FORCE)`, name); err != nil {
			return "", err
		}
		if _, err := conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`); err != nil {
			return "", fmt.Errorf("unlock %s: %w", name, err)
		}
	}
}

// lockFree locks a database that no test uses and returns its name, or "" if
// every database of the pool is in use.
func (p pool) lockFree(ctx context.Context, conn *pgx.Conn) (name string, err error) {
	const lock = `
		SELECT datname
		FROM pg_database
		WHERE CASE WHEN starts_with(datname, $1) THEN pg_try_advisory_lock(hashtextextended(datname, 0)) ELSE false END
		LIMIT 1`
	err = conn.QueryRow(ctx, lock, p.prefix).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("lock a database of %s: %w", p.template, err)
	}
	return name, nil
}

// create locks a new name and creates its database.
func (p pool) create(ctx context.Context, conn *pgx.Conn) (name string, err error) {
	const lock = `
		SELECT name
		FROM (SELECT $1 || right(gen_random_uuid()::text, $2) AS name) AS new, pg_advisory_lock(hashtextextended(name, 0))`
	if err := conn.QueryRow(ctx, lock, p.prefix, randomDigits).Scan(&name); err != nil {
		return "", fmt.Errorf("name a database: %w", err)
	}
	return name, execute(ctx, conn, `CREATE DATABASE %s TEMPLATE %s`, name, p.template)
}

// origin returns the state of the template, which this process reads once.
func (p pool) origin() (*origin, error) {
	read, _ := origins.LoadOrStore(p.template, sync.OnceValues(func() (*origin, error) {
		return readOrigin(inDatabase(p.address, p.template))
	}))
	return read.(func() (*origin, error))()
}

// origins maps the names of templates to functions that return their state.
var origins sync.Map
