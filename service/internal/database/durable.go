package database

import (
	"context"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
)

// outcome tells the server how a transaction that wrote something ended.
func (db *DB) outcome(err error) {
	if db.config.Committed != nil {
		db.config.Committed(err)
	}
}

// coded is an error of SQLite.
type coded interface {
	error
	Code() int
}

// failedSync reports whether SQLite could not make written data durable. From
// then on the kernel may show pages that will never reach the disk.
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

// ErrHalted is wrapped by what a write returns once written data could not be made
// durable.
var ErrHalted = errors.New("nothing more is written until the service is started again")

// halt refuses every further write of this process.
func (g *group) halt(cause error) {
	if g.halted != nil {
		return
	}
	g.halted = fmt.Errorf("%w: %w", ErrHalted, cause)
	if g.db.config.Halted != nil {
		g.db.config.Halted(cause)
	}
}

// checkpointFrames is from how many frames on the write-ahead log is copied
// into the database, as SQLite does by itself.
const checkpointFrames = 1000

// ownCheckpoints has the writer copy the log instead of SQLite, which ignores
// that it could not make the copy durable.
const ownCheckpoints = `PRAGMA wal_autocheckpoint = 0`

// checkpoint copies the log into the database if it has grown long.
func (w *writer) checkpoint(ctx context.Context) error {
	if w.conn == nil {
		return nil
	}
	var busy, frames, copied int
	if err := w.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(NOOP)`).Scan(&busy, &frames, &copied); err != nil {
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

// settle copies what the last server left in the log into the database and
// empties the log. If that server ended because a sync failed, the log that is
// read here may not be on the disk; its copy is.
func (db *DB) settle(ctx context.Context) error {
	var busy, frames, copied int
	err := db.writers.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &copied)
	switch {
	case failedSync(err):
		return fmt.Errorf("copy the log into the database: %w", err)
	case err != nil || busy != 0:
		// A full disk must not keep the server from reading.
		db.config.Log.Warn("the write-ahead log was not copied into the database at the start", "busy", busy != 0, "cause", fmt.Sprint(err))
	}
	return nil
}
