package pgtest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// longestName is the limit of PostgreSQL, which truncates longer names without
// an error. Two templates could then have the same name.
const longestName = 63

// Template returns the address of a new database that is a copy of a template,
// dropped at the end of the test. build fills the template; it is called once
// for each server and name, by the first process that needs it, and must close
// its connections. So name must contain a digest of everything that build
// depends on.
func Template(t testing.TB, name string, build func(url string) error) string {
	t.Helper()
	return create(t, ready(t, name, build))
}

// ready returns the name of a template's database, which it builds if it does
// not exist.
func ready(t testing.TB, name string, build func(url string) error) (template string) {
	t.Helper()
	template, unfinished := "template_"+name, "building_"+name
	if len(template) > longestName {
		t.Fatalf("template name %s is %d bytes too long", name, len(template)-longestName)
	}
	address := address(t)
	if _, there := templates.Load(template); there {
		return template
	}
	err := onServer(address, func(ctx context.Context, conn *pgx.Conn) error {
		there, err := lockAndFind(ctx, conn, template)
		if there || err != nil {
			return err
		}
		if err := execute(ctx, conn, `DROP DATABASE IF EXISTS %s WITH (FORCE)`, unfinished); err != nil {
			return err
		}
		if err := execute(ctx, conn, `CREATE DATABASE %s`, unfinished); err != nil {
			return err
		}
		if err := build(inDatabase(address, unfinished)); err != nil {
			return fmt.Errorf("build template %s: %w", name, err)
		}
		// The template gets its name when it is complete, so that no copy is
		// made of an incomplete one.
		return execute(ctx, conn, `ALTER DATABASE %s RENAME TO %s`, unfinished, template)
	})
	if err != nil {
		t.Fatal(err)
	}
	templates.Store(template, true)
	return template
}

// templates holds the names of the templates that this process has found or
// built.
var templates sync.Map

// lockAndFind reports whether the template exists. It holds an advisory lock on
// the name until the connection ends, which excludes other processes.
func lockAndFind(ctx context.Context, conn *pgx.Conn, template string) (there bool, err error) {
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext($1))`, template); err != nil {
		return false, fmt.Errorf("lock %s: %w", template, err)
	}
	const find = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
	if err := conn.QueryRow(ctx, find, template).Scan(&there); err != nil {
		return false, fmt.Errorf("find %s: %w", template, err)
	}
	return there, nil
}
