package store

import (
	"io/fs"
	"path"
	"testing/fstest"
)

// AddMigration lets this process know a migration of a later version, by its
// file name and its text for either engine. It changes every database that is
// opened afterwards, so it is for processes that a test starts.
func AddMigration(name, sqlite, postgres string) error {
	all := fstest.MapFS{
		path.Join(sqliteEngine.folder, name): {Data: []byte(sqlite)}, path.Join(postgresEngine.folder, name): {Data: []byte(postgres)},
	}
	err := fs.WalkDir(migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations, path)
		all[path] = &fstest.MapFile{Data: text}
		return err
	})
	migrations = all
	return err
}
