package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"khatm/service/internal/database"
)

// Contents describes the contents of a database at one moment.
type Contents struct {
	Installation  uuid.UUID
	Environment   string // environment of the authority; empty before the first start of a server
	MasterKey     string // id of the master key; empty before the first secret is sealed
	Schema        int64  // schema version
	Organisations int64
	Documents     int64
	Entries       int64 // entries of the audit trail
}

// ForBackup opens the database to copy it, with or without a running server.
// Unlike Command it accepts an older schema, so that a backup can be made
// before an upgrade, and documents without digests. It changes nothing.
func ForBackup(ctx context.Context, c Config) (*Store, error) {
	s, err := open(ctx, c.unreported(), database.Command)
	if err != nil {
		return nil, err
	}
	if err := s.checkCopyable(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) checkCopyable(ctx context.Context) error {
	at, err := s.db.Version(ctx)
	switch {
	case err != nil:
		return err
	case at == 0:
		return errors.New("the database is empty, there is nothing to back up")
	case at > SchemaVersion():
		return s.db.CheckVersion(at)
	}
	return nil
}

// Contents returns the contents of the snapshot. On SQLite the first read
// begins the snapshot.
func (p *Snapshot) Contents(ctx context.Context) (Contents, error) {
	c, err := contentsOf(ctx, p)
	return c, database.Outage(err)
}

// ContentsAt opens a database like ForBackup and returns its contents.
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

const contentsQuery = `
	SELECT
		(SELECT id FROM installation WHERE one = 1),
		(SELECT environment FROM installation WHERE one = 1),
		(SELECT master_key FROM installation WHERE one = 1),
		(SELECT count(*) FROM organisation),
		(SELECT count(*) FROM invoice),
		(SELECT count(*) FROM event)`

// documentsSince is the first schema version with documents.
const documentsSince = 3

func contentsOf(ctx context.Context, from database.Queryer) (c Contents, err error) {
	if c.Schema, err = database.VersionIn(ctx, from); err != nil {
		return c, err
	}
	if c.Schema < documentsSince {
		return c, nil
	}
	var id uuid.NullUUID
	var environment, masterKey sql.NullString
	row := from.QueryRowContext(ctx, contentsQuery)
	if err := row.Scan(&id, &environment, &masterKey, &c.Organisations, &c.Documents, &c.Entries); err != nil {
		return c, fmt.Errorf("read the contents of the database: %w", err)
	}
	c.Installation, c.Environment, c.MasterKey = id.UUID, environment.String, masterKey.String
	return c, nil
}

// CheckCopy verifies the structure of a copied SQLite database of size bytes
// and returns its contents. The copy is opened read-only and may be a section
// of a larger file.
func CheckCopy(ctx context.Context, file io.ReaderAt, size int64) (c Contents, err error) {
	err = database.CheckCopy(ctx, file, size, func(from database.Queryer) error {
		c, err = contentsOf(ctx, from)
		return err
	})
	return c, err
}
