package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"khatm/service/internal/fault"
)

// Outage turns the error of a database that is unreachable, full or busy into a
// fault of kind Unavailable. It returns other errors unchanged.
func Outage(err error) error {
	if err == nil || !isOutage(err) {
		return err
	}
	e := fault.New(fault.DatabaseUnavailable, "The service cannot reach or write its database at the moment. Try again shortly.")
	e.Cause = err
	return e
}

func isOutage(err error) bool {
	var classified *fault.Error
	if errors.As(err, &classified) || errors.Is(err, sql.ErrNoRows) {
		return false
	}
	if errors.Is(err, errUndone) || errors.Is(err, errClosed) || errors.Is(err, ErrHalted) {
		return true
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
			return true
		}
		return false
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) || errors.Is(err, errStandby) || errors.Is(err, errReplaced) || errors.Is(err, errWarned) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		// Classes: 08 connection, 53 resources, 57 operator intervention.
		return isReadOnly(err) || pg.Code == ioError || strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "53") || strings.HasPrefix(pg.Code, "57") || isRetryable(err)
	}
	var network net.Error
	// SafeToRetry finds connections that turned out to be closed when used. database/sql
	// ends a transaction whose time has passed.
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrTxDone) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err)
}

// isBusy reports whether err means that another process has locked SQLite.
func isBusy(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlite3.SQLITE_BUSY
}

// isReadOnly reports whether PostgreSQL refuses to write, as a standby does.
func isReadOnly(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "25006"
}

// isForbidden reports whether PostgreSQL refuses the role, its password or the
// database, which waiting does not change.
func isForbidden(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "28") || strings.HasPrefix(pg.Code, "3D") || strings.HasPrefix(pg.Code, "42"))
}

// isRetryable reports whether PostgreSQL asks to run the transaction again,
// after a serialisation failure or a deadlock.
func isRetryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// IsDuplicate reports whether err means that a row violates a unique constraint
// or a primary key.
func IsDuplicate(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505"
}
