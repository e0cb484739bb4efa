package pgtest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/store/pgtest"
)

// connect opens a connection that is closed at the end of the test.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// ask runs a query that returns one column.
func ask[T any](t *testing.T, conn *pgx.Conn, query string, args ...any) []T {
	t.Helper()
	rows, err := conn.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

// run executes a statement.
func run(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestURLIsAnEmptyDatabaseEachTime(t *testing.T) {
	t.Parallel()
	first, second := connect(t, pgtest.URL(t)), connect(t, pgtest.URL(t))
	run(t, first, `CREATE TABLE kept (id int)`)
	const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	if got, want := ask[string](t, first, tables), []string{"kept"}; !slices.Equal(got, want) {
		t.Errorf("first database has tables %q, want %q", got, want)
	}
	if got := ask[string](t, second, tables); len(got) != 0 {
		t.Errorf("second database has tables %q, want none", got)
	}
}

func TestURLDropsTheDatabaseUnderOpenConnections(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("leave a connection open", func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), pgtest.URL(t))
		if err != nil {
			t.Fatal(err)
		}
		name = conn.Config().Database
	})
	conn := connect(t, pgtest.URL(t))
	if got := ask[string](t, conn, `SELECT datname FROM pg_database WHERE datname = $1`, name); len(got) != 0 {
		t.Errorf("database %q exists after the test, want it dropped", got)
	}
}

func TestServerHasProductionSettings(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.URL(t))
	for setting, want := range map[string]string{
		"fsync":              "on",
		"full_page_writes":   "on",
		"is_superuser":       "off",
		"server_encoding":    "UTF8",
		"synchronous_commit": "on",
	} {
		if got := ask[string](t, conn, `SELECT current_setting($1)`, setting); !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
	run(t, conn, `CREATE EXTENSION pg_trgm`)
	run(t, conn, `CREATE EXTENSION btree_gin`)
}
