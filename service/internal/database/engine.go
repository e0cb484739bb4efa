package database

import (
	"database/sql"

	"github.com/pressly/goose/v3"
)

// Dialect is how queries differ between the two engines.
type Dialect struct {
	Embedded bool   // runs in this process, on files of its own: SQLite
	LockRow  string // at the end of a SELECT that will be followed by an UPDATE
	Position string // the function that says where in a text another is
}

// engine is everything in which the two databases differ.
type engine struct {
	Dialect
	name         string
	goose        goose.Dialect
	folder       string             // of the migrations
	snapshot     sql.IsolationLevel // of a transaction that sees one moment
	versionQuery string
	hasVersions  string // counts goose's table
}

var sqliteEngine = engine{
	Dialect:      Dialect{Embedded: true, Position: "instr"}, // a write transaction is alone
	name:         "SQLite",
	goose:        goose.DialectSQLite3,
	folder:       "migrations/sqlite",
	versionQuery: `SELECT sqlite_version()`,
	hasVersions:  `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`,
}

var postgresEngine = engine{
	Dialect:      Dialect{LockRow: " FOR NO KEY UPDATE", Position: "strpos"},
	name:         "PostgreSQL",
	goose:        goose.DialectPostgres,
	folder:       "migrations/postgres",
	snapshot:     sql.LevelRepeatableRead,
	versionQuery: `SELECT current_setting('server_version')`,
	hasVersions:  `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'goose_db_version'`,
}
