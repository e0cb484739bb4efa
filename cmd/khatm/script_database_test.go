package main

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"khatm/internal/testtool"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // to change the database behind the service
)

// tamper executes SQL on the SQLite database of a data folder:
// tamper FOLDER STATEMENT…
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: tamper FOLDER STATEMENT…")
	}
	db, err := sql.Open("sqlite", filepath.Join(ts.MkAbs(args[0]), "khatm.db")+"?_pragma=busy_timeout(30000)") // a server may be writing
	ts.Check(err)
	defer db.Close() //nolint:errcheck // the statements are committed
	for _, statement := range args[1:] {
		if _, err := db.Exec(statement); err != nil {
			ts.Fatalf("execute %s: %v", statement, err)
		}
	}
}

// testServer returns the URL of a PostgreSQL server for tests, or "".
func testServer() string {
	if testtool.OnlyGo() {
		return ""
	}
	return os.Getenv("KHATM_TEST_POSTGRES")
}

// newDatabase creates a PostgreSQL database for the script and sets
// $KHATM_DATABASE to its URL: postgres
func newDatabase(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: postgres")
	}
	name := "script_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	ts.Check(onTestServer(`CREATE DATABASE ` + name))
	ts.Defer(func() { _ = onTestServer(`DROP DATABASE ` + name + ` WITH (FORCE)`) })
	at, err := url.Parse(testServer())
	ts.Check(err)
	at.Path = "/" + name
	ts.Setenv("KHATM_DATABASE", at.String())
}

func onTestServer(statement string) error {
	ctx := context.Background()
	connection, err := pgx.Connect(ctx, testServer())
	if err != nil {
		return err
	}
	defer connection.Close(ctx) //nolint:errcheck // the statement is done
	_, err = connection.Exec(ctx, statement)
	return err
}
