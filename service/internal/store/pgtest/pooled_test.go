package pgtest_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/store/pgtest"
)

// library creates tables with rows, a foreign key, a sequence and a trigger that
// refuses every deletion.
func library(url string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, `
		CREATE SEQUENCE number;
		CREATE TABLE author (id int PRIMARY KEY, name text, born bytea);
		CREATE TABLE book (id int PRIMARY KEY DEFAULT nextval('number'), author int NOT NULL REFERENCES author, title text);
		CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stays'; END $$;
		CREATE TRIGGER book_stays BEFORE DELETE ON book FOR EACH ROW EXECUTE FUNCTION stays();
		INSERT INTO author VALUES (1, E'a\tname\\N', '\x00ff'), (2, NULL, '')`).ReadAll()
	return errors.Join(err, conn.Close(ctx))
}

// contents is a query for all rows that library creates.
const contents = `SELECT a::text FROM author a UNION ALL SELECT b::text FROM book b ORDER BY 1`

// borrow runs a subtest with a database of the pool and returns the name of the
// database.
func borrow(t *testing.T, template string, use func(t *testing.T, conn *pgx.Conn)) (name string) {
	t.Helper()
	t.Run("use", func(t *testing.T) {
		conn := connect(t, pgtest.Pooled(t, template, library))
		name = conn.Config().Database
		use(t, conn)
	})
	return name
}

func TestPooledRestoresRows(t *testing.T) {
	t.Parallel()
	template := fresh(t)
	var before, after []string
	first := borrow(t, template, func(t *testing.T, conn *pgx.Conn) {
		before = ask[string](t, conn, contents)
		run(t, conn, `INSERT INTO book (id, author, title) VALUES (7, 1, 'a title')`)
		run(t, conn, `UPDATE author SET name = 'other' WHERE id = 1`)
		run(t, conn, `DELETE FROM author WHERE id = 2`)
	})
	second := borrow(t, template, func(t *testing.T, conn *pgx.Conn) {
		after = ask[string](t, conn, contents)
		if _, err := conn.Exec(t.Context(), `INSERT INTO book (id, author) VALUES (7, 99)`); err == nil {
			t.Error("the foreign key of a restored database accepts any value, want an error")
		}
		run(t, conn, `INSERT INTO book (id, author) VALUES (7, 1)`)
		if _, err := conn.Exec(t.Context(), `DELETE FROM book`); err == nil {
			t.Error("the trigger of a restored database does not refuse a deletion, want an error")
		}
	})
	if len(before) != 2 || !slices.Equal(after, before) {
		t.Errorf("rows of the restored database = %q, want %q", after, before)
	}
	if second != first {
		t.Errorf("the second test got the database %s, want %s again", second, first)
	}
}

func TestPooledDropsAChangedDatabase(t *testing.T) {
	t.Parallel()
	template := fresh(t)
	all := connect(t, pgtest.URL(t))
	for _, statement := range []string{
		`DROP TRIGGER book_stays ON book`,
		`INSERT INTO author SELECT n, repeat('long name ', 20) FROM generate_series(10, 20000) n`,
		`INSERT INTO author SELECT n, string_agg(md5(n || '-' || i), '') FROM generate_series(10, 20) n, generate_series(1, 10000) i GROUP BY n`,
	} {
		first := borrow(t, template, func(t *testing.T, conn *pgx.Conn) { run(t, conn, statement) })
		second := borrow(t, template, func(t *testing.T, conn *pgx.Conn) {
			if got, want := len(ask[string](t, conn, contents)), 2; got != want {
				t.Errorf("the database after %s has %d rows, want %d", statement, got, want)
			}
		})
		if second == first {
			t.Errorf("the test after %s got the database %s again, want another one", statement, first)
		}
		if got := ask[string](t, all, `SELECT datname FROM pg_database WHERE datname = $1`, first); len(got) != 0 {
			t.Errorf("after %s database %q exists, want it dropped", statement, got)
		}
	}
}

func TestPooledIsForOneTestAtATime(t *testing.T) {
	t.Parallel()
	template := fresh(t)
	first, second := pgtest.Pooled(t, template, library), pgtest.Pooled(t, template, library)
	if first == second {
		t.Errorf("two users at the same time got the database %s, want two databases", first)
	}
}

func TestPooledEndsOtherConnections(t *testing.T) {
	t.Parallel()
	template := fresh(t)
	var left *pgx.Conn
	first := borrow(t, template, func(t *testing.T, conn *pgx.Conn) {
		var err error
		if left, err = pgx.Connect(t.Context(), conn.Config().ConnString()); err != nil {
			t.Fatal(err)
		}
		run(t, left, `BEGIN`)
		run(t, left, `LOCK TABLE book`)
	})
	second := borrow(t, template, func(t *testing.T, conn *pgx.Conn) {
		if _, err := left.Exec(t.Context(), `COMMIT`); err == nil {
			t.Error("the connection of the first test can be used in the second, want an error")
		}
		if got, want := len(ask[string](t, conn, contents)), 2; got != want {
			t.Errorf("the restored database has %d rows, want %d", got, want)
		}
	})
	if second != first {
		t.Errorf("the second test got the database %s, want %s again", second, first)
	}
}

// A copy that a test makes of its database is not given to another test.
func TestPooledLeavesCopiesAlone(t *testing.T) {
	t.Parallel()
	server, name := connect(t, pgtest.URL(t)), fresh(t)[:8]
	first := connect(t, pgtest.Pooled(t, name, oneRow))
	source := first.Config().Database
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	// No connection may be left at the time of the copy.
	run(t, server, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '`+source+`'`)
	run(t, server, `CREATE DATABASE "`+source+`_copy" TEMPLATE "`+source+`"`)
	t.Cleanup(func() {
		if _, err := server.Exec(context.Background(), `DROP DATABASE "`+source+`_copy" WITH (FORCE)`); err != nil {
			t.Error(err)
		}
	})
	if second := connect(t, pgtest.Pooled(t, name, oneRow)).Config().Database; second == source+"_copy" {
		t.Errorf("Pooled returned %s, which a test made", second)
	}
}
