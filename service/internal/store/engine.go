package store

import (
	"database/sql"

	"github.com/pressly/goose/v3"
)

// engine is the little in which the two databases differ.
type engine struct {
	name         string
	embedded     bool // runs in this process, on files of its own
	dialect      goose.Dialect
	folder       string             // of the migrations
	lockRow      string             // at the end of a SELECT that will be followed by an UPDATE
	position     string             // the function that says where in a text another is
	snapshot     sql.IsolationLevel // of a transaction that sees one moment
	versionQuery string
	hasVersions  string // counts goose's table
}

var sqliteEngine = engine{
	name:         "SQLite",
	embedded:     true,
	dialect:      goose.DialectSQLite3,
	folder:       "migrations/sqlite",
	lockRow:      "", // a write transaction is alone
	position:     "instr",
	versionQuery: `SELECT sqlite_version()`,
	hasVersions:  `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`,
}

var postgresEngine = engine{
	name:         "PostgreSQL",
	dialect:      goose.DialectPostgres,
	folder:       "migrations/postgres",
	lockRow:      " FOR NO KEY UPDATE",
	position:     "strpos",
	snapshot:     sql.LevelRepeatableRead,
	versionQuery: `SELECT current_setting('server_version')`,
	hasVersions:  `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'goose_db_version'`,
}
