package store

import (
	"context"

	"khatm/service/internal/database"
)

// DatabaseFile is the name of the embedded database in the data folder.
const DatabaseFile = database.File

// SchemaVersion returns the version of the tables that this program works with.
func SchemaVersion() int64 { return database.SchemaVersion() }

// Migrate is Upgrade with its defaults: an SQLite database is copied first,
// into the data folder.
func Migrate(ctx context.Context, c Config) (from, to int64, err error) {
	u, err := Upgrade(ctx, c, database.Precaution{})
	return u.From, u.To, err
}

// Upgrade brings the tables to the version of this program: see
// [database.DB.Upgrade]. It needs the data folder for itself.
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
