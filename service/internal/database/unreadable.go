package database

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsCorrupt reports whether err means that the database found damaged data.
// Other rows may be intact.
func IsCorrupt(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code()&0xff == sqlite3.SQLITE_CORRUPT
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	// PostgreSQL has no code for a value with a damaged length.
	return pg.Code == "XX001" || pg.Code == "XX002" || pg.Code == "XX000" && strings.HasPrefix(pg.Message, "invalid memory alloc request size")
}

// IsUnreadable reports whether err means that a row is damaged or could not be
// read from the disk. A read error may be temporary.
func IsUnreadable(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) && (lite.Code() == sqlite3.SQLITE_IOERR_READ || lite.Code() == sqlite3.SQLITE_IOERR_SHORT_READ) {
		return true
	}
	var pg *pgconn.PgError
	return IsCorrupt(err) || errors.As(err, &pg) && pg.Code == ioError
}

// ioError is PostgreSQL's code for a disk error.
const ioError = "58030"
