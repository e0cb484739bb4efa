package database

import (
	"database/sql"

	"github.com/pressly/goose/v3"
)

// Dialect holds the SQL differences between the two engines.
type Dialect struct {
	Embedded bool   // the engine runs in this process on its own files: SQLite
	LockRow  string // appended to a SELECT that is followed by an UPDATE of the row
	Position string // function that returns the position of one text in another
	NoIndex  string // before a column: do not use an index on it
	Elements string // function that returns the elements of a JSON array in the column value
}

// engine holds all differences between the two databases.
type engine struct {
	Dialect
	name         string
	goose        goose.Dialect
	folder       string             // folder of the migrations
	snapshot     sql.IsolationLevel // isolation level of a snapshot
	versionQuery string
	hasVersions  string // counts the tables named goose_db_version
}

var sqliteEngine = engine{
	Dialect:      Dialect{Embedded: true, Position: "instr", NoIndex: "+", Elements: "json_each"}, // no LockRow: a write transaction is always alone
	name:         "SQLite",
	goose:        goose.DialectSQLite3,
	folder:       "migrations/sqlite",
	versionQuery: `SELECT sqlite_version()`,
	hasVersions:  `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`,
}

var postgresEngine = engine{
	Dialect:      Dialect{LockRow: " FOR NO KEY UPDATE", Position: "strpos", Elements: "json_array_elements"},
	name:         "PostgreSQL",
	goose:        goose.DialectPostgres,
	folder:       "migrations/postgres",
	snapshot:     sql.LevelRepeatableRead,
	versionQuery: `SELECT current_setting('server_version')`,
	hasVersions:  `SELECT count(to_regclass(quote_ident(current_schema()) || '.goose_db_version'))`,
}
