package store

import (
	"context"

	"khatm/service/internal/database"
)

// DatabaseFile is the name of the SQLite database in the data folder.
const DatabaseFile = database.File

// SchemaVersion returns the version of the schema that this program needs.
func SchemaVersion() int64 { return database.SchemaVersion() }

// Migrate is Upgrade with default settings: an SQLite database is first copied
// into the data folder.
func Migrate(ctx context.Context, c Config) (from, to int64, err error) {
	u, err := Upgrade(ctx, c, database.Precaution{})
	return u.From, u.To, err
}

// Upgrade migrates the tables to the version of this program. See
// [database.DB.Upgrade]. It needs exclusive use of the data folder.
func Upgrade(ctx context.Context, c Config, p database.Precaution) (u database.Upgraded, err error) {
	s, err := open(ctx, c.unreported(), database.Maintain)
	if err != nil {
		return u, err
	}
	defer s.Close()
	u, err = s.db.Upgrade(ctx, p, func(from database.Queryer) (any, error) { return contentsOf(ctx, from) })
	if err != nil {
		return u, err
	}
	return u, s.install(ctx)
}
