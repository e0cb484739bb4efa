package backup

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/store"
)

// format is the version of the file format. Newer formats are refused.
const format = 1

// The values of Manifest.Engine.
const (
	SQLite     = "sqlite"
	PostgreSQL = "postgresql"
)

// Names of the entries. The files of the installation are below files/.
const (
	sqliteEntry   = store.DatabaseFile
	postgresEntry = "database.dump"
	filesPrefix   = "files/"
	manifestEntry = "manifest.json"
	digestEntry   = "manifest.json.sha256"
)

// Manifest describes a backup. It is the last entry but one: a file without it
// is unfinished.
type Manifest struct {
	Format       int       `json:"format"`
	Program      string    `json:"program"` // version of the khatm that wrote the backup
	CreatedAt    time.Time `json:"created_at"`
	Scheduled    bool      `json:"scheduled"` // made by khatm serve --backup-daily
	Installation uuid.UUID `json:"installation"`
	Environment  string    `json:"environment,omitempty"`
	Engine       string    `json:"engine"`
	Schema       int64     `json:"schema"`
	MasterKey    string    `json:"master_key,omitempty"` // id of the key that is needed to use the backup, never the key itself
	Counts       Counts    `json:"counts"`
	Entries      []Entry   `json:"entries"`
}

// Counts are the numbers of objects in a backup.
type Counts struct {
	Organisations int64 `json:"organisations"`
	Documents     int64 `json:"documents"`
	TrailEntries  int64 `json:"trail_entries"`
	Files         int   `json:"files"`
}

// Entry is one file in a backup.
type Entry struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// database returns the name of the database entry.
func (m Manifest) database() string {
	if m.Engine == PostgreSQL {
		return postgresEntry
	}
	return sqliteEntry
}

// describes returns an error with the first value that differs between the
// manifest and a database.
func (m Manifest) describes(c store.Contents) error {
	for _, figure := range []struct {
		name           string
		database, here any
	}{
		{"installation", c.Installation, m.Installation},
		{"environment", c.Environment, m.Environment},
		{"master key", c.MasterKey, m.MasterKey},
		{"schema version", c.Schema, m.Schema},
		{"number of organisations", c.Organisations, m.Counts.Organisations},
		{"number of documents", c.Documents, m.Counts.Documents},
		{"number of entries in the audit trail", c.Entries, m.Counts.TrailEntries},
	} {
		if figure.database != figure.here {
			return fmt.Errorf("the %s in the database is %v, in the manifest %v", figure.name, figure.database, figure.here)
		}
	}
	return nil
}

// describe copies the contents of the database into the manifest.
func (m *Manifest) describe(c store.Contents) {
	m.Installation, m.Environment, m.MasterKey, m.Schema = c.Installation, c.Environment, c.MasterKey, c.Schema
	m.Counts.Organisations, m.Counts.Documents, m.Counts.TrailEntries = c.Organisations, c.Documents, c.Entries
}

func parseManifest(text []byte) (m Manifest, err error) {
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("decode the manifest: %w", err)
	}
	if m.Format > format {
		return m, fmt.Errorf("the backup was written by a newer khatm (format %d, this program reads up to %d): use the newer program", m.Format, format)
	}
	if m.Format < 1 || m.Engine != SQLite && m.Engine != PostgreSQL {
		return m, fmt.Errorf("the manifest has the unknown format %d or engine %q", m.Format, m.Engine)
	}
	return m, nil
}
