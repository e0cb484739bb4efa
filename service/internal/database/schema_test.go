package database_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"khatm/internal/testtool"
	"khatm/service/internal/database"
)

var update = flag.Bool("update", false, "rewrite schema.sql")

// TestGoldenSchema compares schema.sql, and a database that was created from it, with
// a database that was created by all migrations.
func TestGoldenSchema(t *testing.T) {
	t.Parallel()
	migrated := newSQLite(t, func(c *database.Config) { c.Migrations = database.Migrations() })
	testtool.Golden(t, *update, "schema.sql", []byte(script(t, migrated)))
	if *update {
		return // this binary contains the former file
	}
	created := newSQLite(t, nil)
	if diff := cmp.Diff(contents(t, migrated), contents(t, created)); diff != "" {
		t.Errorf("a database created from schema.sql differs from a migrated one (-migrated +created):\n%s", diff)
	}
}

// A database whose creation ends at any point is created again at the next start.
func TestInterruptedCreation(t *testing.T) {
	t.Parallel()
	crashed := t.TempDir()
	config := sqliteConfig(t)
	config.Point = func(step string) error {
		if step != "tables created" {
			return nil
		}
		// What a crash at this moment would leave.
		if err := os.CopyFS(crashed, os.DirFS(config.Dir)); err != nil {
			return err
		}
		return errors.New("interrupted")
	}
	db := openSQLite(t, config)
	if err := db.EnsureTables(t.Context()); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v, want the interruption", err)
	}
	db.Close()
	config.Point = nil
	for name, dir := range map[string]string{"error": config.Dir, "crash": crashed} {
		t.Run(name, func(t *testing.T) {
			config := config
			config.Dir = dir
			db := openSQLite(t, config)
			if found := contents(t, db); len(found) != 0 {
				t.Fatalf("the database contains %v, want nothing", found)
			}
			if err := db.EnsureTables(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A database in which something was created by others is left to the migrations.
func TestForeignTablesAreKept(t *testing.T) {
	t.Parallel()
	config := sqliteConfig(t)
	db := openSQLite(t, config)
	err := db.Write(t.Context(), func(tx *database.Tx) error { return tx.Exec(`CREATE TABLE foreign_table (n INTEGER)`) })
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	db = openSQLite(t, config)
	if err := db.EnsureTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	names := rows(t, db, `SELECT name FROM sqlite_schema ORDER BY rowid LIMIT 2`)
	if diff := cmp.Diff([]string{"foreign_table", "goose_db_version"}, names); diff != "" {
		t.Error(diff)
	}
}

func sqliteConfig(t *testing.T) database.Config {
	t.Helper()
	return database.Config{Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
}

func openSQLite(t *testing.T, c database.Config) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), c, database.Serve)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// newSQLite creates a database with its tables.
func newSQLite(t *testing.T, change func(*database.Config)) *database.DB {
	t.Helper()
	c := sqliteConfig(t)
	if change != nil {
		change(&c)
	}
	db := openSQLite(t, c)
	if err := db.EnsureTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

// script returns the SQL that creates the tables of a database with their rows.
func script(t *testing.T, db *database.DB) string {
	t.Helper()
	out := &strings.Builder{}
	out.WriteString("-- The tables of a new database, as the migrations leave them. Written by make golden.\n")
	const objects = `
		SELECT sql
		FROM sqlite_schema
		WHERE sql IS NOT NULL
			AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
			AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
		ORDER BY rowid`
	for _, object := range rows(t, db, objects) {
		fmt.Fprintf(out, "\n%s;\n", object)
	}
	for _, table := range rows(t, db, `SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`) {
		columns := columnsOf(t, db, table)
		for n, row := range rows(t, db, fmt.Sprintf(`SELECT concat_ws(', ', %s) FROM "%s" ORDER BY rowid`, quoted(columns), table)) {
			if n == 0 {
				out.WriteString("\n")
			}
			fmt.Fprintf(out, "INSERT INTO %s (%s) VALUES (%s);\n", table, strings.Join(columns, ", "), row)
		}
	}
	return out.String()
}

// contents returns everything in a database: its objects in their order, and the rows
// of all tables, also those of SQLite.
func contents(t *testing.T, db *database.DB) []string {
	t.Helper()
	all := rows(t, db, `SELECT concat_ws(' ', type, name, tbl_name, sql) FROM sqlite_schema ORDER BY rowid`)
	for _, table := range rows(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`) {
		for _, row := range rows(t, db, fmt.Sprintf(`SELECT concat_ws(', ', %s) AS line FROM "%s" ORDER BY line`, quoted(columnsOf(t, db, table)), table)) {
			all = append(all, table+": "+row)
		}
	}
	return all
}

// columnsOf returns the columns of a table, without the time of a migration.
func columnsOf(t *testing.T, db *database.DB, table string) []string {
	t.Helper()
	return rows(t, db, `SELECT name FROM pragma_table_info($1) WHERE NOT ($1 = 'goose_db_version' AND name = 'tstamp') ORDER BY cid`, table)
}

// quoted returns an expression for each column, with its value in SQL.
func quoted(columns []string) string {
	var all []string
	for _, c := range columns {
		all = append(all, `quote("`+c+`")`)
	}
	return strings.Join(all, ", ")
}

// rows returns the results of a query with one column.
func rows(t *testing.T, db *database.DB, query string, args ...any) []string {
	t.Helper()
	found, err := database.AllOnce(context.Background(), db, query, args, func(row database.Scanner) (text string, err error) {
		err = row.Scan(&text)
		return text, err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return found
}
