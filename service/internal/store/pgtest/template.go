package pgtest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// longestName is PostgreSQL's: it would cut off the rest without an error, and
// two templates would be one.
const longestName = 63

// Template gives the address of a new database that is a copy of what build
// made, dropped at the end of the test. build is called once a server and name,
// by whichever test process comes first, and leaves no connection open; so name
// holds a digest of everything that build depends on.
func Template(t testing.TB, name string, build func(url string) error) string {
	t.Helper()
	template, unfinished := "template_"+name, "building_"+name
	if len(template) > longestName {
		t.Fatalf("the name of template %s is %d letters too long", name, len(template)-longestName)
	}
	address := address(t)
	if _, there := templates.Load(template); there {
		return create(t, template)
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
		// It has its name when it is finished, so that none is copied half made.
		return execute(ctx, conn, `ALTER DATABASE %s RENAME TO %s`, unfinished, template)
	})
	if err != nil {
		t.Fatal(err)
	}
	templates.Store(template, true)
	return create(t, template)
}

// templates holds the names of those that this process has found or built.
var templates sync.Map

// lockAndFind tells whether the template is there already. Until the connection
// ends it holds the server's lock on the name, which other processes heed too.
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
