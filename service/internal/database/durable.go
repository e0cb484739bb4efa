package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
)

// outcome calls Config.Committed with the result of a transaction.
func (db *DB) outcome(err error) {
	if db.config.Committed != nil {
		db.config.Committed(err)
	}
}

// coded is an error of SQLite's driver.
type coded interface {
	error
	Code() int
}

// failedSync reports whether SQLite could not make written data durable. After
// such an error the page cache may show data that never reaches the disk.
func failedSync(err error) bool {
	var lite coded
	if !errors.As(err, &lite) {
		return false
	}
	switch lite.Code() {
	case sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC:
		return true
	}
	return false
}

// ErrHalted is wrapped by the error of every write after written data could not
// be made durable.
var ErrHalted = errors.New("writes are stopped until the service is restarted")

// halt makes every further write of this process fail.
func (g *group) halt(cause error) {
	if g.halted != nil {
		return
	}
	g.halted = fmt.Errorf("%w: %w", ErrHalted, cause)
	if g.db.config.Halted != nil {
		g.db.config.Halted(cause)
	}
}

// checkpointFrames is the length of the write-ahead log, in frames, from which
// it is copied into the database: 16 MiB. A page that changes often, such as the
// last one of an index, is copied once for all its frames, so that fewer copies
// than with SQLite's default of 1000 take less time. The first 4062 frames share
// one hash table, which readers search for every page; a longer log has several.
const checkpointFrames = 4000

// ownCheckpoints turns off SQLite's automatic checkpoints, which ignore a
// failed sync. The writer copies the log itself.
const ownCheckpoints = `PRAGMA wal_autocheckpoint = 0`

// checkpoint copies the log into the database if the log has reached
// checkpointFrames.
func (w *writer) checkpoint(ctx context.Context) error {
	if w.conn == nil {
		return nil
	}
	const length = `PRAGMA wal_checkpoint(NOOP)`
	query := func() *sql.Row { return w.conn.QueryRowContext(ctx, length) }
	if kept := w.statement(ctx, length); kept != nil {
		query = func() *sql.Row { return kept.QueryRowContext(ctx) }
	}
	var busy, frames, copied int
	if err := query().Scan(&busy, &frames, &copied); err != nil {
		return fmt.Errorf("read the length of the log: %w", err)
	}
	if frames < checkpointFrames || frames == copied {
		return nil
	}
	if err := w.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &frames, &copied); err != nil {
		return fmt.Errorf("copy the log into the database: %w", err)
	}
	return nil
}

// emptyLog copies the write-ahead log of the previous server into the database
// and empties it. If a failed sync ended that server, the log may be readable
// but not on the disk; the copy is synced.
func (db *DB) emptyLog(ctx context.Context) error {
	var busy, frames, copied int
	err := db.writers.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &copied)
	switch {
	case failedSync(err):
		return fmt.Errorf("copy the log into the database: %w", err)
	case err != nil || busy != 0:
		// The server must be able to read even if the disk is full.
		db.config.Log.Warn("the write-ahead log was not copied into the database at the start", "busy", busy != 0, "cause", fmt.Sprint(err))
	}
	return nil
}
