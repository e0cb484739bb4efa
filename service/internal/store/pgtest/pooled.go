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
	claimed, err := p.claim()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.release(claimed) })
	return inDatabase(p.address, claimed.name)
}

// pool is the set of databases with the same template. A process that uses one
// of them holds an advisory lock on its name until the process ends.
type pool struct {
	address, template string
	prefix            string // of the names of its databases
}

// pooled is a database of a pool that this process uses.
type pooled struct {
	name   string
	lock   *pgx.Conn // to the server's first database, with the lock on the name
	inside *pgx.Conn // to the database, for restoring it; nil if not connected yet
	isNew  bool      // no test has used it yet
}

// unused contains the databases of this process that no test uses, by template.
var unused = struct {
	sync.Mutex
	of map[string][]*pooled
}{of: map[string][]*pooled{}}

// randomDigits is the number of digits after the prefix of a name.
const randomDigits = 12

// claim returns a database with the rows of the template: one that this process
// has used before, one of an earlier process, or a new one.
func (p pool) claim() (*pooled, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		d := p.takeUnused()
		if d == nil {
			var err error
			if d, err = p.lockAny(ctx); err != nil {
				return nil, err
			}
		}
		if d.isNew {
			d.isNew = false
			return d, nil
		}
		origin, err := p.origin()
		if err == nil {
			err = origin.restore(ctx, d, inDatabase(p.address, d.name))
		}
		if err == nil {
			return d, nil
		}
		if !errors.Is(err, errNotRestorable) {
			return nil, errors.Join(err, d.drop(ctx))
		}
		if err := d.drop(ctx); err != nil {
			return nil, err
		}
	}
}

func (p pool) takeUnused() *pooled {
	unused.Lock()
	defer unused.Unlock()
	all := unused.of[p.template]
	if len(all) == 0 {
		return nil
	}
	last := len(all) - 1
	unused.of[p.template] = all[:last]
	return all[last]
}

// release makes a database available to the next test of this process.
func (p pool) release(d *pooled) {
	unused.Lock()
	defer unused.Unlock()
	unused.of[p.template] = append(unused.of[p.template], d)
}

// drop drops the database and closes its connections.
func (d *pooled) drop(ctx context.Context) error {
	if d.inside != nil {
		_ = d.inside.Close(ctx) // it is not used again
	}
	err := execute(ctx, d.lock, `DROP DATABASE IF EXISTS %s WITH (FORCE)`, d.name)
	if err == nil {
		_, err = d.lock.Exec(ctx, `SELECT pg_advisory_unlock_all()`)
	}
	return giveBack(ctx, d.lock, err)
}

// lockAny locks a database of an earlier process or a new one.
func (p pool) lockAny(ctx context.Context) (*pooled, error) {
	conn, err := take(ctx, p.address)
	if err != nil {
		return nil, err
	}
	d := &pooled{lock: conn}
	if d.name, err = p.lockFree(ctx, conn); err == nil && d.name == "" {
		d.isNew = true
		d.name, err = p.create(ctx, conn)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return d, nil
}

// lockFree locks a database that no process uses and returns its name, or "" if
// every database of the pool is in use. A copy that a test made of one has a longer
// name and does not belong to the pool.
func (p pool) lockFree(ctx context.Context, conn *pgx.Conn) (name string, err error) {
	const lock = `
		SELECT datname
		FROM pg_database
		WHERE CASE WHEN starts_with(datname, $1) AND length(datname) = length($1) + $2 THEN pg_try_advisory_lock(hashtextextended(datname, 0)) ELSE false END
		LIMIT 1`
	err = conn.QueryRow(ctx, lock, p.prefix, randomDigits).Scan(&name)
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
	origins.Lock()
	read := origins.of[p.template]
	if read == nil {
		read = sync.OnceValues(func() (*origin, error) { return readOrigin(inDatabase(p.address, p.template)) })
		origins.of[p.template] = read
	}
	origins.Unlock()
	return read()
}

// origins contains functions that return the states of templates.
var origins = struct {
	sync.Mutex
	of map[string]func() (*origin, error)
}{of: map[string]func() (*origin, error){}}
