package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"
)

// Contents describes what a database holds at one moment.
type Contents struct {
	Installation  uuid.UUID
	Environment   string // of the authority; empty before the first server started
	MasterKey     string // id of the master key; empty before anything was sealed
	Schema        int64  // version of the tables
	Organisations int64
	Documents     int64
	Entries       int64 // of the audit trail
}

// ForBackup opens the database to copy it, beside a running server or alone.
// Unlike Command it accepts tables older than this program, so that a backup
// can be made before an upgrade, and documents without digests. Opening changes
// nothing.
func ForBackup(ctx context.Context, c Config) (*Store, error) {
	s := &Store{now: c.Now, newID: c.NewID, log: c.Log, point: c.Point, dir: c.Dir}
	err := s.connect(ctx, c, commanding)
	if err == nil {
		err = s.checkCopyable(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) checkCopyable(ctx context.Context) error {
	at, err := s.version(ctx)
	switch {
	case err != nil:
		return err
	case at == 0:
		return errors.New("the database is empty: there is nothing to back up")
	case at > SchemaVersion():
		return s.checkVersion(at)
	}
	return nil
}

// Contents returns what the snapshot holds. On SQLite the first read begins
// the snapshot.
func (p *Snapshot) Contents(ctx context.Context) (Contents, error) {
	c, err := contentsOf(ctx, p.sql)
	return c, p.store.outage(err)
}

// ContentsAt opens a database as ForBackup does and returns what it holds.
func ContentsAt(ctx context.Context, c Config) (holds Contents, err error) {
	s, err := ForBackup(ctx, c)
	if err != nil {
		return holds, err
	}
	defer s.Close()
	err = s.Snapshot(ctx, func(kept *Snapshot) error {
		holds, err = kept.Contents(ctx)
		return err
	})
	return holds, err
}

// rowReader is a database or a transaction that a row can be read from.
type rowReader interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const (
	newestVersion = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE version_id > 0`
	contentsQuery = `
		SELECT
			(SELECT id FROM installation WHERE one = 1),
			(SELECT environment FROM installation WHERE one = 1),
			(SELECT master_key FROM installation WHERE one = 1),
			(SELECT count(*) FROM organisation),
			(SELECT count(*) FROM invoice),
			(SELECT count(*) FROM event)`
)

// documentsSince is the version of the tables that first had documents.
const documentsSince = 3

func contentsOf(ctx context.Context, from rowReader) (c Contents, err error) {
	if err := from.QueryRowContext(ctx, newestVersion).Scan(&c.Schema); err != nil {
		return c, fmt.Errorf("read the version of the tables: %w", err)
	}
	if c.Schema < documentsSince {
		return c, nil
	}
	var id uuid.NullUUID
	var environment, masterKey sql.NullString
	row := from.QueryRowContext(ctx, contentsQuery)
	if err := row.Scan(&id, &environment, &masterKey, &c.Organisations, &c.Documents, &c.Entries); err != nil {
		return c, fmt.Errorf("read what the database holds: %w", err)
	}
	c.Installation, c.Environment, c.MasterKey = id.UUID, environment.String, masterKey.String
	return c, nil
}

// Size returns the size in bytes of the database file that Pages writes.
func (p *Snapshot) Size(ctx context.Context) (int64, error) {
	var pages, size int64
	if err := p.sql.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
		return 0, fmt.Errorf("read the size of the database: %w", err)
	}
	if err := p.sql.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&size); err != nil {
		return 0, fmt.Errorf("read the size of the database: %w", err)
	}
	return pages * size, nil
}

// Pages passes every page of an SQLite database to write, in order: together
// they are a database file as of the snapshot. A page is valid only during the
// call. Writers are not held up, but while Pages runs the write-ahead log
// cannot be reset and grows.
func (p *Snapshot) Pages(ctx context.Context, write func(page []byte) error) error {
	rows, err := p.sql.QueryContext(ctx, `SELECT data FROM sqlite_dbpage ORDER BY pgno`)
	if err != nil {
		return fmt.Errorf("read the pages of the database: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var page sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&page); err != nil {
			return fmt.Errorf("read a page of the database: %w", err)
		}
		if err := write(page); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the pages of the database: %w", err)
	}
	return nil
}
