package store

import (
	"context"
	"errors"

	"khatm/service/internal/blob"
	"khatm/service/internal/database"
)

// fileRows stores uploaded files in PostgreSQL. The keys contain the organisation.
type fileRows struct{ store *Store }

// Files returns the rows of uploaded files, or nil on SQLite, where they are files.
func (s *Store) Files() blob.Rows {
	if s.dialect.Embedded {
		return nil
	}
	return fileRows{s}
}

// PutFile implements [blob.Rows].
func (f fileRows) PutFile(ctx context.Context, key string, info blob.Info, part func(n int64) ([]byte, error)) error {
	const put = `
		INSERT INTO stored_file (key, size, sha256)
		VALUES ($1, $2, $3)
		ON CONFLICT (key) DO UPDATE SET size = excluded.size, sha256 = excluded.sha256`
	return f.store.db.Write(ctx, func(t *database.Tx) error {
		if err := t.Exec(put, key, info.Size, info.SHA256[:]); err != nil {
			return err
		}
		if err := t.Exec(`DELETE FROM stored_file_part WHERE key = $1`, key); err != nil {
			return err
		}
		for n := int64(0); ; n++ {
			content, err := part(n)
			if err != nil || len(content) == 0 {
				return err
			}
			if err := t.Exec(`INSERT INTO stored_file_part (key, part, content) VALUES ($1, $2, $3)`, key, n, content); err != nil {
				return err
			}
		}
	})
}

// errNoFile is returned if a file does not exist.
var errNoFile = errors.New("the file does not exist")

// FileInfo implements [blob.Rows].
func (f fileRows) FileInfo(ctx context.Context, key string) (info blob.Info, found bool, err error) {
	var digest []byte
	err = f.store.db.One(ctx, errNoFile, `SELECT size, sha256 FROM stored_file WHERE key = $1`, []any{key}, &info.Size, &digest)
	if errors.Is(err, errNoFile) {
		return info, false, nil
	}
	copy(info.SHA256[:], digest)
	return info, err == nil, err
}

// FilePart implements [blob.Rows].
func (f fileRows) FilePart(ctx context.Context, key string, info blob.Info, n int64) (content []byte, err error) {
	const read = `
		SELECT p.content
		FROM stored_file f
		JOIN stored_file_part p ON p.key = f.key
		WHERE f.key = $1 AND f.sha256 = $2 AND p.part = $3`
	err = f.store.db.One(ctx, errNoFile, read, []any{key, info.SHA256[:], n}, &content)
	if errors.Is(err, errNoFile) {
		return nil, nil
	}
	return content, err
}

// RemoveFile implements [blob.Rows].
func (f fileRows) RemoveFile(ctx context.Context, key string) error {
	return f.store.db.Write(ctx, func(t *database.Tx) error {
		return t.Exec(`DELETE FROM stored_file WHERE key = $1`, key) // and its parts
	})
}

// HasFiles reports whether uploaded files are in the database.
func (s *Store) HasFiles(ctx context.Context) (has bool, err error) {
	if s.dialect.Embedded {
		return false, nil
	}
	err = s.db.One(ctx, nil, `SELECT EXISTS (SELECT 1 FROM stored_file)`, nil, &has)
	return has, err
}
